#pragma once
// How programs describe texture and surface objects to the runtime.
#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/cudart/runtime/array.hpp"

namespace hpml::sim::cudart {

enum class ResourceType : int { array = 0, mipmapped_array = 1, linear = 2, pitch_2d = 3 };  // cudaResourceType

struct LinearMemory {
  uint64_t pointer;
  ChannelFormat format{};
  uint64_t bytes;
};
struct PitchedMemory {
  uint64_t pointer;
  ChannelFormat format{};
  uint64_t width, height, pitch;
};
struct ResourceDescription {  // cudaResourceDesc, as far as it is read: the same in 11, 12 and 13
  ResourceType type;
  union {
    const void* array;  // or a pyramid
    LinearMemory linear;
    PitchedMemory pitched;
  } what;
};
static_assert(sizeof(ResourceDescription) == 64);
static_assert(offsetof(ResourceDescription, what) == 8 && offsetof(LinearMemory, bytes) == 32);
static_assert(offsetof(PitchedMemory, width) == 32 && offsetof(PitchedMemory, pitch) == 48);

struct TextureDescription {  // cudaTextureDesc, as far as it is read
  std::array<int, 3> address_mode;
  int filter_mode;  // 0 point, 1 linear
  int read_mode;    // 0 element type, 1 normalized float
  int srgb;
  std::array<float, 4> border;
  int normalized_coordinates;
  unsigned most_anisotropy;  // has no effect: textures are filtered alike in all directions
  int level_filter_mode;
  float level_bias, least_level, greatest_level;
  int disables_trilinear_optimization;
};
static_assert(offsetof(TextureDescription, normalized_coordinates) == 40 && sizeof(TextureDescription) == 68);

}  // namespace hpml::sim::cudart
