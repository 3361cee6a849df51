// CUDA arrays: opaque storage that kernels read and write through texture and surface objects.
#include <array>

#include "simulator/cudart/api/array.hpp"

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

// Every channel that is there has the same width, and the first that is missing ends them.
bool valid(const ChannelFormat& format) {
  constexpr int kFloatKind = 2, kLastOrdinaryKind = 3;  // cudaChannelFormatKindFloat, -None
  const std::array<int, 4> widths = {format.x, format.y, format.z, format.w};
  if ((format.x != 8 && format.x != 16 && format.x != 32) || format.kind < 0 || format.kind >= kLastOrdinaryKind ||
      (format.kind == kFloatKind && format.x == 8)) {
    return false;
  }
  bool ended = false;
  for (const int width : widths) {
    if ((width != 0 && width != format.x) || (ended && width != 0)) {
      return false;
    }
    ended = ended || width == 0;
  }
  const bool three_channels = format.z != 0 && format.w == 0;
  return !three_channels;
}

}  // namespace

Error check_array(const ChannelFormat* format, const Extent& extent, unsigned flags) {
  constexpr unsigned kKnown = 15;  // layered, surface access, cube map, gather
  if (format == nullptr || extent.width == 0 || flags > kKnown) {
    return Error::invalid_value;
  }
  if (!valid(*format)) {
    return Error::invalid_channel_descriptor;
  }
  const bool layered = (flags & Array::kLayered) != 0;
  return extent.depth > 0 && extent.height == 0 && !layered ? Error::invalid_value : Error::success;
}

bool set_format(memory::Image& image, const ChannelFormat& format) {
  constexpr int kLastOrdinaryKind = 3;  // cudaChannelFormatKindNone
  if ((format.x != 8 && format.x != 16 && format.x != 32) || format.kind < 0 || format.kind >= kLastOrdinaryKind ||
      (format.kind == 2 && format.x == 8)) {
    return false;
  }
  image.channel_bytes = format.x / 8;
  image.channels = format.w != 0 ? 4 : format.y != 0 ? 2 : 1;
  image.kind = static_cast<memory::TexelKind>(format.kind);
  return format.z == format.w;  // three channels are no texel
}

memory::Image image_of(const Array& array) {
  memory::Image image;
  image.address = array.address;
  image.pitch = array.pitch();
  image.slice = array.pitch() * array.rows();
  image.width = array.extent.width;
  image.height = array.rows();
  image.depth = array.slices();
  image.layered = array.layered();
  (void)set_format(image, array.format);  // check_array() has let it pass
  return image;
}

namespace {

int malloc_array(const char* name, void** out, const ChannelFormat* format, Extent extent, unsigned flags) {
  return unsafe_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    if (const Error error = check_array(format, extent, flags); out == nullptr || error != Error::success) {
      return out == nullptr ? Error::invalid_value : error;
    }
    Array array{.format = *format, .extent = extent, .flags = flags};
    record.bytes = as_bytes_field(array.bytes());
    runtime.clock.advance(context.device().api_cost(device::ApiCost::malloc_device, array.bytes()));
    array.address = context.memory().allocate(memory::Kind::device, array.bytes());
    if (array.address == 0) {
      return Error::memory_allocation;
    }
    *out = context.add_array(array);
    return Error::success;
  });
}

Error free_array(Runtime& runtime, const void* handle) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* owner = runtime.started(ordinal);
    const Array* array = owner != nullptr ? owner->array(handle) : nullptr;
    if (array == nullptr) {
      continue;
    }
    if (array->is_level) {
      return Error::invalid_value;
    }
    if (const Error error = synchronize_device(*owner); error != Error::success) {
      return error;
    }
    runtime.clock.advance(owner->device().api_cost(device::ApiCost::free_device, array->bytes()));
    (void)owner->memory().free(array->address, memory::Kind::device);
    owner->destroy_array(*array);
    return Error::success;
  }
  return Error::invalid_value;
}

template <class Body>
int array_call(const char* name, const void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    const Array* array = runtime.array(handle);
    return array != nullptr ? body(*array) : Error::invalid_resource_handle;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API ChannelFormat cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }

HPML_CUDA_API int cudaMallocArray(void** array, const ChannelFormat* format, size_t width, size_t height,
                                  unsigned flags) {
  return malloc_array("cudaMallocArray", array, format, {width, height, 0}, flags);
}
HPML_CUDA_API int cudaMalloc3DArray(void** array, const ChannelFormat* format, Extent extent, unsigned flags) {
  return malloc_array("cudaMalloc3DArray", array, format, extent, flags);
}
HPML_CUDA_API int cudaFreeArray(void* array) {
  return unsafe_call("cudaFreeArray", [&](Runtime& runtime, Context&, ApiRecord&) {
    return array == nullptr ? Error::success : free_array(runtime, array);
  });
}
HPML_CUDA_API int cudaArrayGetInfo(ChannelFormat* format, Extent* extent, unsigned* flags, void* handle) {
  return array_call("cudaArrayGetInfo", handle, [&](const Array& array) {
    if (format != nullptr) {
      *format = array.format;
    }
    if (extent != nullptr) {
      *extent = array.extent;
    }
    if (flags != nullptr) {
      *flags = array.flags;
    }
    return Error::success;
  });
}
HPML_CUDA_API int cudaGetChannelDesc(ChannelFormat* format, const void* handle) {
  return array_call("cudaGetChannelDesc", handle, [&](const Array& array) {
    return format != nullptr ? (*format = array.format, Error::success) : Error::invalid_value;
  });
}
