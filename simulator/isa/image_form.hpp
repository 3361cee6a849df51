#pragma once
// Texture and surface instructions: the variants of Shape::warp that have no Warp operation. They work lane by lane;
// what they share with the others of that shape is that the executor knows their meaning. Which of them a variant is
// follows from the words of its Spec.
#include <cstdint>

#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

enum class ImageOp : uint8_t { fetch, gather, load, store };
// What the image looks like to the instruction: Mods::mode.
enum class ImageShape : uint8_t { d1, d2, d3, a1d, a2d, cube, acube };
enum class Boundary : uint8_t { trap, clamp, zero };  // of surface accesses outside the surface

struct ImageForm {
  ImageOp op = ImageOp::fetch;
  uint8_t component = 0;  // gather: which one
  Boundary boundary = Boundary::trap;
};

inline bool is_image(Shape shape, Warp warp) { return shape == Shape::warp && warp == Warp::none; }

// Precondition: is_image(spec's shape).
constexpr ImageForm image_form(const Spec& spec) {
  constexpr std::string_view kComponents = "rgba";
  if (spec.mnemonic == "tex") {
    return {};
  }
  if (spec.mnemonic == "tld4") {
    return {ImageOp::gather, static_cast<uint8_t>(kComponents.find(spec.fixed)), Boundary::trap};
  }
  const Boundary boundary = spec.fixed.ends_with("trap")    ? Boundary::trap
                            : spec.fixed.ends_with("clamp") ? Boundary::clamp
                                                            : Boundary::zero;
  return {spec.mnemonic == "suld" ? ImageOp::load : ImageOp::store, 0, boundary};
}

}  // namespace hpml::sim::isa
