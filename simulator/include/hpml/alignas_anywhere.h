// For programs that write alignas behind __shared__ or another attribute, which nvcc takes and clang does not: GNU's
// attribute may stand anywhere. The argument is a type or a constant.
#pragma once

#include <cstddef>

template <class __t>
constexpr std::size_t __hpml_alignment() {
  return alignof(__t);
}
template <std::size_t __bytes>
constexpr std::size_t __hpml_alignment() {
  return __bytes;
}
#define alignas(...) __attribute__((aligned(__hpml_alignment<__VA_ARGS__>())))
