#pragma once
// Images: what the handles of texture and surface objects stand for. Texels lie in ordinary memory of the address
// space, rows one after the other; how a texture reads them is part of the image (CUDA C++ Programming Guide, "Texture
// and Surface Memory"). Bytes and numbers only: sampling is the executor's.
#include <array>
#include <cstdint>
#include <optional>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::memory {

enum class TexelKind : uint8_t { signed_integer, unsigned_integer, floating };  // cudaChannelFormatKind
enum class AddressMode : uint8_t { wrap, clamp, mirror, border };               // cudaTextureAddressMode

struct Image {
  uint64_t address = 0;
  uint64_t pitch = 0, slice = 0;              // bytes from row to row; from slice (or layer) to slice
  uint64_t width = 1, height = 1, depth = 1;  // in texels; depth: slices, layers, or faces of cubes
  int channels = 1, channel_bytes = 4;        // a texel has 1, 2 or 4 channels of 1, 2 or 4 bytes
  TexelKind kind = TexelKind::floating;
  bool plain_memory = false;  // a range of memory, not an array: read by whole texels, zero outside
  int levels = 1;             // of a pyramid (mipmapped array); what is above is of level 0
  bool layered = false;       // depth counts layers or faces, which every level has
  bool is_surface = false;    // the image of a surface object, not of a texture object

  // Of textures.
  std::array<AddressMode, 3> modes = {};
  bool linear = false;                  // filtered between the nearest texels
  bool normalized_coordinates = false;  // 0 to 1 across the image
  bool normalized_values = false;       // integers are read as 0 to 1, or -1 to 1
  bool srgb = false;                    // and decoded from sRGB
  std::array<float, 4> border = {};
  bool mixes_levels = false;  // reads two levels of a pyramid and weighs them, not the nearer one
  float level_bias = 0, least_level = 0, greatest_level = 0;

  uint64_t texel_bytes() const { return static_cast<uint64_t>(channels) * static_cast<uint64_t>(channel_bytes); }
};

// Level 0 has the size of the pyramid; each further one is half as wide and as high, and as deep unless its slices are
// layers, at least one texel, and lies behind the one before it (Programming Guide, "Mipmapped arrays").
Image level_of(const Image& pyramid, int level);

// A handle is the address of the image's description in the GPU's memory, so that handles of different GPUs differ.
uint64_t add_image(AddressSpace& memory, const Image& image);  // 0: memory is exhausted
// Nothing: no such object, or it has been destroyed.
std::optional<Image> find_image(const AddressSpace& memory, uint64_t handle);
bool remove_image(AddressSpace& memory, uint64_t handle);

}  // namespace hpml::sim::memory
