#pragma once
// A C++ function as a one-word instruction: Function<"__nv_expf", expf>. The function's parameters are the sources; a
// Two<> result is the value (or first pointer target) and the second one. Scalar: these are calls into the C library.
#include <algorithm>
#include <array>
#include <string_view>

#include "simulator/isa/ops/fp_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

template <size_t N>
struct FixedString {
  std::array<char, N> chars = {};
  constexpr FixedString() = default;
  constexpr FixedString(const char (&text)[N]) {
    std::copy_n(text, N, chars.begin());
  }  // NOLINT(google-explicit-constructor)
  constexpr std::string_view view() const { return {chars.data(), N - 1}; }
};
template <size_t A, size_t B>
constexpr FixedString<A + B - 1> operator+(const FixedString<A>& a, const FixedString<B>& b) {
  FixedString<A + B - 1> out;
  std::copy_n(a.chars.begin(), A - 1, out.chars.begin());
  std::copy_n(b.chars.begin(), B, out.chars.begin() + (A - 1));
  return out;
}
template <size_t N>
constexpr auto libdevice_name(const FixedString<N>& base) {
  return FixedString("__nv_") + base;
}

template <class... T>
inline constexpr bool kAnyDouble = (std::is_same_v<T, double> || ...);

template <FixedString Base, auto F, class Signature = decltype(F)>
struct Function;
template <FixedString Base, auto F, class R, class... Args>
struct Function<Base, F, R (*)(Args...)> {
  static constexpr auto kName = libdevice_name(Base);
  static constexpr Spec spec{
      .mnemonic = kName.view(), .syntax = "call of a mathematical function", .section = "CUDA Mathematical Functions"};
  using types = Types<Ty::none>;
  static constexpr bool kScalarOnly = true;
  static constexpr Lat latency(Ty) { return kAnyDouble<R, Args...> ? Lat::libm64 : Lat::libm32; }
  template <class...>
  static R eval(Mods, Args... args) {
    return F(args...);
  }
};

// Registers a function's double version (__nv_exp) and the float version (__nv_expf) that computes in double and
// rounds: within half an ulp or so of exact, and the same on machines whose C libraries differ in the last place of a
// double.
template <double (*F)(double)>
inline float in_double(float x) {
  return canonical(static_cast<float>(F(x)));
}
template <double (*F)(double, double)>
inline float in_double(float x, float y) {
  return canonical(static_cast<float>(F(x, y)));
}
template <FixedString Base, double (*F)(double)>
struct Both1
    : OpList<Function<Base, F>, Function<Base + FixedString("f"), static_cast<float (*)(float)>(in_double<F>)>> {};
template <FixedString Base, double (*F)(double, double)>
struct Both2
    : OpList<Function<Base, F>, Function<Base + FixedString("f"), static_cast<float (*)(float, float)>(in_double<F>)>> {
};

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
