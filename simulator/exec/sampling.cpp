#include "simulator/exec/sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace hpml::sim::exec {

namespace {

using memory::AddressMode;
using memory::Image;
using memory::TexelKind;

// Wrapping and mirroring exist for normalized coordinates only.
AddressMode mode_of(const Image& image, int axis) {
  const AddressMode mode = image.modes[static_cast<size_t>(axis)];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !image.normalized_coordinates ? AddressMode::clamp : mode;
}

float half_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const auto fraction = static_cast<float>(bits & 1023);
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) {
    return fraction == 0 ? sign * INFINITY : NAN;
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

float srgb_decoded(float c) { return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F); }

// The signed minimum and its neighbour are both -1 (Programming Guide, cudaReadModeNormalizedFloat).
float normalized(uint32_t raw, int bytes, bool is_signed) {
  const int width = bytes * 8;
  if (!is_signed) {
    return static_cast<float>(raw) / static_cast<float>((1u << width) - 1);
  }
  return std::max(static_cast<float>(static_cast<int32_t>(raw)) / static_cast<float>((1u << (width - 1)) - 1), -1.0F);
}

uint32_t sign_extended(uint32_t raw, int bytes) {
  const int shift = 32 - bytes * 8;
  return static_cast<uint32_t>(static_cast<int32_t>(raw << shift) >> shift);
}

}  // namespace

uint64_t extent_of(const Image& image, int axis) {
  return axis == 0 ? image.width : axis == 1 ? image.height : image.depth;
}

int64_t texel_index(const Image& image, int axis, int64_t x) {
  const auto size = static_cast<int64_t>(extent_of(image, axis));
  if (x >= 0 && x < size) {
    return x;
  }
  if (image.plain_memory) {
    return -1;
  }
  switch (mode_of(image, axis)) {
    case AddressMode::border: return -1;
    case AddressMode::wrap: return ((x % size) + size) % size;
    case AddressMode::mirror: {
      const int64_t folded = ((x % (2 * size)) + 2 * size) % (2 * size);
      return folded < size ? folded : 2 * size - 1 - folded;
    }
    case AddressMode::clamp: break;
  }
  return std::clamp<int64_t>(x, 0, size - 1);
}

Taps taps_of(const Image& image, int axis, float x, bool linear, int64_t offset) {
  constexpr float kFar = 1 << 30;  // beyond every image: the conversion to an index stays defined
  const auto size = static_cast<float>(extent_of(image, axis));
  if (image.normalized_coordinates) {
    const AddressMode mode = mode_of(image, axis);
    const float whole = std::floor(x);
    if (mode == AddressMode::wrap) {
      x -= whole;
    } else if (mode == AddressMode::mirror) {
      x = std::fmod(whole, 2.0F) == 0 ? x - whole : 1 - (x - whole);
    }
    x *= size;
  }
  x = std::isnan(x) ? 0 : std::clamp(x, -kFar, kFar);
  Taps out;
  if (!linear) {
    out.index[0] = texel_index(image, axis, static_cast<int64_t>(std::floor(x)) + offset);
    return out;
  }
  // Weights have 8 bits of fraction (Programming Guide, "Linear Filtering": 1.8 fixed point).
  const float low = std::floor(x - 0.5F);
  out.weight = std::floor((x - 0.5F - low) * 256 + 0.5F) / 256;
  out.index[0] = texel_index(image, axis, static_cast<int64_t>(low) + offset);
  out.index[1] = texel_index(image, axis, static_cast<int64_t>(low) + offset + 1);
  return out;
}

LevelTaps level_taps(const Image& image, float lod) {
  const auto last = static_cast<float>(image.levels - 1);
  lod = std::isnan(lod) ? 0 : lod + image.level_bias;
  lod = std::clamp(std::clamp(lod, image.least_level, std::max(image.least_level, image.greatest_level)), 0.0F, last);
  if (!image.mixes_levels) {
    return {.level = static_cast<int>(std::floor(lod + 0.5F))};  // half way: the smaller one (measured on an H200)
  }
  const float low = std::floor(lod);  // weights as those of linear filtering
  return {.level = static_cast<int>(low), .weight = std::floor((lod - low) * 256 + 0.5F) / 256};
}

float lod_of_gradients(const Image& image, std::span<const float> along_x, std::span<const float> along_y) {
  const auto texels = [&](std::span<const float> gradient) {
    float sum = 0;
    for (size_t axis = 0; axis < gradient.size(); ++axis) {
      const auto size = static_cast<float>(extent_of(image, static_cast<int>(axis)));
      const float length = gradient[axis] * (image.normalized_coordinates ? size : 1);
      sum += length * length;
    }
    return std::sqrt(sum);
  };
  return std::log2(std::max(texels(along_x), texels(along_y)));
}

