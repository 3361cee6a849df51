#pragma once
// A kernel of lab 1 in a worker process.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/worker/host.hpp"

namespace hpml::lab1 {

using worker::Answer;
using worker::Failure;

class KernelHost {
 public:
  // library_dot: a call fails where not every element went through cblas_sdot.
  enum class Kind : uint8_t { dot, library_dot, product };
  struct What {
    std::string library, symbol;  // a library "ours" is the reference
    Kind kind = Kind::dot;
    int64_t elements = 1;  // of the longest vector
  };
  static Answer<std::unique_ptr<KernelHost>> start(const What& what);

  std::span<float> a(int64_t n) const { return input(0, n); }
  std::span<float> b(int64_t n) const { return input(1, n); }
  Answer<float> dot(int64_t n, bool sparse = false);  // sparse: zeros and, at the end, ones, without memory for them
  Answer<Ok> product(int64_t n, int64_t block, std::vector<float>& c);
  const worker::Host& process() const { return *process_; }

 private:
  KernelHost(std::unique_ptr<worker::Host> process, Kind kind) : process_(std::move(process)), kind_(kind) {}
  std::span<float> input(size_t index, int64_t n) const {
    return {process_->buffers().input<float>(index, n), static_cast<size_t>(n)};
  }
  std::unique_ptr<worker::Host> process_;
  Kind kind_;
};

}  // namespace hpml::lab1
