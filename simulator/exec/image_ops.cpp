// Texture instructions (PTX ISA 9.0, 9.7.10), and which image a texture or surface instruction means. Every lane finds
// its image by its handle; the access that is checked, counted and timed is that of the nearest texel, as a load of
// global memory: filtering reads the texels around it, which lie in the same lines more often than not.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/sampling.hpp"
#include "simulator/isa/image_form.hpp"

namespace hpml::sim::exec {

namespace {

using isa::ImageShape;
using memory::Image;

ImageShape shape_of(const ir::Inst& inst) { return static_cast<ImageShape>(inst.mods.mode); }
bool is_layered(ImageShape shape) {
  return shape == ImageShape::a1d || shape == ImageShape::a2d || shape == ImageShape::acube ||
         shape == ImageShape::a2dms;
}
// A texel has one sample here, so its number, which is the first coordinate, says nothing.
size_t sample_numbers(ImageShape shape) { return shape == ImageShape::d2ms || shape == ImageShape::a2dms ? 1 : 0; }

// Where one lane reads an image: taps along x and y, and along z where the image is a volume.
struct TapPlace {
  std::array<Taps, 3> axis;
};

// The images of a texture: one, or the levels of a pyramid.
class Levels {
 public:
  explicit Levels(const Image& first) : first_(first) {
    for (int i = 1; i < first.levels; ++i) {
      rest_.push_back(memory::level_of(first, i));
    }
  }
  const Image& operator[](int level) const { return level == 0 ? first_ : rest_[static_cast<size_t>(level) - 1]; }

