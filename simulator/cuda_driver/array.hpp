#pragma once
// Arrays as the driver API describes them.
#include <cstddef>
#include <optional>

#include "simulator/cudart/runtime/array.hpp"

namespace hpml::sim::cuda_driver {

struct Array3DDescriptor {  // CUDA_ARRAY3D_DESCRIPTOR
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
};
static_assert(sizeof(Array3DDescriptor) == 40);

// Texels of a CUarray_format with so many channels, in the runtime's words; nothing for a format that no array has.
std::optional<cudart::ChannelFormat> channels_of(int format, unsigned channels);

}  // namespace hpml::sim::cuda_driver
