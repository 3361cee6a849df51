#pragma once
// CUDA arrays. Their layout is opaque to programs: here it is rows one after the other in device memory.
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpml::sim::cudart {

struct ChannelFormat {  // cudaChannelFormatDesc; without initialisers, as a C function returns it
  int x, y, z, w, kind;
  uint64_t bytes() const { return static_cast<uint64_t>(x + y + z + w) / 8; }
};

struct Extent {  // cudaExtent
  uint64_t width = 0, height = 0, depth = 0;
};

// cudaArray_t is the address of one; its context owns it.
struct Array {
  static constexpr unsigned kLayered = 1, kCubeMap = 4;
  ChannelFormat format{};
  Extent extent;  // as the program gave it, in elements: height and depth are 0 for fewer dimensions
  unsigned flags = 0;
  uint64_t address = 0;
  bool is_level = false;  // of a pyramid, which owns its memory
  bool layered() const { return (flags & (kLayered | kCubeMap)) != 0; }
  uint64_t pitch() const { return extent.width * format.bytes(); }
  uint64_t rows() const { return extent.height > 0 ? extent.height : 1; }
  uint64_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
  uint64_t bytes() const { return pitch() * rows() * slices(); }
};

// An image pyramid (mipmapped array): cudaMipmappedArray_t is the address of one; its context owns it.
struct Pyramid {
  std::vector<Array*> levels;  // the context's too; the first has the address of the whole memory
};

// How the program described a texture or surface object: its cudaResourceDesc and cudaTextureDesc, which it may ask
// for.
struct ImageObject {
  std::array<std::byte, 64> resource = {};
  std::array<std::byte, 68> texture = {};  // zero for a surface
};

}  // namespace hpml::sim::cudart
