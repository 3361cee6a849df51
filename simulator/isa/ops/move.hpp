#pragma once
// mov (PTX ISA 9.0, 9.7.9). Packing and unpacking are ops of their own, "mov.packN" and "mov.unpackN": the number of
// elements is written in the operand, not in the suffixes. The ir room chooses them when it sees a vector operand.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Register copies vanish in machine code.
struct Mov {
  static constexpr Spec spec{.mnemonic = "mov", .syntax = "mov.type d, a", .section = "Data Movement: mov"};
  using types = Types<Ty::pred, Ty::b16, Ty::b32, Ty::b64, Ty::b128, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32,
                      Ty::s64, Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    return a;
  }
  static constexpr LaneMask eval_mask(LaneMask a) { return a; }
};

// The N elements of T. Bytes live in registers of 16 bits, of which the upper half does not count.
template <class T, int N>
inline constexpr int kElementWidth = 8 * sizeof(T) / N;
template <class T, int N>
using Element = std::conditional_t<kElementWidth<T, N> == 64, uint64_t,
                                   std::conditional_t<kElementWidth<T, N> == 32, uint32_t, uint16_t>>;
template <class T, int N>
constexpr T joined(std::array<Element<T, N>, N> parts) {
  if constexpr (std::is_same_v<T, B128>) {
    using Half = std::array<Element<T, N>, N / 2>;
    if constexpr (N == 2) {
      return {parts[0], parts[1]};
    } else {
      return {joined<uint64_t, N / 2>(Half{parts[0], parts[1]}), joined<uint64_t, N / 2>(Half{parts[2], parts[3]})};
    }
  } else {
    constexpr uint64_t kMask = ~uint64_t{0} >> (64 - kElementWidth<T, N>);
    uint64_t whole = 0;
    for (int i = 0; i < N; ++i) {
      whole |= (uint64_t{parts[static_cast<size_t>(i)]} & kMask) << (kElementWidth<T, N> * i);
    }
    return static_cast<T>(whole);
  }
}
template <class T, int N>
constexpr Element<T, N> element(T whole, int i) {
  constexpr int kWidth = kElementWidth<T, N>;
  if constexpr (std::is_same_v<T, B128>) {
    return static_cast<Element<T, N>>((kWidth * i < 64 ? whole.low : whole.high) >> (kWidth * i % 64));
  } else {
    constexpr uint64_t kMask = ~uint64_t{0} >> (64 - kWidth);
    return static_cast<Element<T, N>>((uint64_t{whole} >> (kWidth * i)) & kMask);
  }
}
using PairTypes = Types<Ty::b16, Ty::b32, Ty::b64, Ty::b128>;
using QuadTypes = Types<Ty::b32, Ty::b64, Ty::b128>;

struct MovPack2 {
  static constexpr Spec spec{.mnemonic = "mov.pack2", .syntax = "mov.type d, {a, b}", .section = "Data Movement: mov"};
  using types = PairTypes;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr T eval(Mods, Element<T, 2> a, Element<T, 2> b) {
    return joined<T, 2>({a, b});
  }
};
struct MovPack4 {
  static constexpr Spec spec{
      .mnemonic = "mov.pack4", .syntax = "mov.type d, {a, b, c, d}", .section = "Data Movement: mov"};
  using types = QuadTypes;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr T eval(Mods, Element<T, 4> a, Element<T, 4> b, Element<T, 4> c, Element<T, 4> d) {
    return joined<T, 4>({a, b, c, d});
  }
};
struct MovUnpack2 {
  static constexpr Spec spec{
      .mnemonic = "mov.unpack2", .syntax = "mov.type {d, e}, a", .section = "Data Movement: mov"};
  using types = PairTypes;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr Two<Element<T, 2>, Element<T, 2>> eval(Mods, T a) {
    return {element<T, 2>(a, 0), element<T, 2>(a, 1)};
  }
};
struct MovUnpack4 {
  static constexpr Spec spec{
      .mnemonic = "mov.unpack4", .syntax = "mov.type {d, e, f, g}, a", .section = "Data Movement: mov"};
  using types = QuadTypes;
  static constexpr Lat latency(Ty) { return Lat::none; }
  template <class T>
  static constexpr Four<Element<T, 4>> eval(Mods, T a) {
    return {{element<T, 4>(a, 0), element<T, 4>(a, 1), element<T, 4>(a, 2), element<T, 4>(a, 3)}};
  }
};

// The same place in the shared memory of the block of rank b (isa/types.hpp has the form of such addresses). A rank
// that no cluster has gives an address that no access accepts.
struct Mapa {
  static constexpr Spec spec{.mnemonic = "mapa",
                             .syntax = "mapa{.shared::cluster}.type d, a, b",
                             .section = "Data Movement: mapa",
                             .ignored = "shared::cluster",
                             .min_ptx = 78,
                             .min_sm = 90};
  using types = Types<Ty::u32, Ty::u64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, uint32_t b) {
    const uint64_t rank = b < kMostSharedRank ? b : kMostSharedRank;
    const uint64_t in_cluster = (rank + 1) << kSharedRankShift | (a & kSharedOffsetMask);
    return static_cast<T>(sizeof(T) == sizeof(uint64_t) ? kSharedWindow + in_cluster : in_cluster);
  }
};

using MoveOps = OpList<Mov, MovPack2, MovPack4, MovUnpack2, MovUnpack4, Mapa>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