 private:
  const Image& first_;
  std::vector<Image> rest_;
};

// The level of detail that one lane asks for. `choice`: the operands after the coordinates.
float level_asked(const Image& image, ImageShape shape, std::span<const uint32_t> choice, bool whole) {
  if (choice.empty()) {
    return 0;
  }
  if (choice.size() == 1) {
    return whole ? static_cast<float>(static_cast<int32_t>(choice[0])) : std::bit_cast<float>(choice[0]);
  }
  const size_t each = choice.size() / 2, axes = std::min<size_t>(each, shape == ImageShape::d3 ? 3 : 2);
  std::array<float, 8> gradients = {};
  std::transform(choice.begin(), choice.end(), gradients.begin(),
                 [](uint32_t raw) { return std::bit_cast<float>(raw); });
  const std::span<const float> all(gradients);
  return lod_of_gradients(image, all.subspan(0, axes), all.subspan(each, axes));
}

// The two nearest texels of one axis that count.
size_t taps_used(const Taps& taps) { return taps.weight == 0 ? 1 : 2; }

}  // namespace

const std::byte* WarpCollectives::texel_at(const Image& image, uint64_t x, uint64_t y, uint64_t z, int lane) {
  const uint64_t address = image.address + z * image.slice + y * image.pitch + x * image.texel_bytes();
  const std::byte* found = data_at(address, lane, image.texel_bytes());
  if (found == nullptr && !trapped()) {
    fail(TrapKind::illegal_address, "texture read: the memory behind the texture object is not there", lane, address);
  }
  return found;
}

namespace {

struct Coordinates {
  std::array<uint32_t, 4> raw = {};
  bool whole = false;                  // integers, not floats
  std::array<int32_t, 4> offset = {};  // in texels
  float number(size_t i) const { return std::bit_cast<float>(raw[i]); }
};

TapPlace place_of(const Image& image, ImageShape shape, const Coordinates& c, bool linear) {
  TapPlace out;
  const size_t layer_at = sample_numbers(shape), first = layer_at + (is_layered(shape) ? 1 : 0);
  const bool cube = shape == ImageShape::cube || shape == ImageShape::acube;
  if (cube) {
    const CubePlace at = cube_place(c.number(first), c.number(first + 1), c.number(first + 2));
    Image face = image;  // places on a face are always from 0 to 1
    face.normalized_coordinates = true;
    face.modes.fill(memory::AddressMode::clamp);
    out.axis[0] = taps_of(face, 0, at.s, linear);
    out.axis[1] = taps_of(face, 1, at.t, linear);
    out.axis[2].index[0] = at.face;
  } else {
    const size_t axes = shape == ImageShape::d3 ? 3 : shape == ImageShape::d1 || shape == ImageShape::a1d ? 1 : 2;
    for (size_t i = 0; i < axes; ++i) {
      const int axis = static_cast<int>(i);
      if (c.whole) {
        out.axis[i].index[0] = texel_index(image, axis, int64_t{static_cast<int32_t>(c.raw[first + i])} + c.offset[i]);
      } else {
        out.axis[i] = taps_of(image, axis, c.number(first + i), linear, c.offset[i]);
      }
    }
  }
  if (is_layered(shape)) {  // the layer is clamped (Programming Guide, "Layered Textures")
    constexpr int64_t kFaces = 6;
    const int64_t faces = cube ? kFaces : 1, layers = std::max<int64_t>(static_cast<int64_t>(image.depth) / faces, 1);
    const int64_t layer = std::clamp<int64_t>(static_cast<int32_t>(c.raw[layer_at]), 0, layers - 1);
    out.axis[2].index[0] += layer * faces;
  }
  return out;
}

// The mean of up to eight texels by their weights.
template <class Texel>
TexelBits filtered(const TapPlace& place, const Texel& texel) {
  const auto weight = [&](size_t axis, size_t tap) {
    const double w = place.axis[axis].weight;
    return tap == 0 ? 1 - w : w;
  };
  std::array<double, 4> sum = {};
  for (size_t k = 0; k < taps_used(place.axis[2]); ++k) {
    for (size_t j = 0; j < taps_used(place.axis[1]); ++j) {
      for (size_t i = 0; i < taps_used(place.axis[0]); ++i) {
        const TexelBits one = texel(i, j, k);
        for (size_t c = 0; c < one.size(); ++c) {
          sum[c] += weight(0, i) * weight(1, j) * weight(2, k) * double{std::bit_cast<float>(one[c])};
        }
      }
    }
  }
  TexelBits out;
  for (size_t c = 0; c < out.size(); ++c) {
    out[c] = std::bit_cast<uint32_t>(static_cast<float>(sum[c]));
  }
  return out;
}

// Two levels of a pyramid, of which the second weighs so much.
TexelBits mixed(const TexelBits& near, const TexelBits& next, float weight) {
  TexelBits out;
  for (size_t c = 0; c < out.size(); ++c) {
    const double mean = (1 - double{weight}) * double{std::bit_cast<float>(near[c])} +
                        double{weight} * double{std::bit_cast<float>(next[c])};
    out[c] = std::bit_cast<uint32_t>(static_cast<float>(mean));
  }
  return out;
}

// A texel in the registers of the instruction: 32 bits each, or halves, of which two may share one.
TexelBits in_registers(isa::Ty type, const TexelBits& texel) {
  if (type != isa::Ty::f16 && type != isa::Ty::f16x2) {
    return texel;
  }
  TexelBits half;
  std::transform(texel.begin(), texel.end(), half.begin(),
                 [](uint32_t bits) { return half_bits(std::bit_cast<float>(bits)); });
  return type == isa::Ty::f16 ? half : TexelBits{half[0] | half[1] << 16, half[2] | half[3] << 16};
}

// Where one lane reads a texture: in one level, or in two.
struct SamplePlace {
  LevelTaps levels;
  std::array<TapPlace, 2> at;
  size_t levels_used() const { return levels.weight == 0 ? 1 : 2; }
};

SamplePlace sample_place(const Levels& levels, ImageShape shape, const Coordinates& c, std::span<const uint32_t> choice,
                         bool linear) {
  SamplePlace out;
  if (levels[0].levels > 1) {
    out.levels = level_taps(levels[0], level_asked(levels[0], shape, choice, c.whole));
  }
  for (size_t k = 0; k < out.levels_used(); ++k) {
    out.at[k] = place_of(levels[out.levels.level + static_cast<int>(k)], shape, c, linear);
  }
  return out;
}

}  // namespace

void WarpCollectives::sample_texture(const ir::Inst& inst, const Image& image, LaneMask active, Effects* effects) {
  const isa::ImageForm form = isa::image_form(*inst.variant->spec);
  if (inst.src[0] != isa::kNoSlot) {
    return fail(TrapKind::illegal_instruction, "texture objects of CUDA compare no depths", std::countr_zero(active));
  }
  const bool gathers = form.op == isa::ImageOp::gather;
  const bool whole = inst.variant->types[1] == isa::Ty::s32;
  const bool linear = !whole && (gathers || (image.linear && reads_floats(image)));
  const Levels levels(image);
  std::array<SamplePlace, 32> places;
  LaneMask inside = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    Coordinates c{.whole = whole};
    for (size_t i = 0; i < inst.matrix->a.size(); ++i) {
      c.raw[i] = value_u32(inst.matrix->a[i], static_cast<int>(lane));
    }
    for (size_t i = 0; i < inst.matrix->c.size(); ++i) {
      c.offset[i] = static_cast<int32_t>(value_u32(inst.matrix->c[i], static_cast<int>(lane)));
    }
    std::array<uint32_t, 8> choice{};
    for (size_t i = 0; i < inst.matrix->b.size(); ++i) {
      choice[i] = value_u32(inst.matrix->b[i], static_cast<int>(lane));
    }
    places[lane] = sample_place(levels, shape_of(inst), c, std::span(choice).first(inst.matrix->b.size()), linear);
    const auto& [x, y, z] = places[lane].at[0].axis;
    const Image& level = levels[places[lane].levels.level];
    if (x.index[0] >= 0 && y.index[0] >= 0 && z.index[0] >= 0) {
      inside |= 1u << lane;
      address_.set(lane, level.address + static_cast<uint64_t>(z.index[0]) * level.slice +
                             static_cast<uint64_t>(y.index[0]) * level.pitch +
                             static_cast<uint64_t>(x.index[0]) * level.texel_bytes());
    }
  }
  ir::Inst read = plain_access(inst, isa::Mem::ld, static_cast<uint32_t>(image.channel_bytes),
                               static_cast<uint8_t>(image.channels));
  read.mods.space = isa::Space::global;
  Places found;
  if (inside != 0 && !global_places(read, inside, effects, found)) {
    return;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto value_in = [&](const Image& level, const TapPlace& place) {
      const auto texel = [&](size_t i, size_t j, size_t k) {
        const int64_t x = place.axis[0].index[i], y = place.axis[1].index[j], z = place.axis[2].index[k];
        if (x < 0 || y < 0 || z < 0) {
          return border_texel(level);
        }
        const std::byte* bytes =
            texel_at(level, static_cast<uint64_t>(x), static_cast<uint64_t>(y), static_cast<uint64_t>(z), lane);
        return bytes != nullptr ? decode_texel(level, bytes) : TexelBits{};
      };
      const size_t c = form.component;  // gathered counter-clockwise from the lower left
      return gathers  ? TexelBits{texel(0, 1, 0)[c], texel(1, 1, 0)[c], texel(1, 0, 0)[c], texel(0, 0, 0)[c]}
             : linear ? filtered(place, texel)
                      : texel(0, 0, 0);
    };
    const SamplePlace& place = places[static_cast<size_t>(lane)];
    const auto& [level, weight] = place.levels;
    TexelBits out = value_in(levels[level], place.at[0]);
    if (place.levels_used() == 2) {
      out = mixed(out, value_in(levels[level + 1], place.at[1]), weight);
    }
    out = in_registers(inst.variant->types[0], out);
    for (size_t i = 0; i < inst.matrix->d.size(); ++i) {
      set_value(inst.matrix->d[i], lane, inst.dst_bytes, out[i]);
    }
  }
  if (inst.dst[1] != isa::kNoSlot) {  // textures are in memory as a whole
    set_predicate(inst.dst[1], active, isa::kFullMask);
  }
}

