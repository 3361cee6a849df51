#pragma once
// Floating-point forms of PTX ISA 8.6 to 8.8 (9.0: 9.7.3, 9.7.5): pairs of binary32 in one 64-bit register, additions
// and multiply-adds of f16 or bf16 with binary32, minimum and maximum of three.
#include "simulator/isa/ops/float_arith.hpp"
#include "simulator/isa/ops/float_sign.hpp"
#include "simulator/isa/ops/half_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Applies f to the low and the high binary32 of each operand.
template <class F, class... Pair>
inline uint64_t per_float(F f, Pair... pairs) {
  const auto part = [](uint64_t pair, int i) { return f32_of(static_cast<uint32_t>(pair >> (32 * i))); };
  return bits_of(f(part(pairs, 0)...)) | uint64_t{bits_of(f(part(pairs, 1)...))} << 32;
}

struct PackedFloat : PerRounding {
  using types = Types<Ty::f32x2>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
};
constexpr Spec packed_float_spec(std::string_view root, std::string_view syntax, std::string_view section) {
  return {.mnemonic = root,
          .syntax = syntax,
          .section = section,
          .accept = kRndFtz,
          .min_ptx = 86,
          .min_sm = 100,
          .required = root == "fma" ? Accept::rnd : Accept::nothing};
}
struct AddF32x2 : PackedFloat {
  static constexpr Spec spec = packed_float_spec("add", "add{.rnd}{.ftz}.f32x2 d, a, b", "Floating-Point: add");
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_float([m](float x, float y) { return AddF32::eval<float>(m, x, y); }, a, b);
  }
};
struct SubF32x2 : PackedFloat {
  static constexpr Spec spec = packed_float_spec("sub", "sub{.rnd}{.ftz}.f32x2 d, a, b", "Floating-Point: sub");
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_float([m](float x, float y) { return SubF32::eval<float>(m, x, y); }, a, b);
  }
};
struct MulF32x2 : PackedFloat {
  static constexpr Spec spec = packed_float_spec("mul", "mul{.rnd}{.ftz}.f32x2 d, a, b", "Floating-Point: mul");
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_float([m](float x, float y) { return MulF32::eval<float>(m, x, y); }, a, b);
  }
};
struct FmaF32x2 : PackedFloat {
  static constexpr Spec spec = packed_float_spec("fma", "fma.rnd{.ftz}.f32x2 d, a, b, c", "Floating-Point: fma");
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return per_float([m](float x, float y, float z) { return FmaF32::eval<float>(m, x, y, z); }, a, b, c);
  }
};

// Mixed precision: the 16-bit operands are converted exactly, the operation is that of binary32.
struct MixedPrecision : PerRounding {
  using types = TypePairs<TypePair<Ty::f32, Ty::f16>, TypePair<Ty::f32, Ty::bf16>>;
  static constexpr Lat latency(Ty, Ty) { return Lat::fp32; }
};
constexpr Spec mixed_spec(std::string_view root, std::string_view syntax, std::string_view section, ThreadOp op) {
  return {.mnemonic = root,
          .syntax = syntax,
          .section = section,
          .accept = Accept::rnd | Accept::sat,
          .thread_op = op,
          .min_ptx = 86,
          .min_sm = 100,
          .required = root == "fma" ? Accept::rnd : Accept::nothing};
}
struct AddMixed : MixedPrecision {
  static constexpr Spec spec =
      mixed_spec("add", "add{.rnd}{.sat}.f32.atype d, a, c", "Mixed Precision: add", ThreadOp::fadd);
  template <class D, class S>
  static D eval(Mods m, S a, D c) {
    return AddF32::eval<D>(m, to_f32(a), c);
  }
};
struct SubMixed : MixedPrecision {
  static constexpr Spec spec =
      mixed_spec("sub", "sub{.rnd}{.sat}.f32.atype d, a, c", "Mixed Precision: sub", ThreadOp::fadd);
  template <class D, class S>
  static D eval(Mods m, S a, D c) {
    return SubF32::eval<D>(m, to_f32(a), c);
  }
};
struct FmaMixed : MixedPrecision {
  static constexpr Spec spec =
      mixed_spec("fma", "fma.rnd{.sat}.f32.abtype d, a, b, c", "Mixed Precision: fma", ThreadOp::ffma);
  template <class D, class S>
  static D eval(Mods m, S a, S b, D c) {
    return FmaF32::eval<D>(m, to_f32(a), to_f32(b), c);
  }
};

// Three operands: with .abs of their magnitudes.
template <bool kMax>
inline float min_max_of_three(Mods m, float a, float b, float c) {
  const auto in = [m](float x) {
    const float kept = flush_in(m, x);
    return m.abs ? f32_of(bits_of(kept) & 0x7fffffffu) : kept;
  };
  return min_max_value<kMax>(m.nan, min_max_value<kMax>(m.nan, in(a), in(b)), in(c));
}
struct MinOfThree {
  static constexpr Spec spec{.mnemonic = "min",
                             .syntax = "min{.ftz}{.NaN}{.abs}.f32 d, a, b, c",
                             .section = "Floating-Point: min",
                             .accept = Accept::ftz | Accept::nan | Accept::abs,
                             .min_ptx = 88,
                             .min_sm = 100};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return min_max_of_three<false>(m, a, b, c);
  }
};
struct MaxOfThree {
  static constexpr Spec spec{.mnemonic = "max",
                             .syntax = "max{.ftz}{.NaN}{.abs}.f32 d, a, b, c",
                             .section = "Floating-Point: max",
                             .accept = Accept::ftz | Accept::nan | Accept::abs,
                             .min_ptx = 88,
                             .min_sm = 100};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return min_max_of_three<true>(m, a, b, c);
  }
};

using FloatPackedOps =
    OpList<AddF32x2, SubF32x2, MulF32x2, FmaF32x2, AddMixed, SubMixed, FmaMixed, MinOfThree, MaxOfThree>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
