#pragma once
// A student's kernel out of a shared object.
#include <memory>
#include <string>

#include "common/base/result.hpp"

namespace hpml::lab1 {

using DotFunction = float (*)(long n, const float* a, const float* b);

class Kernel {
 public:
  static Result<Kernel> load(const std::string& path, const std::string& symbol);
  float operator()(long n, const float* a, const float* b) const { return function_(n, a, b); }
  DotFunction function() const { return function_; }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
  DotFunction function_ = nullptr;
};

}  // namespace hpml::lab1
