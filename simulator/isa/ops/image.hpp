#pragma once
// Texture and surface instructions of images found by a 64-bit handle (PTX ISA 9.0, 9.7.10 and 9.7.11): what
// cudaCreateTextureObject and cudaCreateSurfaceObject give. The executor reads and filters the texels (exec room).
#include "simulator/isa/image_form.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Texels as 32-bit values or halves, coordinates as integers (no filtering) or floats.
using TexelTypes = TypePairs<TypePair<Ty::f32, Ty::s32>, TypePair<Ty::f32, Ty::f32>, TypePair<Ty::s32, Ty::s32>,
                             TypePair<Ty::s32, Ty::f32>, TypePair<Ty::u32, Ty::s32>, TypePair<Ty::u32, Ty::f32>,
                             TypePair<Ty::f16, Ty::s32>, TypePair<Ty::f16, Ty::f32>, TypePair<Ty::f16x2, Ty::s32>,
                             TypePair<Ty::f16x2, Ty::f32>>;
// Whole coordinates find no face of a cube and no level of a pyramid by its size; only they find samples.
inline bool tex_legal(const Mods& m, Ty type, Ty coordinate) {
  const auto shape = static_cast<ImageShape>(m.mode);
  const bool cube = shape == ImageShape::cube || shape == ImageShape::acube;
  const bool samples = shape == ImageShape::d2ms || shape == ImageShape::a2dms;
  return m.vec == (type == Ty::f16x2 ? 2 : 4) && (coordinate == Ty::f32 ? !samples : !cube);
}
inline bool tex_level_legal(const Mods& m, Ty type, Ty coordinate) {
  const auto shape = static_cast<ImageShape>(m.mode);
  return tex_legal(m, type, coordinate) && shape != ImageShape::d2ms && shape != ImageShape::a2dms;
}
inline bool tld4_legal(const Mods& m, Ty, Ty coordinate) {
  const auto shape = static_cast<ImageShape>(m.mode);
  return m.vec == 4 && coordinate == Ty::f32 &&
         (shape == ImageShape::d2 || shape == ImageShape::a2d || shape == ImageShape::cube ||
          shape == ImageShape::acube);
}

using LegalImage = bool (*)(const Mods&, Ty, Ty);
constexpr std::array<std::string_view, 16> kTextureShapes = {"1d",   "2d",    "3d",   "a1d",  "a2d",
                                                             "cube", "acube", "2dms", "a2dms"};
// What may follow the operands of the form: an offset in texels and a value to compare depths with; and the predicate
// beside the destination, which says whether the texels are in memory.
inline constexpr int8_t kMoreTextureOperands = 3;
constexpr Spec tex_spec(std::string_view fixed, std::string_view syntax, LegalImage legal, int8_t operands) {
  return {.mnemonic = "tex",
          .fixed = fixed,
          .syntax = syntax,
          .section = "Texture: tex",
          .accept = Accept::mode | Accept::vec,
          .modes = kTextureShapes,
          .min_ptx = 31,
          .min_sm = 30,
          .legal = legal,
          .min_operands = operands,
          .max_operands = static_cast<int8_t>(operands + kMoreTextureOperands)};
}
struct TexFetch {
  using types = TexelTypes;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Warp warp = Warp::none;
};
struct Tex : TexFetch {
  static constexpr Spec spec = tex_spec("", "tex.geom.v4.dtype.ctype d{|p}, [a, c]{, offset}{, depth}", tex_legal, 2);
};
struct TexBase : TexFetch {
  static constexpr Spec spec =
      tex_spec("base", "tex.base.geom.v4.dtype.ctype d{|p}, [a, c]{, offset}{, depth}", tex_legal, 2);
};
struct TexLevel : TexFetch {
  static constexpr Spec spec =
      tex_spec("level", "tex.level.geom.v4.dtype.ctype d{|p}, [a, c], lod{, offset}{, depth}", tex_level_legal, 3);
};
struct TexGrad : TexFetch {
  static constexpr Spec spec = tex_spec(
      "grad", "tex.grad.geom.v4.dtype.ctype d{|p}, [a, c], dPdx, dPdy{, offset}{, depth}", tex_level_legal, 4);
};

