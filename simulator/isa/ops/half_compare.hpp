#pragma once
// Comparison of and into half precision (PTX ISA 9.0, 9.7.6 set, 9.7.7 set, setp): f16, bf16 and their packed pairs.
#include "simulator/isa/ops/compare.hpp"
#include "simulator/isa/ops/half_arith.hpp"
#include "simulator/isa/ops/type_lists.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// One value has one predicate (ptxas knows no complement); packed types have those of the low and the high halves.
inline bool half_setp_legal(const Mods& m, Ty t, Ty u) { return setp_legal(m, t, u) && half_min_max_legal(m, t, u); }
constexpr Spec setp_half_spec(std::string_view syntax, Accept more = Accept::nothing) {
  return {.mnemonic = "setp",
          .syntax = syntax,
          .section = "Half Precision Comparison: setp",
          .accept = Accept::cmp | Accept::ftz | more,
          .min_ptx = 42,
          .min_sm = 53,
          .legal = half_setp_legal};
}
struct SetpHalf {
  static constexpr Spec spec = setp_half_spec("setp.CmpOp{.ftz}.type p, a, b");
  using types = Types<Ty::f16, Ty::bf16>;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static bool eval(Mods m, T a, T b) {
    return compare(m.cmp, half_in(m, a), half_in(m, b));
  }
};
struct SetpHalfBool {
  static constexpr Spec spec = setp_half_spec("setp.CmpOp.BoolOp{.ftz}.type p, a, b, {!}c", Accept::boolop);
  using types = Types<Ty::f16, Ty::bf16>;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static bool eval(Mods m, T a, T b, bool c) {
    return combine(m.boolop, compare(m.cmp, half_in(m, a), half_in(m, b)), c);
  }
};
template <class T>
inline Two<bool, bool> packed_setp(Mods m, T a, T b) {
  const auto part = [m](uint32_t bits, int i) {
    return half_in(m, HalfOf<T>{static_cast<uint16_t>(bits >> (16 * i))});
  };
  return {compare(m.cmp, part(a.bits, 0), part(b.bits, 0)), compare(m.cmp, part(a.bits, 1), part(b.bits, 1))};
}
struct SetpPacked {
  static constexpr Spec spec = setp_half_spec("setp.CmpOp{.ftz}.type p[|q], a, b");
  using types = Types<Ty::f16x2, Ty::bf16x2>;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static Two<bool, bool> eval(Mods m, T a, T b) {
    return packed_setp(m, a, b);
  }
};
struct SetpPackedBool {
  static constexpr Spec spec = setp_half_spec("setp.CmpOp.BoolOp{.ftz}.type p[|q], a, b, {!}c", Accept::boolop);
  using types = Types<Ty::f16x2, Ty::bf16x2>;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static Two<bool, bool> eval(Mods m, T a, T b, bool c) {
    const Two<bool, bool> t = packed_setp(m, a, b);
    return {combine(m.boolop, t.first, c), combine(m.boolop, t.second, c)};
  }
};

// set with a half destination from the types of 9.7.6.
inline constexpr std::string_view kSetHalfSyntax = "set.CmpOp{.ftz}.dtype.stype d, a, b";
inline constexpr std::string_view kSetHalfBoolSyntax = "set.CmpOp.BoolOp{.ftz}.dtype.stype d, a, b, {!}c";
constexpr Spec set_half_spec(bool has_bool, Accept more, bool (*legal)(const Mods&, Ty, Ty), int min_ptx, int min_sm) {
  return {.mnemonic = "set",
          .syntax = has_bool ? kSetHalfBoolSyntax : kSetHalfSyntax,
          .section = "Half Precision Comparison: set",
          .accept = Accept::cmp | more | (has_bool ? Accept::boolop : Accept::nothing),
          .min_ptx = min_ptx,
          .min_sm = min_sm,
          .legal = legal};
}
struct SetHalfOfF32 : RareSet {
  static constexpr Spec spec = set_half_spec(
      false, Accept::ftz, [](const Mods& m, Ty d, Ty s) { return set_legal(m, d, s) && (!m.ftz || d == Ty::f16); }, 42,
      53);
  using types = TypePairs<TypePair<Ty::f16, Ty::f32>, TypePair<Ty::bf16, Ty::f32>>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class R, class T>
  static R eval(Mods m, T a, T b) {
    return truth<R>(compare(m.cmp, flush_in(m, a), flush_in(m, b)));
  }
};
struct SetHalfOfF32Bool : RareSet {
  static constexpr Spec spec = set_half_spec(true, Accept::ftz, SetHalfOfF32::spec.legal, 42, 53);
  using types = SetHalfOfF32::types;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class R, class T>
  static R eval(Mods m, T a, T b, bool c) {
    return truth<R>(combine(m.boolop, compare(m.cmp, flush_in(m, a), flush_in(m, b)), c));
  }
};

