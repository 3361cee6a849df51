// cuda::std is the standard library: what of it is constexpr can be called in device code, and what programs call there
// although it is not constexpr in C++17 is defined here.
#pragma once

#include <utility>

#include "../cuda_runtime.h"

namespace cuda {
namespace std {
using namespace ::std;  // NOLINT(google-build-using-namespace)

template <class __T>
__host__ __device__ constexpr void swap(__T& __a, __T& __b) {
  __T __c = static_cast<__T&&>(__a);
  __a = static_cast<__T&&>(__b);
  __b = static_cast<__T&&>(__c);
}
template <class __T>
__host__ __device__ constexpr const __T& min(const __T& __a, const __T& __b) {
  return __b < __a ? __b : __a;
}
template <class __T>
__host__ __device__ constexpr const __T& max(const __T& __a, const __T& __b) {
  return __a < __b ? __b : __a;
}
template <class __T>
__host__ __device__ constexpr const __T& clamp(const __T& __v, const __T& __low, const __T& __high) {
  return __v < __low ? __low : __high < __v ? __high : __v;
}
template <class __T, class __U = __T>
__host__ __device__ constexpr __T exchange(__T& __a, __U&& __b) {
  __T __old = static_cast<__T&&>(__a);
  __a = static_cast<__U&&>(__b);
  return __old;
}

}  // namespace std
}  // namespace cuda
