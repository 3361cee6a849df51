#pragma once
// CUDA arrays. Their layout is opaque to programs: here it is rows one after the other in device memory.
#include <cstdint>

namespace hpml::sim::cudart {

struct ChannelFormat {  // cudaChannelFormatDesc
  int x = 0, y = 0, z = 0, w = 0, kind = 0;
  uint64_t bytes() const { return static_cast<uint64_t>(x + y + z + w) / 8; }
};

struct Extent {  // cudaExtent
  uint64_t width = 0, height = 0, depth = 0;
};

// cudaArray_t is the address of one; its context owns it.
struct Array {
  ChannelFormat format;
  Extent extent;  // as the program gave it, in elements: height and depth are 0 for fewer dimensions
  unsigned flags = 0;
  uint64_t address = 0;
  uint64_t pitch() const { return extent.width * format.bytes(); }
  uint64_t rows() const { return extent.height > 0 ? extent.height : 1; }
  uint64_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
  uint64_t bytes() const { return pitch() * rows() * slices(); }
};

}  // namespace hpml::sim::cudart
