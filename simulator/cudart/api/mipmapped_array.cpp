// Image pyramids (mipmapped arrays): level i + 1 is half as wide, high and deep as level i. Each level is an array,
// whose memory is the pyramid's.
#include <algorithm>
#include <bit>

#include "simulator/cudart/api/array.hpp"
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

// As many as it takes to come down to one texel.
unsigned most_levels(const Array& first) {
  const auto& [width, height, depth] = first.extent;
  return static_cast<unsigned>(std::bit_width(std::max({width, height, first.layered() ? 0 : depth})));
}

Array level_of(const Array& first, int level) {
  const memory::Image image = memory::level_of(image_of(first), level);
  Array out = first;
  out.extent = {image.width, first.extent.height > 0 ? image.height : 0, first.extent.depth > 0 ? image.depth : 0};
  out.address = image.address;
  out.is_level = true;
  return out;
}

Error allocate(Runtime& runtime, Context& context, ApiRecord& record, Array first, unsigned count, void** out) {
  const Array last = level_of(first, static_cast<int>(count) - 1);  // of a pyramid at address 0
  const uint64_t bytes = last.address + last.bytes();
  record.bytes = as_bytes_field(bytes);
  runtime.clock.advance(context.device().api_cost(device::ApiCost::malloc_device, bytes));
  first.address = context.memory().allocate(memory::Kind::device, bytes);
  if (first.address == 0) {
    return Error::memory_allocation;
  }
  Pyramid pyramid;
  for (unsigned level = 0; level < count; ++level) {
    pyramid.levels.push_back(context.add_array(level_of(first, static_cast<int>(level))));
  }
  *out = context.add_pyramid(pyramid);
  return Error::success;
}

Error free_pyramid(Runtime& runtime, const void* handle) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* owner = runtime.started(ordinal);
    const Pyramid* pyramid = owner != nullptr ? owner->pyramid(handle) : nullptr;
    if (pyramid == nullptr) {
      continue;
    }
    if (const Error error = synchronize_device(*owner); error != Error::success) {
      return error;
    }
    const uint64_t address = pyramid->levels.front()->address;
    const Array& last = *pyramid->levels.back();
    runtime.clock.advance(
        owner->device().api_cost(device::ApiCost::free_device, last.address + last.bytes() - address));
    (void)owner->memory().free(address, memory::Kind::device);
    owner->destroy_pyramid(*pyramid);
    return Error::success;
  }
  return Error::invalid_value;
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMallocMipmappedArray(void** out, const ChannelFormat* format, Extent extent, unsigned levels,
                                           unsigned flags) {
  return unsafe_call("cudaMallocMipmappedArray", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (const Error error = check_array(format, extent, flags); out == nullptr || error != Error::success) {
      return out == nullptr ? Error::invalid_value : error;
    }
    Array first;
    first.format = *format;
    first.extent = extent;
    first.flags = flags;
    return allocate(runtime, context, record, first, std::clamp(levels, 1u, most_levels(first)), out);
  });
}

HPML_CUDA_API int cudaGetMipmappedArrayLevel(void** array, const void* handle, unsigned level) {
  return device_call("cudaGetMipmappedArrayLevel", [&](Runtime& runtime, Context&, ApiRecord&) {
    const Pyramid* pyramid = runtime.pyramid(handle);
    if (pyramid == nullptr) {
      return Error::invalid_resource_handle;
    }
    if (array == nullptr || level >= pyramid->levels.size()) {
      return Error::invalid_value;
    }
    *array = pyramid->levels[level];
    return Error::success;
  });
}

HPML_CUDA_API int cudaFreeMipmappedArray(void* handle) {
  return unsafe_call("cudaFreeMipmappedArray", [&](Runtime& runtime, Context&, ApiRecord&) {
    return handle == nullptr ? Error::success : free_pyramid(runtime, handle);
  });
}
