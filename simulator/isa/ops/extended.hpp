#pragma once
// Extended-precision integer arithmetic (PTX ISA 9.0, 9.7.2): one carry flag CC.CF per thread, written by the .cc
// forms, read by addc, subc and madc. A subtraction is a + ~b + 1 and its flag the carry out of that sum, so a set flag
// means "no borrow". The manual speaks of a borrow, which is the same to a chain of subtractions, but nvcc's 128-bit
// division reads the flag of subc.cc with addc and relies on the adder's carry.
#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

using CarryTypes = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
// What reads the flag but does not write it has 16-bit forms as well: the manual names none, ptxas assembles them.
using CarryInTypes = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32, Ty::u64, Ty::s64>;

// a + b + carry, and the carry out of the top bit.
template <class T>
constexpr WithCarry<T> add_carry(T a, T b, bool carry) {
  using U = std::make_unsigned_t<T>;
  const U sum = static_cast<U>(static_cast<U>(a) + static_cast<U>(b));
  const U total = static_cast<U>(sum + static_cast<U>(carry));
  return {static_cast<T>(total), sum < static_cast<U>(a) || total < sum};
}
// a + ~b + carry: a - b when the carry is set, one less when it is not; and the carry out.
template <class T>
constexpr WithCarry<T> sub_carry(T a, T b, bool carry) {
  return add_carry(a, static_cast<T>(~b), carry);
}

struct AddCc {
  static constexpr Spec spec{.mnemonic = "add",
                             .fixed = "cc",
                             .syntax = "add.cc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: add.cc",
                             .min_ptx = 12};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b) {
    return add_carry(a, b, false);
  }
};
struct Addc {
  static constexpr Spec spec{.mnemonic = "addc",
                             .syntax = "addc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: addc",
                             .min_ptx = 12};
  using types = CarryInTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, Carry in) {
    return add_carry(a, b, in.bit).value;
  }
};
struct AddcCc {
  static constexpr Spec spec{.mnemonic = "addc",
                             .fixed = "cc",
                             .syntax = "addc.cc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: addc",
                             .min_ptx = 12};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b, Carry in) {
    return add_carry(a, b, in.bit);
  }
};
struct SubCc {
  static constexpr Spec spec{.mnemonic = "sub",
                             .fixed = "cc",
                             .syntax = "sub.cc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: sub.cc",
                             .min_ptx = 12};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b) {
    return sub_carry(a, b, true);
  }
};
struct Subc {
  static constexpr Spec spec{.mnemonic = "subc",
                             .syntax = "subc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: subc",
                             .min_ptx = 12};
  using types = CarryInTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, Carry in) {
    return sub_carry(a, b, in.bit).value;
  }
};
struct SubcCc {
  static constexpr Spec spec{.mnemonic = "subc",
                             .fixed = "cc",
                             .syntax = "subc.cc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: subc",
                             .min_ptx = 12};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b, Carry in) {
    return sub_carry(a, b, in.bit);
  }
};

// The carry of a multiply-add is that of its addition.
struct MadLoCc {
  static constexpr Spec spec{.mnemonic = "mad",
                             .fixed = "lo cc",
                             .syntax = "mad.lo.cc.type d, a, b, c",
                             .section = "Extended-Precision Integer Arithmetic: mad.cc",
                             .min_ptx = 30,
                             .min_sm = 20};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b, T c) {
    return add_carry(mul_lo(a, b), c, false);
  }
};
struct MadHiCc {
  static constexpr Spec spec{.mnemonic = "mad",
                             .fixed = "hi cc",
                             .syntax = "mad.hi.cc.type d, a, b, c",
                             .section = "Extended-Precision Integer Arithmetic: mad.cc",
                             .min_ptx = 30,
                             .min_sm = 20};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b, T c) {
    return add_carry(mul_hi(a, b), c, false);
  }
};
struct MadcLo {
  static constexpr Spec spec{.mnemonic = "madc",
                             .fixed = "lo",
                             .syntax = "madc.lo.type d, a, b, c",
                             .section = "Extended-Precision Integer Arithmetic: madc",
                             .min_ptx = 30,
                             .min_sm = 20};
  using types = CarryInTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c, Carry in) {
    return add_carry(mul_lo(a, b), c, in.bit).value;
  }
};
struct MadcHi {
  static constexpr Spec spec{.mnemonic = "madc",
                             .fixed = "hi",
                             .syntax = "madc.hi.type d, a, b, c",
                             .section = "Extended-Precision Integer Arithmetic: madc",
                             .min_ptx = 30,
                             .min_sm = 20};
  using types = CarryInTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c, Carry in) {
    if constexpr (sizeof(T) == 2) {  // the machine instruction of 32 bits: its upper half (measured on an H200)
      using Word = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
      return static_cast<T>(add_carry<Word>(mul_hi<Word>(a, b), c, in.bit).value);
    } else {
      return add_carry(mul_hi(a, b), c, in.bit).value;
    }
  }
};
struct MadcLoCc {
  static constexpr Spec spec{.mnemonic = "madc",
                             .fixed = "lo cc",
                             .syntax = "madc.lo.cc.type d, a, b, c",
                             .section = "Extended-Precision Integer Arithmetic: madc",
                             .min_ptx = 30,
                             .min_sm = 20};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b, T c, Carry in) {
    return add_carry(mul_lo(a, b), c, in.bit);
  }
};
struct MadcHiCc {
  static constexpr Spec spec{.mnemonic = "madc",
                             .fixed = "hi cc",
                             .syntax = "madc.hi.cc.type d, a, b, c",
                             .section = "Extended-Precision Integer Arithmetic: madc",
                             .min_ptx = 30,
                             .min_sm = 20};
  using types = CarryTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b, T c, Carry in) {
    return add_carry(mul_hi(a, b), c, in.bit);
  }
};

using ExtendedOps =
    OpList<AddCc, Addc, AddcCc, SubCc, Subc, SubcCc, MadLoCc, MadHiCc, MadcLo, MadcHi, MadcLoCc, MadcHiCc>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
