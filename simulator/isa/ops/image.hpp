#pragma once
// Texture and surface instructions of images found by a 64-bit handle (PTX ISA 9.0, 9.7.10 and 9.7.11): what
// cudaCreateTextureObject and cudaCreateSurfaceObject give. The executor reads and filters the texels (exec room).
#include "simulator/isa/image_form.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Texels as 32-bit values, coordinates as integers (no filtering) or floats.
using TexelTypes = TypePairs<TypePair<Ty::f32, Ty::s32>, TypePair<Ty::f32, Ty::f32>, TypePair<Ty::s32, Ty::s32>,
                             TypePair<Ty::s32, Ty::f32>, TypePair<Ty::u32, Ty::s32>, TypePair<Ty::u32, Ty::f32>>;
// Whole coordinates find no face of a cube and no level of a pyramid by its size.
inline bool tex_legal(const Mods& m, Ty, Ty coordinate) {
  const auto shape = static_cast<ImageShape>(m.mode);
  const bool cube = shape == ImageShape::cube || shape == ImageShape::acube;
  return m.vec == 4 && (coordinate == Ty::f32 || !cube);
}
inline bool tex_grad_legal(const Mods& m, Ty type, Ty coordinate) {
  return tex_legal(m, type, coordinate) && coordinate == Ty::f32;
}
inline bool tld4_legal(const Mods& m, Ty, Ty coordinate) {
  const auto shape = static_cast<ImageShape>(m.mode);
  return m.vec == 4 && coordinate == Ty::f32 && shape != ImageShape::d1;
}

using LegalImage = bool (*)(const Mods&, Ty, Ty);
constexpr Spec tex_spec(std::string_view fixed, std::string_view syntax, LegalImage legal, int8_t operands) {
  return {.mnemonic = "tex",
          .fixed = fixed,
          .syntax = syntax,
          .section = "Texture: tex",
          .accept = Accept::mode | Accept::vec,
          .modes = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"},
          .min_ptx = 31,
          .min_sm = 30,
          .legal = legal,
          .min_operands = operands,
          .max_operands = operands};
}
struct TexFetch {
  using types = TexelTypes;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Warp warp = Warp::none;
};
struct Tex : TexFetch {
  static constexpr Spec spec = tex_spec("", "tex.geom.v4.dtype.ctype d, [a, c]", tex_legal, 2);
};
struct TexLevel : TexFetch {
  static constexpr Spec spec = tex_spec("level", "tex.level.geom.v4.dtype.ctype d, [a, c], lod", tex_legal, 3);
};
struct TexGrad : TexFetch {
  static constexpr Spec spec = tex_spec("grad", "tex.grad.geom.v4.dtype.f32 d, [a, c], dPdx, dPdy", tex_grad_legal, 4);
};

constexpr Spec tld4_spec(std::string_view component) {
  return {.mnemonic = "tld4",
          .fixed = component,
          .syntax = "tld4.comp.2d.v4.dtype.f32 d, [a, c]",
          .section = "Texture: tld4",
          .accept = Accept::mode | Accept::vec,
          .modes = {"1d", "2d"},  // in the order of ImageShape
          .min_ptx = 31,
          .min_sm = 30,
          .legal = tld4_legal,
          .min_operands = 2,
          .max_operands = 2};
}
template <uint8_t kComponent>
struct Tld4 {
  static constexpr std::array<std::string_view, 4> kNames = {"r", "g", "b", "a"};
  static constexpr Spec spec = tld4_spec(kNames[kComponent]);
  using types = TypePairs<TypePair<Ty::f32, Ty::f32>, TypePair<Ty::s32, Ty::f32>, TypePair<Ty::u32, Ty::f32>>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Warp warp = Warp::none;
};

constexpr std::string_view boundary_words(Boundary boundary) {
  return boundary == Boundary::trap ? "b trap" : boundary == Boundary::clamp ? "b clamp" : "b zero";
}
inline bool surface_legal(const Mods& m, Ty type, Ty) {
  return m.vec <= 4 && m.vec * bits(type) <= 128 && m.cache != Cache::nc && m.space == Space::generic;
}

constexpr Spec surface_spec(std::string_view mnemonic, Boundary boundary, std::string_view syntax,
                            std::string_view section) {
  return {.mnemonic = mnemonic,
          .fixed = boundary_words(boundary),
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
      surface_spec("suld", kBoundary, "suld.b.geom{.cop}{.vec}.dtype.clamp d, [a, b]", "Surface: suld");
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
};
template <Boundary kBoundary>
struct Sust : SurfaceAccess {
  static constexpr Spec spec =
      surface_spec("sust", kBoundary, "sust.b.geom{.cop}{.vec}.ctype.clamp [a, b], c", "Surface: sust");
  static constexpr Lat latency(Ty) { return Lat::st_global; }
};

using ImageOps = OpList<Tex, TexLevel, TexGrad, Tld4<0>, Tld4<1>, Tld4<2>, Tld4<3>, Suld<Boundary::trap>,
                        Suld<Boundary::clamp>, Suld<Boundary::zero>, Sust<Boundary::trap>, Sust<Boundary::clamp>,
                        Sust<Boundary::zero>>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
