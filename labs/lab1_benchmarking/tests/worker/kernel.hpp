#pragma once
// A student's kernel out of a shared object.
#include <memory>
#include <string>

#include "common/base/result.hpp"

namespace hpml::lab1 {

using DotFunction = float (*)(long n, const float* a, const float* b);
using ProductFunction = void (*)(long n, long block, const float* a, const float* b, float* c);
inline constexpr const char* kDotForm = "float {}(long N, const float *pA, const float *pB)";
inline constexpr const char* kProductForm = "void {}(long n, long block, const float *A, const float *B, float *C)";

class Kernel {
 public:
  static Result<Kernel> load(const std::string& path, const std::string& symbol, const char* form = kDotForm);
  float operator()(long n, const float* a, const float* b) const { return function()(n, a, b); }
  DotFunction function() const { return reinterpret_cast<DotFunction>(function_); }
  ProductFunction product() const { return reinterpret_cast<ProductFunction>(function_); }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  std::unique_ptr<void, Close> handle_;
  void* function_ = nullptr;
};

}  // namespace hpml::lab1