// set of half operands; .ftz goes with f16 only.
inline bool set_of_half_legal(const Mods& m, Ty d, Ty s) {
  return set_legal(m, d, s) && (!m.ftz || ((s == Ty::f16 || s == Ty::f16x2) && d != Ty::bf16));
}
template <Ty S, Ty... D>
using SetsFrom = TypePairs<TypePair<D, S>...>;
using SetOfHalfTypes = Join<SetsFrom<Ty::f16, Ty::f16, Ty::bf16, Ty::u16, Ty::s16, Ty::u32, Ty::s32>,
                            SetsFrom<Ty::bf16, Ty::bf16, Ty::u16, Ty::s16, Ty::u32, Ty::s32>>::type;
struct SetOfHalf : RareSet {
  static constexpr Spec spec = set_half_spec(false, Accept::ftz, set_of_half_legal, 42, 53);
  using types = SetOfHalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class R, class T>
  static R eval(Mods m, T a, T b) {
    return truth<R>(compare(m.cmp, half_in(m, a), half_in(m, b)));
  }
};
struct SetOfHalfBool : RareSet {
  static constexpr Spec spec = set_half_spec(true, Accept::ftz, set_of_half_legal, 42, 53);
  using types = SetOfHalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class R, class T>
  static R eval(Mods m, T a, T b, bool c) {
    return truth<R>(combine(m.boolop, compare(m.cmp, half_in(m, a), half_in(m, b)), c));
  }
};

// Packed: each half of the result is that of its comparison; an integer half is all ones.
template <class R, class T>
inline R packed_truth(Two<bool, bool> t) {
  uint32_t one = 0xffffu;
  if constexpr (kPacked<R>) {
    one = truth<HalfOf<R>>(true).bits;
  }
  const uint32_t halves = (t.first ? one : 0u) | (t.second ? one << 16 : 0u);
  if constexpr (kPacked<R>) {
    return {halves};
  } else {
    return static_cast<R>(halves);
  }
}
using SetPackedTypes = Join<SetsFrom<Ty::f16x2, Ty::f16x2, Ty::u32, Ty::s32>,
                            SetsFrom<Ty::bf16x2, Ty::bf16x2, Ty::u32, Ty::s32>>::type;
struct SetPacked : RareSet {
  static constexpr Spec spec = set_half_spec(false, Accept::ftz, set_of_half_legal, 42, 53);
  using types = SetPackedTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class R, class T>
  static R eval(Mods m, T a, T b) {
    return packed_truth<R, T>(packed_setp(m, a, b));
  }
};
struct SetPackedBool : RareSet {
  static constexpr Spec spec = set_half_spec(true, Accept::ftz, set_of_half_legal, 42, 53);
  using types = SetPackedTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class R, class T>
  static R eval(Mods m, T a, T b, bool c) {
    const Two<bool, bool> t = packed_setp(m, a, b);
    return packed_truth<R, T>({combine(m.boolop, t.first, c), combine(m.boolop, t.second, c)});
  }
};

using HalfCompareOps =
    OpList<SetpHalf, SetpHalfBool, SetpPacked, SetpPackedBool, Set<Ty::f16>, Set<Ty::bf16>, SetBool<Ty::f16>, SetBool<Ty::bf16>, SetHalfOfF32,
           SetHalfOfF32Bool, SetOfHalf, SetOfHalfBool, SetPacked, SetPackedBool>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
