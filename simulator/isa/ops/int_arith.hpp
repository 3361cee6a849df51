#pragma once
// Integer arithmetic (PTX ISA 9.0, 9.7.1), the part that adds, multiplies and divides. bit_count.hpp has the bit
// counting and field instructions of the same section, extended.hpp those with a carry (9.7.2).
#include <limits>
#include <type_traits>

#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

using IntTypes = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
using SignedTypes = Types<Ty::s16, Ty::s32, Ty::s64>;

struct AddInt {
  static constexpr Spec spec{.mnemonic = "add", .syntax = "add.type d, a, b", .section = "Integer Arithmetic: add"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
  }
};
struct AddSat {
  static constexpr Spec spec{
      .mnemonic = "add", .fixed = "sat", .syntax = "add.sat.s32 d, a, b", .section = "Integer Arithmetic: add"};
  using types = Types<Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return clamp_to<T>(int64_t{a} + b);
  }
};
static_assert(AddSat::eval<int32_t>({}, 2147483647, 1) == 2147483647);

struct SubInt {
  static constexpr Spec spec{.mnemonic = "sub", .syntax = "sub.type d, a, b", .section = "Integer Arithmetic: sub"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
  }
};
struct SubSat {
  static constexpr Spec spec{
      .mnemonic = "sub", .fixed = "sat", .syntax = "sub.sat.s32 d, a, b", .section = "Integer Arithmetic: sub"};
  using types = Types<Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return clamp_to<T>(int64_t{a} - b);
  }
};

struct MulLo {
  static constexpr Spec spec{
      .mnemonic = "mul", .fixed = "lo", .syntax = "mul.lo.type d, a, b", .section = "Integer Arithmetic: mul"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return mul_lo(a, b);
  }
};
struct MulHi {
  static constexpr Spec spec{
      .mnemonic = "mul", .fixed = "hi", .syntax = "mul.hi.type d, a, b", .section = "Integer Arithmetic: mul"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return mul_hi(a, b);
  }
};
static_assert(MulHi::eval<int32_t>({}, -1, 1) == -1 && MulHi::eval<uint64_t>({}, ~0ull, ~0ull) == ~0ull - 1);

struct MulWide {
  static constexpr Spec spec{
      .mnemonic = "mul", .fixed = "wide", .syntax = "mul.wide.type d, a, b", .section = "Integer Arithmetic: mul"};
  using types = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr Twice<T> eval(Mods, T a, T b) {
    return static_cast<Twice<T>>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b));
  }
};

struct MadLo {
  static constexpr Spec spec{
      .mnemonic = "mad", .fixed = "lo", .syntax = "mad.lo.type d, a, b, c", .section = "Integer Arithmetic: mad"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    return AddInt::eval<T>({}, mul_lo(a, b), c);
  }
};
struct MadHi {
  static constexpr Spec spec{
      .mnemonic = "mad", .fixed = "hi", .syntax = "mad.hi.type d, a, b, c", .section = "Integer Arithmetic: mad"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    return AddInt::eval<T>({}, mul_hi(a, b), c);
  }
};
struct MadHiSat {
  static constexpr Spec spec{.mnemonic = "mad",
                             .fixed = "hi sat",
                             .syntax = "mad.hi.sat.s32 d, a, b, c",
                             .section = "Integer Arithmetic: mad"};
  using types = Types<Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    return clamp_to<T>(int64_t{mul_hi(a, b)} + c);
  }
};
struct MadWide {
  static constexpr Spec spec{
      .mnemonic = "mad", .fixed = "wide", .syntax = "mad.wide.type d, a, b, c", .section = "Integer Arithmetic: mad"};
  using types = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr Twice<T> eval(Mods, T a, T b, Twice<T> c) {
    return AddInt::eval<Twice<T>>({}, MulWide::eval<T>({}, a, b), c);
  }
};