// Programming Guide, "Cubemap Textures": the table of faces.
CubePlace cube_place(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float m = az, s = z >= 0 ? x : -x, t = -y;
  int face = z >= 0 ? 4 : 5;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  }
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

bool reads_floats(const Image& image) { return image.kind == TexelKind::floating || image.normalized_values; }

TexelBits decode_texel(const Image& image, const std::byte* texel) {
  TexelBits out = {};
  for (int c = 0; c < image.channels; ++c) {
    uint32_t raw = 0;
    std::memcpy(&raw, texel + c * image.channel_bytes, static_cast<size_t>(image.channel_bytes));
    const bool is_signed = image.kind == TexelKind::signed_integer;
    raw = is_signed ? sign_extended(raw, image.channel_bytes) : raw;
    if (image.kind == TexelKind::floating) {
      raw = image.channel_bytes == 2 ? std::bit_cast<uint32_t>(half_value(static_cast<uint16_t>(raw))) : raw;
    } else if (image.normalized_values && image.channel_bytes < 4) {
      const float value = normalized(raw, image.channel_bytes, is_signed);
      raw = std::bit_cast<uint32_t>(image.srgb && c < 3 ? srgb_decoded(value) : value);
    }
    out[static_cast<size_t>(c)] = raw;
  }
  return out;
}

TexelBits border_texel(const Image& image) {
  TexelBits out = {};
  for (size_t c = 0; c < static_cast<size_t>(image.channels) && !image.plain_memory; ++c) {
    out[c] = reads_floats(image) ? std::bit_cast<uint32_t>(image.border[c])
                                 : static_cast<uint32_t>(static_cast<int64_t>(image.border[c]));
  }
  return out;
}

uint32_t half_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    return 0x7fffu;
  }
  if (magnitude >= 0x477ff000u) {  // 65520, halfway to the next power of two, and beyond
    return sign | 0x7c00u;
  }
  const int exponent = std::max(static_cast<int>(magnitude >> 23) - 127, -14);
  const double units = std::nearbyint(std::ldexp(std::fabs(double{value}), 10 - exponent));
  return sign | (static_cast<uint32_t>(units) + (static_cast<uint32_t>(exponent + 14) << 10));
}

namespace {

// CL_SIGNED_INT8 and so on: OpenCL's cl_channel_type.
uint32_t channel_type(const Image& image) {
  constexpr uint32_t kSnorm8 = 0x10d0, kUnorm8 = 0x10d2, kSigned8 = 0x10d7, kUnsigned8 = 0x10da, kHalf = 0x10dd;
  const auto width = static_cast<uint32_t>(std::countr_zero(static_cast<uint32_t>(image.channel_bytes)));
  switch (image.kind) {
    case TexelKind::floating: return kHalf + (image.channel_bytes == 2 ? 0 : 1);
    case TexelKind::signed_integer: return (image.normalized_values ? kSnorm8 : kSigned8) + width;
    case TexelKind::unsigned_integer: break;
  }
  return (image.normalized_values ? kUnorm8 : kUnsigned8) + width;
}

// wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border.
uint32_t address_mode(AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap: return 0;
    case AddressMode::mirror: return 1;
    case AddressMode::clamp: return 3;
    case AddressMode::border: break;
  }
  return 4;
}

}  // namespace

uint32_t answer(const Image& image, isa::ImageQuery query) {
  constexpr uint32_t kOrders[] = {0, 0x10b0, 0x10b2, 0, 0x10b5};  // CL_R, CL_RG, CL_RGBA
  switch (query) {
    case isa::ImageQuery::width: return static_cast<uint32_t>(image.width);
    case isa::ImageQuery::height: return static_cast<uint32_t>(image.height);
    case isa::ImageQuery::depth: return image.layered ? 1 : static_cast<uint32_t>(image.depth);
    case isa::ImageQuery::channel_data_type: return channel_type(image);
    case isa::ImageQuery::channel_order: return kOrders[image.channels];
    case isa::ImageQuery::normalized_coords: return image.normalized_coordinates ? 1 : 0;
    case isa::ImageQuery::array_size: return image.layered ? static_cast<uint32_t>(image.depth) : 0;
    case isa::ImageQuery::num_mipmap_levels: return static_cast<uint32_t>(image.levels);
    case isa::ImageQuery::num_samples: return 1;
    case isa::ImageQuery::force_unnormalized_coords: return 0;
    case isa::ImageQuery::filter_mode: return image.linear ? 1 : 0;
    case isa::ImageQuery::addr_mode_0: return address_mode(image.modes[0]);
    case isa::ImageQuery::addr_mode_1: return address_mode(image.modes[1]);
    case isa::ImageQuery::addr_mode_2: return address_mode(image.modes[2]);
    case isa::ImageQuery::memory_layout: return image.plain_memory ? 1 : 0;
  }
  return 0;
}

}  // namespace hpml::sim::exec
