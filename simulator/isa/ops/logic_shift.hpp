#pragma once
// Logic and shift (PTX ISA 9.0, 9.7.8), and prmt of 9.7.9.
#include <algorithm>
#include <limits>

#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

using BitTypes = Types<Ty::b16, Ty::b32, Ty::b64>;

struct And {
  static constexpr Spec spec{.mnemonic = "and", .syntax = "and.type d, a, b", .section = "Logic and Shift: and"};
  using types = Types<Ty::pred, Ty::b16, Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(a & b);
  }
  static constexpr LaneMask eval_mask(LaneMask a, LaneMask b) { return a & b; }
};
struct Or {
  static constexpr Spec spec{.mnemonic = "or", .syntax = "or.type d, a, b", .section = "Logic and Shift: or"};
  using types = Types<Ty::pred, Ty::b16, Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(a | b);
  }
  static constexpr LaneMask eval_mask(LaneMask a, LaneMask b) { return a | b; }
};
struct Xor {
  static constexpr Spec spec{.mnemonic = "xor", .syntax = "xor.type d, a, b", .section = "Logic and Shift: xor"};
  using types = Types<Ty::pred, Ty::b16, Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b) {
    return static_cast<T>(a ^ b);
  }
  static constexpr LaneMask eval_mask(LaneMask a, LaneMask b) { return a ^ b; }
};
struct Not {
  static constexpr Spec spec{.mnemonic = "not", .syntax = "not.type d, a", .section = "Logic and Shift: not"};
  using types = Types<Ty::pred, Ty::b16, Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    if constexpr (std::is_same_v<T, bool>) {
      return !a;
    } else {
      return static_cast<T>(~a);
    }
  }
  static constexpr LaneMask eval_mask(LaneMask a) { return ~a; }
};
struct Cnot {
  static constexpr Spec spec{.mnemonic = "cnot", .syntax = "cnot.type d, a", .section = "Logic and Shift: cnot"};
  using types = BitTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    return a == 0 ? T{1} : T{0};
  }
};

// Bit i of the table is the result where a, b, c have the bits of i (a the most significant).
template <class T>
constexpr T lop3_table(T a, T b, T c, uint32_t table) {
  T out = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    const T term = ((i & 4u) != 0 ? a : ~a) & ((i & 2u) != 0 ? b : ~b) & ((i & 1u) != 0 ? c : ~c);
    out |= term & (T{0} - ((table >> i) & 1u));
  }
  return out;
}
struct Lop3 {
  static constexpr Spec spec{.mnemonic = "lop3",
                             .syntax = "lop3.b32 d, a, b, c, immLut",
                             .section = "Logic and Shift: lop3",
                             .min_ptx = 43,
                             .min_sm = 50};
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, T c, uint32_t table) {
    return lop3_table(a, b, c, table);
  }
};
static_assert(Lop3::eval<uint32_t>({}, 0xf0f0f0f0u, 0xccccccccu, 0xaaaaaaaau, 0x96u) == 0x96969696u);

// p = (d != 0) BoolOp q.
struct Lop3Pred {
  static constexpr Spec spec{.mnemonic = "lop3",
                             .syntax = "lop3.BoolOp.b32 d|p, a, b, c, immLut, {!}q",
                             .section = "Logic and Shift: lop3",
                             .accept = Accept::mode,
                             .modes = {"or", "and"},
                             .min_ptx = 82,
                             .min_sm = 70};
  using types = Types<Ty::b32>;
  static constexpr bool kScalarOnly = true;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr Two<T, bool> eval(Mods m, T a, T b, T c, uint32_t table, bool q) {
    const T d = lop3_table(a, b, c, table);
    return {d, m.mode == 0 ? d != 0 || q : d != 0 && q};
  }
};