// 24-bit operands (sign-extended for .s32); .lo is the product's low 32 bits, .hi its bits 47..16.
struct Mul24Lo {
  static constexpr Spec spec{
      .mnemonic = "mul24", .fixed = "lo", .syntax = "mul24.lo.type d, a, b", .section = "Integer Arithmetic: mul24"};
  using types = Types<Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(product24(a, b));
  }
};
struct Mul24Hi {
  static constexpr Spec spec{
      .mnemonic = "mul24", .fixed = "hi", .syntax = "mul24.hi.type d, a, b", .section = "Integer Arithmetic: mul24"};
  using types = Types<Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(product24(a, b) >> 16);
  }
};
struct Mad24Lo {
  static constexpr Spec spec{
      .mnemonic = "mad24", .fixed = "lo", .syntax = "mad24.lo.type d, a, b, c", .section = "Integer Arithmetic: mad24"};
  using types = Types<Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    return AddInt::eval<T>({}, Mul24Lo::eval<T>({}, a, b), c);
  }
};
struct Mad24Hi {
  static constexpr Spec spec{
      .mnemonic = "mad24", .fixed = "hi", .syntax = "mad24.hi.type d, a, b, c", .section = "Integer Arithmetic: mad24"};
  using types = Types<Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    return AddInt::eval<T>({}, Mul24Hi::eval<T>({}, a, b), c);
  }
};
struct Mad24HiSat {
  static constexpr Spec spec{.mnemonic = "mad24",
                             .fixed = "hi sat",
                             .syntax = "mad24.hi.sat.s32 d, a, b, c",
                             .section = "Integer Arithmetic: mad24"};
  using types = Types<Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    return clamp_to<T>(int64_t{Mul24Hi::eval<T>({}, a, b)} + c);
  }
};

struct Sad {
  static constexpr Spec spec{.mnemonic = "sad", .syntax = "sad.type d, a, b, c", .section = "Integer Arithmetic: sad"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c) {
    const T difference = a < b ? SubInt::eval<T>({}, b, a) : SubInt::eval<T>({}, a, b);
    return AddInt::eval<T>({}, c, difference);
  }
};
struct DivInt {
  static constexpr Spec spec{.mnemonic = "div", .syntax = "div.type d, a, b", .section = "Integer Arithmetic: div"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_div; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return b == 0 ? kDividedByZero<T> : quotient(a, b);
  }
};
static_assert(DivInt::eval<int32_t>({}, std::numeric_limits<int32_t>::min(), -1) ==
              std::numeric_limits<int32_t>::min());
struct RemInt {
  static constexpr Spec spec{.mnemonic = "rem", .syntax = "rem.type d, a, b", .section = "Integer Arithmetic: rem"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_div; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return b == 0 ? kDividedByZero<T> : SubInt::eval<T>({}, a, mul_lo(quotient(a, b), b));
  }
};
struct AbsInt {
  static constexpr Spec spec{.mnemonic = "abs", .syntax = "abs.type d, a", .section = "Integer Arithmetic: abs"};
  using types = SignedTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    return a < 0 ? SubInt::eval<T>({}, T{0}, a) : a;
  }
};
struct NegInt {
  static constexpr Spec spec{.mnemonic = "neg", .syntax = "neg.type d, a", .section = "Integer Arithmetic: neg"};
  using types = SignedTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    return SubInt::eval<T>({}, T{0}, a);
  }
};
struct MinInt {
  static constexpr Spec spec{.mnemonic = "min", .syntax = "min.type d, a, b", .section = "Integer Arithmetic: min"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return b < a ? b : a;
  }
};
struct MaxInt {
  static constexpr Spec spec{.mnemonic = "max", .syntax = "max.type d, a, b", .section = "Integer Arithmetic: max"};
  using types = IntTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return a < b ? b : a;
  }
};

using IntArithOps =
    OpList<AddInt, AddSat, SubInt, SubSat, MulLo, MulHi, MulWide, MadLo, MadHi, MadHiSat, MadWide, Mul24Lo, Mul24Hi,
           Mad24Lo, Mad24Hi, Mad24HiSat, Sad, DivInt, RemInt, AbsInt, NegInt, MinInt, MaxInt>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
