#pragma once
// Integer arithmetic on packed halves, and min/max with .relu (PTX ISA 9.0, 9.7.1: add, min, max).
#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Applies f to the low and the high halves; the sign of T is that of the halves.
template <class T, class F>
constexpr T per_int_half(T a, T b, F f) {
  using Half = std::conditional_t<std::is_signed_v<T>, int16_t, uint16_t>;
  const auto part = [](T word, int i) { return static_cast<Half>(static_cast<uint32_t>(word) >> (16 * i)); };
  const auto joined = [](int32_t low, int32_t high) {
    return (static_cast<uint32_t>(low) & 0xffffu) | static_cast<uint32_t>(high) << 16;
  };
  return static_cast<T>(joined(f(part(a, 0), part(b, 0)), f(part(a, 1), part(b, 1))));
}
constexpr int32_t relu_of(bool relu, int32_t x) { return relu && x < 0 ? 0 : x; }

struct PackedInt {
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
};
struct AddPackedInt : PackedInt {
  static constexpr Spec spec{.mnemonic = "add",
                             .syntax = "add.type d, a, b",
                             .section = "Integer Arithmetic: add",
                             .min_ptx = 80,
                             .min_sm = 90};
  using types = Types<Ty::u16x2, Ty::s16x2>;
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return per_int_half(a, b, [](int32_t x, int32_t y) { return x + y; });
  }
};
static_assert(AddPackedInt::eval<uint32_t>({}, 0xffff'0001u, 0x0001'ffffu) == 0);

inline bool relu_is_signed(const Mods& m, Ty type, Ty) { return !m.relu || type == Ty::s16x2; }
struct MinPackedInt : PackedInt {
  static constexpr Spec spec{.mnemonic = "min",
                             .syntax = "min{.relu}.type d, a, b",
                             .section = "Integer Arithmetic: min",
                             .accept = Accept::relu,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = relu_is_signed};
  using types = Types<Ty::u16x2, Ty::s16x2>;
  template <class T>
  static constexpr T eval(Mods m, T a, T b) {
    return per_int_half(a, b, [m](int32_t x, int32_t y) { return relu_of(m.relu, y < x ? y : x); });
  }
};
struct MaxPackedInt : PackedInt {
  static constexpr Spec spec{.mnemonic = "max",
                             .syntax = "max{.relu}.type d, a, b",
                             .section = "Integer Arithmetic: max",
                             .accept = Accept::relu,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = relu_is_signed};
  using types = Types<Ty::u16x2, Ty::s16x2>;
  template <class T>
  static constexpr T eval(Mods m, T a, T b) {
    return per_int_half(a, b, [m](int32_t x, int32_t y) { return relu_of(m.relu, x < y ? y : x); });
  }
};
struct MinRelu : PackedInt {
  static constexpr Spec spec{.mnemonic = "min",
                             .fixed = "relu",
                             .syntax = "min.relu.s32 d, a, b",
                             .section = "Integer Arithmetic: min",
                             .min_ptx = 80,
                             .min_sm = 90};
  using types = Types<Ty::s32>;
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return relu_of(true, b < a ? b : a);
  }
};
struct MaxRelu : PackedInt {
  static constexpr Spec spec{.mnemonic = "max",
                             .fixed = "relu",
                             .syntax = "max.relu.s32 d, a, b",
                             .section = "Integer Arithmetic: max",
                             .min_ptx = 80,
                             .min_sm = 90};
  using types = Types<Ty::s32>;
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return relu_of(true, a < b ? b : a);
  }
};

using PackedIntOps = OpList<AddPackedInt, MinPackedInt, MaxPackedInt, MinRelu, MaxRelu>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