// Shift amounts beyond the width clamp; C++ would be undefined.
template <class T>
inline constexpr uint32_t kShiftWidth = 8 * sizeof(T);
struct Shl {
  static constexpr Spec spec{.mnemonic = "shl", .syntax = "shl.type d, a, b", .section = "Logic and Shift: shl"};
  using types = BitTypes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, uint32_t b) {
    const T shifted = static_cast<T>(a << (b & (kShiftWidth<T> - 1)));
    return b >= kShiftWidth<T> ? T{0} : shifted;
  }
};
static_assert(Shl::eval<uint32_t>({}, 1u, 32u) == 0 && Shl::eval<uint16_t>({}, uint16_t{1}, 15u) == 0x8000);
struct Shr {
  static constexpr Spec spec{.mnemonic = "shr", .syntax = "shr.type d, a, b", .section = "Logic and Shift: shr"};
  using types = Types<Ty::b16, Ty::b32, Ty::b64, Ty::u16, Ty::u32, Ty::u64, Ty::s16, Ty::s32, Ty::s64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, uint32_t b) {
    const T shifted = static_cast<T>(a >> (b & (kShiftWidth<T> - 1)));
    return b >= kShiftWidth<T> ? (a < 0 ? static_cast<T>(-1) : T{0}) : shifted;
  }
};
static_assert(Shr::eval<int32_t>({}, -8, 64u) == -1 && Shr::eval<uint64_t>({}, ~0ull, 64u) == 0);

// Funnel shift of b:a; .clamp stops at 32, .wrap counts modulo 32.
struct ShfLeft {
  static constexpr Spec spec{.mnemonic = "shf",
                             .fixed = "l",
                             .syntax = "shf.l.mode.b32 d, a, b, c",
                             .section = "Logic and Shift: shf",
                             .accept = Accept::mode,
                             .modes = {"clamp", "wrap"},
                             .min_ptx = 31,
                             .min_sm = 32};
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods m, T a, T b, uint32_t c) {
    const uint32_t count = m.mode == 1 ? c & 31u : std::min(c, 32u);
    return static_cast<T>((((uint64_t{b} << 32) | a) << count) >> 32);
  }
};
struct ShfRight {
  static constexpr Spec spec{.mnemonic = "shf",
                             .fixed = "r",
                             .syntax = "shf.r.mode.b32 d, a, b, c",
                             .section = "Logic and Shift: shf",
                             .accept = Accept::mode,
                             .modes = {"clamp", "wrap"},
                             .min_ptx = 31,
                             .min_sm = 32};
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods m, T a, T b, uint32_t c) {
    const uint32_t count = m.mode == 1 ? c & 31u : std::min(c, 32u);
    return static_cast<T>(((uint64_t{b} << 32) | a) >> count);
  }
};

// Which byte of b:a goes to byte `i` of the result, and (bit 3) whether its sign is replicated.
constexpr uint32_t prmt_selector(uint32_t mode, uint32_t c, uint32_t i) {
  const uint32_t s = c & 3u;
  switch (mode) {
    case 0: return (c >> (4 * i)) & 15u;        // default: four selectors
    case 1: return s + i;                       // f4e: forward from byte s
    case 2: return (s - i) & 7u;                // b4e: backward
    case 3: return s;                           // rc8: one byte
    case 4: return std::max(s, i);              // ecl: edge clamp left
    case 5: return std::min(s, i);              // ecr: edge clamp right
    case 6: return ((s & 1u) << 1) + (i & 1u);  // rc16: one half
  }
  return 0;
}
struct Prmt {
  static constexpr Spec spec{.mnemonic = "prmt",
                             .syntax = "prmt.b32{.mode} d, a, b, c",
                             .section = "Data Movement: prmt",
                             .accept = Accept::opt_mode,
                             .modes = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"},
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods m, T a, T b, uint32_t c) {
    const uint64_t source = (uint64_t{b} << 32) | a;
    T out = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t selector = prmt_selector(m.mode, c, i);
      const auto byte = static_cast<uint32_t>(source >> (8 * (selector & 7u))) & 0xffu;
      const uint32_t sign = (byte & 0x80u) != 0 ? 0xffu : 0u;
      out |= ((selector & 8u) != 0 ? sign : byte) << (8 * i);
    }
    return out;
  }
};
static_assert(Prmt::eval<uint32_t>({}, 0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u);

using LogicShiftOps = OpList<And, Or, Xor, Not, Cnot, Lop3, Lop3Pred, Shl, Shr, ShfLeft, ShfRight, Prmt>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
