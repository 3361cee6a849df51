#pragma once
// What the files about CUDA arrays share.
#include "simulator/cudart/runtime/array.hpp"
#include "simulator/cudart/runtime/errors.hpp"
#include "simulator/memory/image.hpp"

namespace hpml::sim::cudart {

// Whether a program may ask for such an array: invalid_value or invalid_channel_descriptor where not.
Error check_array(const ChannelFormat* format, const Extent& extent, unsigned flags);

// How texels of this format are read; false where no texture can.
bool set_format(memory::Image& image, const ChannelFormat& format);

// The texels of an array: place, size and format.
memory::Image image_of(const Array& array);

}  // namespace hpml::sim::cudart
