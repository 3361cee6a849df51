#pragma once
// Integer arithmetic on bits and bit fields (PTX ISA 9.0, 9.7.1): popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext,
// dp4a, dp2a.
#include <bit>

#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

template <class T>
inline constexpr uint32_t kWidth = 8 * sizeof(T);

struct Popc {
  static constexpr Spec spec{.mnemonic = "popc",
                             .syntax = "popc.type d, a",
                             .section = "Integer Arithmetic: popc",
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::popc; }
  template <class T>
  static constexpr uint32_t eval(Mods, T a) {
    return static_cast<uint32_t>(std::popcount(a));
  }
};
struct Clz {
  static constexpr Spec spec{
      .mnemonic = "clz", .syntax = "clz.type d, a", .section = "Integer Arithmetic: clz", .min_ptx = 20, .min_sm = 20};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::flo; }
  template <class T>
  static constexpr uint32_t eval(Mods, T a) {
    return static_cast<uint32_t>(std::countl_zero(a));
  }
};

// Position of the most significant bit that is not a sign bit, 0xffffffff when there is none; with .shiftamt the left
// shift that brings it to the top.
struct Bfind {
  static constexpr Spec spec{.mnemonic = "bfind",
                             .syntax = "bfind{.shiftamt}.type d, a",
                             .section = "Integer Arithmetic: bfind",
                             .accept = Accept::opt_mode,
                             .modes = {"shiftamt"},
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
  static constexpr Lat latency(Ty) { return Lat::flo; }
  template <class T>
  static constexpr uint32_t eval(Mods m, T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
    const auto shift = static_cast<uint32_t>(std::countl_zero(bits));
    return bits == 0 ? 0xffffffffu : m.mode == 1 ? shift : kWidth<T> - 1 - shift;
  }
};
static_assert(Bfind::eval<int32_t>({}, -1) == 0xffffffffu && Bfind::eval<uint64_t>({}, 1u << 20) == 20);

// Position of the n-th set bit of a (n < 0: counted downwards) from bit `base`; 0xffffffff when there is none. n == 0
// asks for bit `base` itself. An offset of -2^31 finds bit 0 (measured on an H200).
struct Fns {
  static constexpr Spec spec{.mnemonic = "fns",
                             .syntax = "fns.b32 d, mask, base, offset",
                             .section = "Integer Arithmetic: fns",
                             .min_ptx = 60,
                             .min_sm = 30};
  using types = Types<Ty::b32>;
  static constexpr bool kScalarOnly = true;
  static constexpr Lat latency(Ty) { return Lat::flo; }
  template <class T>
  static constexpr uint32_t eval(Mods, T mask, uint32_t base, int32_t offset) {
    const int32_t step = offset < 0 ? -1 : 1;
    int32_t left = offset == 0 ? 1 : offset < 0 ? -std::max(offset, -33) : std::min(offset, 33);
    const auto start = static_cast<int32_t>(base & 31u);
    if (base > 31) {
      return 0xffffffffu;
    }
    if (offset == std::numeric_limits<int32_t>::min()) {
      return 0;
    }
    for (int32_t bit = start; bit >= 0 && bit < 32; bit += step) {
      if (((mask >> bit) & 1u) != 0 && --left == 0) {
        return static_cast<uint32_t>(bit);
      }
      if (offset == 0) {
        break;
      }
    }
    return 0xffffffffu;
  }
};

struct Brev {
  static constexpr Spec spec{.mnemonic = "brev",
                             .syntax = "brev.type d, a",
                             .section = "Integer Arithmetic: brev",
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::flo; }
  template <class T>
  static constexpr T eval(Mods, T a) {
    constexpr T kAll = ~T{0};
    for (uint32_t half = kWidth<T> / 2; half != 0; half /= 2) {
      const T low = kAll / static_cast<T>((T{1} << half) + 1);  // halves alternate: 0x0000ffff, 0x00ff00ff, ...
      a = static_cast<T>(((a >> half) & low) | ((a & low) << half));
    }
    return a;
  }
};
static_assert(Brev::eval<uint32_t>({}, 1u) == 0x80000000u && Brev::eval<uint64_t>({}, 2u) == uint64_t{1} << 62);

// pos and len are bytes to the 32-bit forms, and whole words to the 64-bit ones, which ptxas emulates (measured on an
// H200).
template <class T>
constexpr uint32_t field_number(uint32_t word) {
  return sizeof(T) == 8 ? word : word & 255u;
}

// Bits of the field beyond the top of a take the sign (.s) or zero (.u).
struct Bfe {
  static constexpr Spec spec{.mnemonic = "bfe",
                             .syntax = "bfe.type d, a, b, c",
                             .section = "Integer Arithmetic: bfe",
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, uint32_t b, uint32_t c) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t kMsb = kWidth<T> - 1;
    const uint32_t pos = field_number<T>(b), len = field_number<T>(c);
    const uint32_t top = std::min(std::min(pos, kMsb) + std::min(len, kWidth<T>) - (len != 0 ? 1u : 0u), kMsb);
    const bool negative = std::is_signed_v<T> && len != 0 && ((static_cast<U>(a) >> top) & 1u) != 0;
    const U shifted = pos > kMsb ? U{0} : static_cast<U>(a) >> std::min(pos, kMsb);
    const U keep = len > kMsb ? ~U{0} : (U{1} << std::min(len, kMsb)) - 1;
    const uint32_t valid = pos > kMsb ? 0u : kMsb + 1 - pos;  // bits of the field that a has
    const U have = valid > kMsb ? ~U{0} : (U{1} << std::min(valid, kMsb)) - 1;
    return static_cast<T>((shifted & keep) | (negative ? ~(keep & have) : U{0}));
  }
};
static_assert(Bfe::eval<int32_t>({}, 0xf0, 4, 4) == -1 && Bfe::eval<uint32_t>({}, 0xf0u, 4, 4) == 15);
static_assert(Bfe::eval<int32_t>({}, -5, 40, 3) == -1 && Bfe::eval<int32_t>({}, -5, 3, 0) == 0);