namespace {

bool is_of_kind(const std::optional<Image>& image, uint8_t kind) {
  switch (static_cast<isa::OpaqueKind>(kind)) {
    case isa::OpaqueKind::texref: return image && !image->is_surface;
    case isa::OpaqueKind::surfref: return image && image->is_surface;
    case isa::OpaqueKind::samplerref: break;  // settings without an image: no object of CUDA
  }
  return false;
}

// What a handle stands for: the address of an image's description, or that of a .texref or .surfref variable, in which
// lies the handle of what is bound to it.
std::optional<Image> image_of(const memory::AddressSpace& memory, uint64_t handle) {
  if (auto found = memory::find_image(memory, handle)) {
    return found;
  }
  const memory::Allocation* variable = memory.own(handle);
  if (variable == nullptr || variable->kind != memory::Kind::module || !variable->contains(handle, sizeof handle)) {
    return std::nullopt;
  }
  std::memcpy(&handle, variable->view + (handle - variable->base), sizeof handle);
  return memory::find_image(memory, handle);
}

}  // namespace

// txq, suq: settings of the image, as numbers of OpenCL where CUDA has none (PTX ISA 9.0, 9.7.10 "txq").
void WarpCollectives::ask_image(const ir::Inst& inst, const Image& image, LaneMask active) {
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto level = inst.matrix->b.empty() ? 0 : static_cast<int32_t>(value_u32(inst.matrix->b[0], lane));
    const Image asked = level > 0 && level < image.levels ? memory::level_of(image, level) : image;
    set_value(inst.dst[0], lane, inst.dst_bytes, answer(asked, static_cast<isa::ImageQuery>(inst.mods.mode)));
  }
}