constexpr Spec tld4_spec(std::string_view component) {
  return {.mnemonic = "tld4",
          .fixed = component,
          .syntax = "tld4.comp.geom.v4.dtype.f32 d{|p}, [a, c]{, offset}{, depth}",
          .section = "Texture: tld4",
          .accept = Accept::mode | Accept::vec,
          .modes = kTextureShapes,
          .min_ptx = 31,
          .min_sm = 30,
          .legal = tld4_legal,
          .min_operands = 2,
          .max_operands = 2 + kMoreTextureOperands};
}
template <uint8_t kComponent>
struct Tld4 {
  static constexpr std::array<std::string_view, 4> kNames = {"r", "g", "b", "a"};
  static constexpr Spec spec = tld4_spec(kNames[kComponent]);
  using types = TypePairs<TypePair<Ty::f32, Ty::f32>, TypePair<Ty::s32, Ty::f32>, TypePair<Ty::u32, Ty::f32>>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Warp warp = Warp::none;
};

constexpr Spec query_spec(std::string_view mnemonic, std::string_view fixed, std::string_view syntax,
                          std::string_view section, int8_t operands, LegalImage legal) {
  return {.mnemonic = mnemonic,
          .fixed = fixed,
          .syntax = syntax,
          .section = section,
          .accept = Accept::mode,
          .modes = {"width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords",
                    "array_size", "num_mipmap_levels", "num_samples", "force_unnormalized_coords", "filter_mode",
                    "addr_mode_0", "addr_mode_1", "addr_mode_2", "memory_layout"},
          .min_ptx = 15,
          .min_sm = 10,
          .legal = legal,
          .min_operands = operands,
          .max_operands = operands};
}
struct ImageQueried {
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Warp warp = Warp::none;
};
struct Txq : ImageQueried {
  static constexpr Spec spec = query_spec("txq", "", "txq.query.b32 d, [a]", "Texture: txq", 2, nullptr);
};
struct TxqLevel : ImageQueried {
  static constexpr Spec spec =
      query_spec("txq", "level", "txq.level.query.b32 d, [a], lod", "Texture: txq", 3,
                 [](const Mods& m, Ty, Ty) { return m.mode <= static_cast<uint8_t>(ImageQuery::depth); });
};
struct Suq : ImageQueried {
  static constexpr Spec spec = query_spec("suq", "", "suq.query.b32 d, [a]", "Surface: suq", 2,
                                          [](const Mods& m, Ty, Ty) {
                                            const auto query = static_cast<ImageQuery>(m.mode);
                                            return query <= ImageQuery::channel_order ||
                                                   query == ImageQuery::array_size ||
                                                   query == ImageQuery::memory_layout;
                                          });
};
struct Istypep {
  static constexpr Spec spec{.mnemonic = "istypep",
                             .syntax = "istypep.type p, a",
                             .section = "Texture: istypep",
                             .accept = Accept::mode,
                             .modes = {"texref", "samplerref", "surfref"},
                             .min_ptx = 40,
                             .min_sm = 30,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Warp warp = Warp::none;
};

constexpr std::string_view boundary_words(Boundary boundary) {
  return boundary == Boundary::trap ? "b trap" : boundary == Boundary::clamp ? "b clamp" : "b zero";
}
constexpr std::string_view formatted_words(Boundary boundary) {
  return boundary == Boundary::trap ? "p trap" : boundary == Boundary::clamp ? "p clamp" : "p zero";
}
inline bool surface_legal(const Mods& m, Ty type, Ty) {
  return m.vec <= 4 && m.vec * bits(type) <= 128 && m.cache != Cache::nc && m.space == Space::generic;
}

constexpr Spec surface_spec(std::string_view mnemonic, std::string_view words, std::string_view syntax,
                            std::string_view section) {
  return {.mnemonic = mnemonic,
          .fixed = words,
          .syntax = syntax,
          .section = section,
          .accept = Accept::mode | Accept::vec | Accept::cache,
          .modes = {"1d", "2d", "3d", "a1d", "a2d"},
          .min_ptx = 30,
          .min_sm = 20,
          .legal = surface_legal,
          .min_operands = 2,
          .max_operands = 2};
}
struct SurfaceAccess {
  using types = Types<Ty::b8, Ty::b16, Ty::b32, Ty::b64>;
  static constexpr Warp warp = Warp::none;
};
template <Boundary kBoundary>
struct Suld : SurfaceAccess {
  static constexpr Spec spec =
      surface_spec("suld", boundary_words(kBoundary), "suld.b.geom{.cop}{.vec}.dtype.clamp d, [a, b]", "Surface: suld");
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
};
template <Boundary kBoundary>
struct Sust : SurfaceAccess {
  static constexpr Spec spec =
      surface_spec("sust", boundary_words(kBoundary), "sust.b.geom{.cop}{.vec}.ctype.clamp [a, b], c", "Surface: sust");
  static constexpr Lat latency(Ty) { return Lat::st_global; }
};

// Values of 32 bits, converted to the format of the surface.
template <Boundary kBoundary>
struct SustFormatted {
  static constexpr Spec spec = surface_spec("sust", formatted_words(kBoundary),
                                            "sust.p.geom{.vec}.b32.clamp [a, b], c", "Surface: sust");
  using types = Types<Ty::b32>;
  static constexpr Warp warp = Warp::none;
  static constexpr Lat latency(Ty) { return Lat::st_global; }
};

// The words of a reduction: .b or .p, the operation, the boundary.
template <Reduction kOp, Boundary kBoundary, bool kFormatted>
constexpr std::string_view reduction_words() {
  constexpr std::string_view kWords[2][5][3] = {
      {{"b add trap", "b add clamp", "b add zero"},
       {"b min trap", "b min clamp", "b min zero"},
       {"b max trap", "b max clamp", "b max zero"},
       {"b and trap", "b and clamp", "b and zero"},
       {"b or trap", "b or clamp", "b or zero"}},
      {{"p add trap", "p add clamp", "p add zero"},
       {"p min trap", "p min clamp", "p min zero"},
       {"p max trap", "p max clamp", "p max zero"},
       {"p and trap", "p and clamp", "p and zero"},
       {"p or trap", "p or clamp", "p or zero"}}};
  return kWords[kFormatted ? 1 : 0][static_cast<size_t>(kOp)][static_cast<size_t>(kBoundary)];
}
inline constexpr bool is_extreme(Reduction op) { return op == Reduction::min || op == Reduction::max; }
inline constexpr bool is_bitwise(Reduction op) { return op == Reduction::bit_and || op == Reduction::bit_or; }
// .b names the type; .p takes it from the surface, and .b64 for minimum and maximum alone.
template <Reduction kOp, bool kFormatted>
using ReducedTypes = std::conditional_t<
    kFormatted, std::conditional_t<is_extreme(kOp), Types<Ty::b32, Ty::b64>, Types<Ty::b32>>,
    std::conditional_t<is_bitwise(kOp), Types<Ty::b32>,
                       std::conditional_t<is_extreme(kOp), Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>,
                                          Types<Ty::u32, Ty::s32, Ty::u64>>>>;
template <Reduction kOp, Boundary kBoundary, bool kFormatted>
struct Sured {
  static constexpr Spec spec{.mnemonic = "sured",
                             .fixed = reduction_words<kOp, kBoundary, kFormatted>(),
                             .syntax = kFormatted ? "sured.p.op.geom.ctype.clamp [a, b], c"
                                                  : "sured.b.op.geom.ctype.clamp [a, b], c",
                             .section = "Surface: sured",
                             .accept = Accept::mode,
                             .modes = {"1d", "2d", "3d", "a1d", "a2d"},
                             .min_ptx = 30,
                             .min_sm = 20,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = ReducedTypes<kOp, kFormatted>;
  static constexpr Warp warp = Warp::none;
  static constexpr Lat latency(Ty) { return Lat::atom_global; }
};
template <Reduction kOp, bool kFormatted>
void add_reductions(VariantSink& out) {
  add_all(out, OpList<Sured<kOp, Boundary::trap, kFormatted>, Sured<kOp, Boundary::clamp, kFormatted>,
                      Sured<kOp, Boundary::zero, kFormatted>>{});
}
template <Reduction... kOps>
void add_surface_reductions(VariantSink& out) {
  (add_reductions<kOps, false>(out), ...);
  (add_reductions<kOps, true>(out), ...);
}
inline void add_surface_reductions(VariantSink& out) {
  add_surface_reductions<Reduction::add, Reduction::min, Reduction::max, Reduction::bit_and, Reduction::bit_or>(out);
}

using ImageOps =
    OpList<Tex, TexBase, TexLevel, TexGrad, Tld4<0>, Tld4<1>, Tld4<2>, Tld4<3>, Txq, TxqLevel, Suq, Istypep,
           Suld<Boundary::trap>, Suld<Boundary::clamp>, Suld<Boundary::zero>, Sust<Boundary::trap>,
           Sust<Boundary::clamp>, Sust<Boundary::zero>, SustFormatted<Boundary::trap>, SustFormatted<Boundary::clamp>,
           SustFormatted<Boundary::zero>>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
