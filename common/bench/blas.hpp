#pragma once
// The BLAS libraries of the distribution, and whether OpenBLAS has taken this processor for an older one: version
// 0.3.21 runs processors that are newer than itself with the code of a Prescott (SSE3), 5 to 8 times too slow,
// silently.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::bench {

// What is wrong with this choice, and what to set instead; empty strings when nothing is.
struct CoreVerdict {
  std::string says;
  std::string mend;  // value for OPENBLAS_CORETYPE
};
CoreVerdict judge_core(const std::string& corename, const std::set<std::string>& flags);

using SdotFunction = float (*)(int n, const float* x, int step_x, const float* y, int step_y);

class BlasLibrary {
 public:
  static Result<BlasLibrary> open(const std::string& path);
  SdotFunction sdot() const { return sdot_; }
  const std::string& corename() const { return corename_; }  // of OpenBLAS; empty for others
  const std::string& version() const { return version_; }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
  SdotFunction sdot_ = nullptr;
  std::string corename_, version_;
};

// Files that the distributions' packages install, those that are there.
std::vector<std::string> installed_blas();

}  // namespace hpml::bench
