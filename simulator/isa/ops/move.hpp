#pragma once
// mov (PTX ISA 9.0, 9.7.9). Packing and unpacking are ops of their own, "mov.packN" and "mov.unpackN": the number of
// elements is written in the operand, not in the suffixes. The ir room chooses them when it sees a vector operand.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Register copies vanish in machine code.
struct Mov {
  static constexpr Spec spec{.mnemonic = "mov", .syntax = "mov.type d, a", .section = "Data Movement: mov"};
  using types = Types<Ty::pred, Ty::b16, Ty::b32, Ty::b64, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32, Ty::s64,
                      Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    return a;
  }
  static constexpr LaneMask eval_mask(LaneMask a) { return a; }
};

template <class T, int N>
using Element = std::conditional_t<8 * sizeof(T) / N == 32, uint32_t, uint16_t>;

struct MovPack2 {
  static constexpr Spec spec{.mnemonic = "mov.pack2", .syntax = "mov.type d, {a, b}", .section = "Data Movement: mov"};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr T eval(Mods, Element<T, 2> a, Element<T, 2> b) {
    return static_cast<T>(T{a} | (T{b} << (4 * sizeof(T))));
  }
};
struct MovPack4 {
  static constexpr Spec spec{
      .mnemonic = "mov.pack4", .syntax = "mov.b64 d, {a, b, c, d}", .section = "Data Movement: mov"};
  using types = Types<Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr T eval(Mods, uint16_t a, uint16_t b, uint16_t c, uint16_t d) {
    return T{a} | (T{b} << 16) | (T{c} << 32) | (T{d} << 48);
  }
};
struct MovUnpack2 {
  static constexpr Spec spec{
      .mnemonic = "mov.unpack2", .syntax = "mov.type {d, e}, a", .section = "Data Movement: mov"};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr Two<Element<T, 2>, Element<T, 2>> eval(Mods, T a) {
    return {static_cast<Element<T, 2>>(a), static_cast<Element<T, 2>>(a >> (4 * sizeof(T)))};
  }
};
struct MovUnpack4 {
  static constexpr Spec spec{
      .mnemonic = "mov.unpack4", .syntax = "mov.b64 {d, e, f, g}, a", .section = "Data Movement: mov"};
  using types = Types<Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr Four<uint16_t> eval(Mods, T a) {
    return {{static_cast<uint16_t>(a), static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(a >> 32),
             static_cast<uint16_t>(a >> 48)}};
  }
};

using MoveOps = OpList<Mov, MovPack2, MovPack4, MovUnpack2, MovUnpack4>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
