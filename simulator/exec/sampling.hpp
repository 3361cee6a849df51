#pragma once
// Reading a texture: which texels a coordinate means, with which weights, and what a texel is worth (CUDA C++
// Programming Guide, "Texture Fetching"; PTX ISA 9.0, 9.7.10). Pure functions; the bytes are found by the caller.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/isa/image_form.hpp"
#include "simulator/memory/image.hpp"

namespace hpml::sim::exec {

// Along one axis: one texel, or two with the weight of the second. A negative index: the border.
struct Taps {
  std::array<int64_t, 2> index = {};
  float weight = 0;  // of index[1]; 0: index[0] alone
};

// `x`: coordinate of a fetch with floats; normalized coordinates are those of the image. `offset`: in texels.
Taps taps_of(const memory::Image& image, int axis, float x, bool linear, int64_t offset = 0);
// The texel an integer coordinate means; negative: outside, read as the border.
int64_t texel_index(const memory::Image& image, int axis, int64_t x);
uint64_t extent_of(const memory::Image& image, int axis);

// One level of a pyramid, or two with the weight of the second.
struct LevelTaps {
  int level = 0;
  float weight = 0;  // of level + 1
};

// `lod`: the level of detail that is asked for, before the texture's bias and clamps (OpenGL 4.6, 8.14.2 and 8.14.3,
// which the CUDA manuals follow without saying so). A texture without a pyramid has level 0 only.
LevelTaps level_taps(const memory::Image& image, float lod);

// The level at which the longer of two gradients, in coordinates of the image, is as long as a texel
// (OpenGL 4.6, 8.14.1).
float lod_of_gradients(const memory::Image& image, std::span<const float> along_x, std::span<const float> along_y);

// Face of a cube and the place on it, 0 to 1, that a direction points to.
struct CubePlace {
  int face = 0;
  float s = 0, t = 0;
};
CubePlace cube_place(float x, float y, float z);

// A texel's channels as the 32 bits a register gets: integers extended, floats and normalized integers as float.
// Channels that are not there are 0.
using TexelBits = std::array<uint32_t, 4>;
TexelBits decode_texel(const memory::Image& image, const std::byte* texel);
TexelBits border_texel(const memory::Image& image);
// What txq and suq say of an image: enumerations are those that the PTX manual lists, channel types and orders those of
// OpenCL.
uint32_t answer(const memory::Image& image, isa::ImageQuery query);
// binary16, to the nearest.
uint32_t half_bits(float value);
// Whether decode_texel() gives floats, which can be filtered.
bool reads_floats(const memory::Image& image);

}  // namespace hpml::sim::exec