struct Bfi {
  static constexpr Spec spec{.mnemonic = "bfi",
                             .syntax = "bfi.type f, a, b, c, d",
                             .section = "Integer Arithmetic: bfi",
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods, T a, T b, uint32_t c, uint32_t d) {
    constexpr uint32_t kMsb = kWidth<T> - 1;
    const uint32_t pos = field_number<T>(c), len = field_number<T>(d);
    const T ones = len > kMsb ? ~T{0} : static_cast<T>((T{1} << std::min(len, kMsb)) - 1);
    const T field = pos > kMsb ? T{0} : static_cast<T>(ones << std::min(pos, kMsb));
    return static_cast<T>((b & ~field) | (static_cast<T>(a << std::min(pos, kMsb)) & field));
  }
};

struct Bmsk {
  static constexpr Spec spec{.mnemonic = "bmsk",
                             .syntax = "bmsk.mode.b32 d, a, b",
                             .section = "Integer Arithmetic: bmsk",
                             .accept = Accept::mode,
                             .modes = {"clamp", "wrap"},
                             .min_ptx = 76,
                             .min_sm = 70};
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods m, T a, uint32_t b) {
    const bool wrap = m.mode == 1;
    const uint32_t pos = wrap ? a & 31u : std::min(a, 32u);
    const uint32_t len = wrap ? b & 31u : std::min(b, 32u);
    const uint64_t mask = ((uint64_t{1} << len) - 1) << pos;
    return static_cast<T>(mask);
  }
};

// Sign- or zero-extends from a width of b bits.
struct Szext {
  static constexpr Spec spec{.mnemonic = "szext",
                             .syntax = "szext.mode.type d, a, b",
                             .section = "Integer Arithmetic: szext",
                             .accept = Accept::mode,
                             .modes = {"clamp", "wrap"},
                             .min_ptx = 76,
                             .min_sm = 70};
  using types = Types<Ty::u32, Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static constexpr T eval(Mods m, T a, uint32_t b) {
    const uint32_t width = m.mode == 1 ? b & 31u : std::min(b, 32u);
    const uint64_t field = (uint64_t{1} << width) - 1;
    const uint64_t value = static_cast<uint32_t>(a) & field;
    const bool negative = std::is_signed_v<T> && width != 0 && ((value >> (width == 0 ? 0 : width - 1)) & 1u) != 0;
    return static_cast<T>(value | (negative ? ~field : 0));
  }
};

// Four (two) products of bytes (a's halves by two of b's bytes), added to c.
template <class A, class B>
constexpr int64_t byte_of(B word, uint32_t index) {
  const auto byte = static_cast<uint8_t>(static_cast<uint32_t>(word) >> (8 * index));
  return std::is_signed_v<A> ? int64_t{static_cast<int8_t>(byte)} : int64_t{byte};
}
template <class A>
constexpr int64_t half_of(A word, uint32_t index) {
  const auto half = static_cast<uint16_t>(static_cast<uint32_t>(word) >> (16 * index));
  return std::is_signed_v<A> ? int64_t{static_cast<int16_t>(half)} : int64_t{half};
}
using DotTypes = TypePairs<TypePair<Ty::u32, Ty::u32>, TypePair<Ty::u32, Ty::s32>, TypePair<Ty::s32, Ty::u32>,
                           TypePair<Ty::s32, Ty::s32>>;

struct Dp4a {
  static constexpr Spec spec{.mnemonic = "dp4a",
                             .syntax = "dp4a.atype.btype d, a, b, c",
                             .section = "Integer Arithmetic: dp4a",
                             .thread_op = ThreadOp::dp4a,
                             .min_ptx = 50,
                             .min_sm = 61};
  using types = DotTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class A, class B>
  static constexpr uint32_t eval(Mods, A a, B b, uint32_t c) {
    int64_t sum = c;
    for (uint32_t i = 0; i < 4; ++i) {
      sum += byte_of<A>(a, i) * byte_of<B>(b, i);
    }
    return static_cast<uint32_t>(sum);
  }
};
struct Dp2a {
  static constexpr Spec spec{.mnemonic = "dp2a",
                             .syntax = "dp2a.mode.atype.btype d, a, b, c",
                             .section = "Integer Arithmetic: dp2a",
                             .accept = Accept::mode,
                             .modes = {"lo", "hi"},
                             .thread_op = ThreadOp::dp2a,
                             .min_ptx = 50,
                             .min_sm = 61};
  using types = DotTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, uint32_t c) {
    const uint32_t first = m.mode == 1 ? 2 : 0;
    return static_cast<uint32_t>(int64_t{c} + half_of(a, 0) * byte_of<B>(b, first) +
                                 half_of(a, 1) * byte_of<B>(b, first + 1));
  }
};

using BitFieldOps = OpList<Popc, Clz, Bfind, Fns, Brev, Bfe, Bfi, Bmsk, Szext, Dp4a, Dp2a>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