// Lanes with the same handle go together.
void WarpCollectives::image_op(const ir::Inst& inst, LaneMask active, Effects* effects) {
  tally_->touched.complete = false;
  const isa::ImageOp op = isa::image_form(*inst.variant->spec).op;
  std::array<uint64_t, 32> handle{};
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t base = op == isa::ImageOp::is_kind ? value(inst.matrix->a[0], lane, sizeof(uint64_t))
                          : inst.addr == isa::kNoSlot ? 0
                                                      : value(inst.addr, lane, inst.addr_bytes);
    handle[static_cast<size_t>(lane)] = base + static_cast<uint64_t>(inst.offset);
  }
  for (LaneMask rest = active; rest != 0 && !trapped();) {
    const int leader = std::countr_zero(rest);
    LaneMask same = 0;
    for (LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      same |= handle[static_cast<size_t>(lane)] == handle[static_cast<size_t>(leader)] ? 1u << lane : 0u;
    }
    const auto image = image_of(*grid_->services_.memory, handle[static_cast<size_t>(leader)]);
    rest &= ~same;
    if (op == isa::ImageOp::is_kind) {
      set_predicate(inst.dst[0], same, is_of_kind(image, inst.mods.mode) ? isa::kFullMask : 0u);
      continue;
    }
    if (!image) {
      return fail(TrapKind::illegal_address,
                  fmt::format("{:#x} is no texture or surface object of this GPU", handle[static_cast<size_t>(leader)]),
                  leader);
    }
    if (op == isa::ImageOp::query) {
      ask_image(inst, *image, same);
    } else if (op == isa::ImageOp::fetch || op == isa::ImageOp::gather) {
      sample_texture(inst, *image, same, effects);
    } else {
      access_surface(inst, *image, same, effects);
    }
  }
}

}  // namespace hpml::sim::exec
