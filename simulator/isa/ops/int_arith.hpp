#pragma once
// Integer arithmetic (PTX ISA 9.0, 9.7.1) and extended-precision arithmetic (9.7.2).
#include <limits>
#include <type_traits>

#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Arithmetic wraps in PTX; in C++ only unsigned does. 16-bit products would promote to (signed) int: go through u32.
template <class T>
using Wrap = std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;

struct AddInt {
  static constexpr Spec spec{.mnemonic = "add", .syntax = "add.type d, a, b", .section = "Integer Arithmetic: add"};
  using types = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
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
    const int64_t sum = int64_t{a} + b;
    return static_cast<T>(sum > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max()
                          : sum < std::numeric_limits<T>::min() ? std::numeric_limits<T>::min() : sum);
  }
};
static_assert(AddSat::eval<int32_t>({}, 2147483647, 1) == 2147483647);

struct AddCc {
  static constexpr Spec spec{.mnemonic = "add", .fixed = "cc", .syntax = "add.cc.type d, a, b",
                             .section = "Extended-Precision Integer Arithmetic: add.cc"};
  using types = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr WithCarry<T> eval(Mods, T a, T b) {
    const Wrap<T> sum = static_cast<Wrap<T>>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
    return {static_cast<T>(sum), sum < static_cast<Wrap<T>>(a)};
  }
};

struct MulWide {
  static constexpr Spec spec{
      .mnemonic = "mul", .fixed = "wide", .syntax = "mul.wide.type d, a, b", .section = "Integer Arithmetic: mul"};
  using types = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class T>
  using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                  std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
  template <class T>
  static constexpr Wide<T> eval(Mods, T a, T b) {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  }
};

using IntArithOps = OpList<AddInt, AddSat, AddCc, MulWide>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
