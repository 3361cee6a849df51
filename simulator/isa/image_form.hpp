#pragma once
// Texture and surface instructions: the variants of Shape::warp that have no Warp operation. They work lane by lane;
// what they share with the others of that shape is that the executor knows their meaning. Which of them a variant is
// follows from the words of its Spec.
#include <cstdint>

#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

enum class ImageOp : uint8_t { fetch, gather, load, store, store_formatted, reduce, query, is_kind };
// What the image looks like to the instruction: Mods::mode. An image of samples (.2dms) has one sample a texel here.
enum class ImageShape : uint8_t { d1, d2, d3, a1d, a2d, cube, acube, d2ms, a2dms };
enum class Boundary : uint8_t { trap, clamp, zero };  // of surface accesses outside the surface
enum class Reduction : uint8_t { add, min, max, bit_and, bit_or };
// What txq and suq ask for: Mods::mode of ImageOp::query.
enum class ImageQuery : uint8_t {
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  normalized_coords,
  array_size,
  num_mipmap_levels,
  num_samples,
  force_unnormalized_coords,
  filter_mode,
  addr_mode_0,
  addr_mode_1,
  addr_mode_2,
  memory_layout
};
enum class OpaqueKind : uint8_t { texref, samplerref, surfref };  // Mods::mode of ImageOp::is_kind

struct ImageForm {
  ImageOp op = ImageOp::fetch;
  uint8_t component = 0;  // gather: which one
  Boundary boundary = Boundary::trap;
  Reduction reduction = Reduction::add;
  bool counts_texels = false;  // the x of a surface, which otherwise counts bytes
};

inline bool is_image(Shape shape, Warp warp) { return shape == Shape::warp && warp == Warp::none; }

constexpr bool has_word(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const bool ends = at + word.size() == words.size() || words[at + word.size()] == ' ';
    if (begins && ends) {
      return true;
    }
  }
  return false;
}

// Precondition: is_image(spec's shape).
constexpr ImageForm image_form(const Spec& spec) {
  constexpr std::string_view kComponents = "rgba";
  if (spec.mnemonic == "tex") {
    return {};
  }
  if (spec.mnemonic == "tld4") {
    return {.op = ImageOp::gather, .component = static_cast<uint8_t>(kComponents.find(spec.fixed))};
  }
  if (spec.mnemonic == "txq" || spec.mnemonic == "suq") {
    return {.op = ImageOp::query};
  }
  if (spec.mnemonic == "istypep") {
    return {.op = ImageOp::is_kind};
  }
  ImageForm out;
  out.boundary = has_word(spec.fixed, "trap")    ? Boundary::trap
                 : has_word(spec.fixed, "clamp") ? Boundary::clamp
                                                 : Boundary::zero;
  out.counts_texels = has_word(spec.fixed, "p");
  if (spec.mnemonic == "sured") {
    out.op = ImageOp::reduce;
    out.reduction = has_word(spec.fixed, "add")   ? Reduction::add
                    : has_word(spec.fixed, "min") ? Reduction::min
                    : has_word(spec.fixed, "max") ? Reduction::max
                    : has_word(spec.fixed, "and") ? Reduction::bit_and
                                                  : Reduction::bit_or;
    return out;
  }
  out.op = spec.mnemonic == "suld" ? ImageOp::load : out.counts_texels ? ImageOp::store_formatted : ImageOp::store;
  return out;
}

}  // namespace hpml::sim::isa
