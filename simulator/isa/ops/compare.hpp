#pragma once
// Comparison and selection (PTX ISA 9.0, 9.7.6): setp, set, selp, slct.
#include "simulator/isa/ops/fp_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// a cmp b. The ordered float comparisons are false with a NaN, the `u` forms true; lo/ls/hi/hs are unsigned
// lt/le/gt/ge.
template <class T>
constexpr bool compare(Cmp cmp, T a, T b) {
  const bool unordered = a != a || b != b;
  switch (cmp) {
    case Cmp::eq: return a == b;
    case Cmp::ne: return !unordered && a != b;
    case Cmp::lt:
    case Cmp::lo: return a < b;
    case Cmp::le:
    case Cmp::ls: return a <= b;
    case Cmp::gt:
    case Cmp::hi: return a > b;
    case Cmp::ge:
    case Cmp::hs: return a >= b;
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

constexpr bool combine(BoolOp op, bool t, bool c) {
  switch (op) {
    case BoolOp::and_: return t && c;
    case BoolOp::or_: return t || c;
    case BoolOp::xor_: return t != c;
    case BoolOp::none: return t;
  }
  return t;
}

// Runs `with` with the comparison fixed at compile time: the lane loop must not branch per lane.
template <Cmp C, class With>
[[gnu::always_inline]] inline void with_cmp(const Mods& m, With with) {
  with([m] {
    Mods fixed = m;
    fixed.cmp = C;
    return fixed;
  });
}
template <class With>
[[gnu::always_inline]] inline void dispatch_cmp(const Mods& m, With with) {
  switch (m.cmp) {
    case Cmp::eq: return with_cmp<Cmp::eq>(m, with);
    case Cmp::ne: return with_cmp<Cmp::ne>(m, with);
    case Cmp::lt:
    case Cmp::lo: return with_cmp<Cmp::lt>(m, with);
    case Cmp::le:
    case Cmp::ls: return with_cmp<Cmp::le>(m, with);
    case Cmp::gt:
    case Cmp::hi: return with_cmp<Cmp::gt>(m, with);
    case Cmp::ge:
    case Cmp::hs: return with_cmp<Cmp::ge>(m, with);
    case Cmp::equ: return with_cmp<Cmp::equ>(m, with);
    case Cmp::neu: return with_cmp<Cmp::neu>(m, with);
    case Cmp::ltu: return with_cmp<Cmp::ltu>(m, with);
    case Cmp::leu: return with_cmp<Cmp::leu>(m, with);
    case Cmp::gtu: return with_cmp<Cmp::gtu>(m, with);
    case Cmp::geu: return with_cmp<Cmp::geu>(m, with);
    case Cmp::num: return with_cmp<Cmp::num>(m, with);
    case Cmp::nan:
    case Cmp::none: return with_cmp<Cmp::nan>(m, with);
  }
}
// The six comparisons of integers.
template <class With>
[[gnu::always_inline]] inline void dispatch_int_cmp(const Mods& m, With with) {
  switch (m.cmp) {
    case Cmp::eq:
    case Cmp::equ: return with_cmp<Cmp::eq>(m, with);
    case Cmp::ne:
    case Cmp::neu: return with_cmp<Cmp::ne>(m, with);
    case Cmp::lt:
    case Cmp::lo:
    case Cmp::ltu: return with_cmp<Cmp::lt>(m, with);
    case Cmp::le:
    case Cmp::ls:
    case Cmp::leu: return with_cmp<Cmp::le>(m, with);
    case Cmp::gt:
    case Cmp::hi:
    case Cmp::gtu: return with_cmp<Cmp::gt>(m, with);
    case Cmp::ge:
    case Cmp::hs:
    case Cmp::geu: return with_cmp<Cmp::ge>(m, with);
    case Cmp::num:
    case Cmp::nan:
    case Cmp::none: break;  // refused by cmp_suits
  }
}

// Bit types know eq and ne, signed types the ordered six, unsigned types also lo ls hi hs, floats all but these.
constexpr bool cmp_suits(Cmp cmp, Ty type) {
  if (cmp == Cmp::eq || cmp == Cmp::ne) {
    return true;
  }
  if (type == Ty::b16 || type == Ty::b32 || type == Ty::b64) {
    return false;
  }
  const bool is_unsigned_form = cmp == Cmp::lo || cmp == Cmp::ls || cmp == Cmp::hi || cmp == Cmp::hs;
  const bool is_ordered_form = cmp == Cmp::lt || cmp == Cmp::le || cmp == Cmp::gt || cmp == Cmp::ge;
  if (type >= Ty::f16 && type <= Ty::f64) {
    return !is_unsigned_form;
  }
  return is_ordered_form || (is_unsigned_form && (type == Ty::u16 || type == Ty::u32 || type == Ty::u64));
}
inline bool setp_legal(const Mods& m, Ty type, Ty) { return cmp_suits(m.cmp, type); }
inline bool set_legal(const Mods& m, Ty, Ty type) { return cmp_suits(m.cmp, type); }

using CompareInts = Types<Ty::b16, Ty::b32, Ty::b64, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32, Ty::s64>;

template <class T>
inline T compare_in(Mods m, T x) {
  if constexpr (std::is_same_v<T, float>) {
    return flush_in(m, x);
  } else {
    return x;
  }
}
template <class T>
inline OrNot setp(Mods m, T a, T b) {
  return {compare(m.cmp, compare_in(m, a), compare_in(m, b))};
}
template <class T>
inline Two<bool, bool> setp(Mods m, T a, T b, bool c) {
  const bool t = compare(m.cmp, compare_in(m, a), compare_in(m, b));
  return {combine(m.boolop, t, c), combine(m.boolop, !t, c)};
}

struct PerIntCmp {
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    dispatch_int_cmp(m, with);
  }
};
struct PerCmp {
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    dispatch_cmp(m, with);
  }
};

