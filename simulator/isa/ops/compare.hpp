#pragma once
// Comparison and selection (PTX ISA 9.0, 9.7.6): setp, set, selp, slct.
#include <cmath>

#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// a cmp b. The ordered float comparisons are false with a NaN, the `u` forms true; lo/ls/hi/hs are unsigned lt/le/gt/ge.
template <class T>
constexpr bool compare(Cmp cmp, T a, T b) {
  const bool unordered = a != a || b != b;
  switch (cmp) {
    case Cmp::eq: return a == b;
    case Cmp::ne: return !unordered && a != b;
    case Cmp::lt: case Cmp::lo: return a < b;
    case Cmp::le: case Cmp::ls: return a <= b;
    case Cmp::gt: case Cmp::hi: return a > b;
    case Cmp::ge: case Cmp::hs: return a >= b;
    case Cmp::equ: return unordered || a == b;
    case Cmp::neu: return unordered || a != b;
    case Cmp::ltu: return unordered || a < b;
    case Cmp::leu: return unordered || a <= b;
    case Cmp::gtu: return unordered || a > b;
    case Cmp::geu: return unordered || a >= b;
    case Cmp::num: return !unordered;
    case Cmp::nan: return unordered;
    case Cmp::none: return false;
  }
  return false;
}

// Runs `with` with the comparison fixed at compile time: the lane loop must not branch per lane.
template <class With>
inline void dispatch_cmp(Mods m, With with) {
  switch (m.cmp) {
    case Cmp::eq: return with(FixedMods<Mods{.cmp = Cmp::eq}>{});
    case Cmp::ne: return with(FixedMods<Mods{.cmp = Cmp::ne}>{});
    case Cmp::lt: case Cmp::lo: return with(FixedMods<Mods{.cmp = Cmp::lt}>{});
    case Cmp::le: case Cmp::ls: return with(FixedMods<Mods{.cmp = Cmp::le}>{});
    case Cmp::gt: case Cmp::hi: return with(FixedMods<Mods{.cmp = Cmp::gt}>{});
    case Cmp::ge: case Cmp::hs: return with(FixedMods<Mods{.cmp = Cmp::ge}>{});
    case Cmp::equ: case Cmp::neu: case Cmp::ltu: case Cmp::leu: case Cmp::gtu: case Cmp::geu:
    case Cmp::num: case Cmp::nan: case Cmp::none: return with([m] { return m; });
  }
}

struct SetpInt {
  static constexpr Spec spec{.mnemonic = "setp", .syntax = "setp.CmpOp.type p[|q], a, b",
                             .section = "Comparison and Selection: setp", .accept = Accept::cmp};
  using types = Types<Ty::b16, Ty::b32, Ty::b64, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32, Ty::s64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr bool kHasDispatch = true;
  template <class With>
  static void dispatch(Mods m, With with) { dispatch_cmp(m, with); }
  template <class T>
  static constexpr Two<bool, bool> eval(Mods m, T a, T b) {
    const bool t = compare(m.cmp, a, b);
    return {t, !t};
  }
};

struct Selp {
  static constexpr Spec spec{
      .mnemonic = "selp", .syntax = "selp.type d, a, b, c", .section = "Comparison and Selection: selp"};
  using types = Types<Ty::b16, Ty::b32, Ty::b64, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32, Ty::s64, Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, bool c) { return c ? a : b; }
};

using CompareOps = OpList<SetpInt, Selp>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