struct SetpInt : PerIntCmp {
  static constexpr Spec spec{.mnemonic = "setp",
                             .syntax = "setp.CmpOp.type p[|q], a, b",
                             .section = "Comparison and Selection: setp",
                             .accept = Accept::cmp,
                             .legal = setp_legal};
  using types = CompareInts;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static OrNot eval(Mods m, T a, T b) {
    return setp(m, a, b);
  }
};
struct SetpIntBool : PerIntCmp {
  static constexpr Spec spec{.mnemonic = "setp",
                             .syntax = "setp.CmpOp.BoolOp.type p[|q], a, b, {!}c",
                             .section = "Comparison and Selection: setp",
                             .accept = Accept::cmp | Accept::boolop,
                             .legal = setp_legal};
  using types = CompareInts;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static Two<bool, bool> eval(Mods m, T a, T b, bool c) {
    return setp(m, a, b, c);
  }
};
struct SetpF32 : PerCmp {
  static constexpr Spec spec{.mnemonic = "setp",
                             .syntax = "setp.CmpOp{.ftz}.f32 p[|q], a, b",
                             .section = "Comparison and Selection: setp",
                             .accept = Accept::cmp | Accept::ftz,
                             .legal = setp_legal};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static OrNot eval(Mods m, T a, T b) {
    return setp(m, a, b);
  }
};
struct SetpF32Bool : PerCmp {
  static constexpr Spec spec{.mnemonic = "setp",
                             .syntax = "setp.CmpOp.BoolOp{.ftz}.f32 p[|q], a, b, {!}c",
                             .section = "Comparison and Selection: setp",
                             .accept = Accept::cmp | Accept::boolop | Accept::ftz,
                             .legal = setp_legal};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static Two<bool, bool> eval(Mods m, T a, T b, bool c) {
    return setp(m, a, b, c);
  }
};
struct SetpF64 : PerCmp {
  static constexpr Spec spec{.mnemonic = "setp",
                             .syntax = "setp.CmpOp.f64 p[|q], a, b",
                             .section = "Comparison and Selection: setp",
                             .accept = Accept::cmp,
                             .min_sm = 13,
                             .legal = setp_legal};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static OrNot eval(Mods m, T a, T b) {
    return setp(m, a, b);
  }
};
struct SetpF64Bool : PerCmp {
  static constexpr Spec spec{.mnemonic = "setp",
                             .syntax = "setp.CmpOp.BoolOp.f64 p[|q], a, b, {!}c",
                             .section = "Comparison and Selection: setp",
                             .accept = Accept::cmp | Accept::boolop,
                             .min_sm = 13,
                             .legal = setp_legal};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static Two<bool, bool> eval(Mods m, T a, T b, bool c) {
    return setp(m, a, b, c);
  }
};

// True is all ones for an integer destination, 1.0 for a floating-point one.
template <class D>
constexpr D truth(bool t) {
  if constexpr (std::is_same_v<D, F16>) {
    return {static_cast<uint16_t>(t ? 0x3c00 : 0)};
  } else if constexpr (std::is_same_v<D, BF16>) {
    return {static_cast<uint16_t>(t ? 0x3f80 : 0)};
  } else {
    return t ? (std::is_same_v<D, float> ? D{1} : static_cast<D>(-1)) : D{0};
  }
}
template <Ty D>
using SetTypesTo = TypePairs<TypePair<D, Ty::b16>, TypePair<D, Ty::b32>, TypePair<D, Ty::b64>, TypePair<D, Ty::u16>,
                             TypePair<D, Ty::u32>, TypePair<D, Ty::u64>, TypePair<D, Ty::s16>, TypePair<D, Ty::s32>,
                             TypePair<D, Ty::s64>, TypePair<D, Ty::f64>>;

// set leaves its per-lane switch over the comparison in a scalar loop: nothing emits it in quantity.
struct RareSet {
  static constexpr bool kScalarOnly = true;
};
template <Ty D>
struct Set : RareSet {
  static constexpr Spec spec{.mnemonic = "set",
                             .syntax = "set.CmpOp.dtype.stype d, a, b",
                             .section = "Comparison and Selection: set",
                             .accept = Accept::cmp,
                             .legal = set_legal};
  using types = SetTypesTo<D>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class R, class T>
  static R eval(Mods m, T a, T b) {
    return truth<R>(compare(m.cmp, a, b));
  }
};
template <Ty D>
struct SetBool : RareSet {
  static constexpr Spec spec{.mnemonic = "set",
                             .syntax = "set.CmpOp.BoolOp.dtype.stype d, a, b, {!}c",
                             .section = "Comparison and Selection: set",
                             .accept = Accept::cmp | Accept::boolop,
                             .legal = set_legal};
  using types = SetTypesTo<D>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class R, class T>
  static R eval(Mods m, T a, T b, bool c) {
    return truth<R>(combine(m.boolop, compare(m.cmp, a, b), c));
  }
};
using SetF32Types = TypePairs<TypePair<Ty::u32, Ty::f32>, TypePair<Ty::s32, Ty::f32>, TypePair<Ty::f32, Ty::f32>>;
struct SetF32 : RareSet {
  static constexpr Spec spec{.mnemonic = "set",
                             .syntax = "set.CmpOp{.ftz}.dtype.f32 d, a, b",
                             .section = "Comparison and Selection: set",
                             .accept = Accept::cmp | Accept::ftz,
                             .legal = set_legal};
  using types = SetF32Types;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class R, class T>
  static R eval(Mods m, T a, T b) {
    return truth<R>(compare(m.cmp, flush_in(m, a), flush_in(m, b)));
  }
};
struct SetF32Bool : RareSet {
  static constexpr Spec spec{.mnemonic = "set",
                             .syntax = "set.CmpOp.BoolOp{.ftz}.dtype.f32 d, a, b, {!}c",
                             .section = "Comparison and Selection: set",
                             .accept = Accept::cmp | Accept::boolop | Accept::ftz,
                             .legal = set_legal};
  using types = SetF32Types;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class R, class T>
  static R eval(Mods m, T a, T b, bool c) {
    return truth<R>(combine(m.boolop, compare(m.cmp, flush_in(m, a), flush_in(m, b)), c));
  }
};

struct Selp {
  static constexpr Spec spec{
      .mnemonic = "selp", .syntax = "selp.type d, a, b, c", .section = "Comparison and Selection: selp"};
  using types =
      Types<Ty::b16, Ty::b32, Ty::b64, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32, Ty::s64, Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, bool c) {
    return c ? a : b;
  }
};

template <Ty C>
using SlctTypesBy = TypePairs<TypePair<Ty::b16, C>, TypePair<Ty::b32, C>, TypePair<Ty::b64, C>, TypePair<Ty::u16, C>,
                              TypePair<Ty::u32, C>, TypePair<Ty::u64, C>, TypePair<Ty::s16, C>, TypePair<Ty::s32, C>,
                              TypePair<Ty::s64, C>, TypePair<Ty::f32, C>, TypePair<Ty::f64, C>>;
struct SlctS32 {
  static constexpr Spec spec{
      .mnemonic = "slct", .syntax = "slct.dtype.s32 d, a, b, c", .section = "Comparison and Selection: slct"};
  using types = SlctTypesBy<Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T, class C>
  static constexpr T eval(Mods, T a, T b, C c) {
    return c >= 0 ? a : b;
  }
};
struct SlctF32 {  // NaN selects b
  static constexpr Spec spec{.mnemonic = "slct",
                             .syntax = "slct{.ftz}.dtype.f32 d, a, b, c",
                             .section = "Comparison and Selection: slct",
                             .accept = Accept::ftz};
  using types = SlctTypesBy<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T, class C>
  static T eval(Mods m, T a, T b, C c) {
    return flush_in(m, c) >= 0 ? a : b;
  }
};

using CompareOps =
    OpList<SetpInt, SetpIntBool, SetpF32, SetpF32Bool, SetpF64, SetpF64Bool, Set<Ty::u32>, Set<Ty::s32>, Set<Ty::f32>,
           SetBool<Ty::u32>, SetBool<Ty::s32>, SetBool<Ty::f32>, SetF32, SetF32Bool, Selp, SlctS32, SlctF32>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
