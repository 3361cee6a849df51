// CUDA arrays: the runtime's, described in the driver's words.
#include "simulator/cuda_driver/array.hpp"

#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

struct ArrayDescriptor {  // CUDA_ARRAY_DESCRIPTOR
  size_t width, height;
  int format;
  unsigned channels;
};
static_assert(sizeof(ArrayDescriptor) == 24);

// CUarray_format, and how the runtime's channel descriptor says the same (cudaChannelFormatKind).
struct Format {
  int id, bits, kind;
};
constexpr int kSigned = 0, kUnsigned = 1, kFloat = 2;
constexpr Format kFormats[] = {{1, 8, kUnsigned}, {2, 16, kUnsigned}, {3, 32, kUnsigned}, {8, 8, kSigned},
                               {9, 16, kSigned},  {10, 32, kSigned},  {0x10, 16, kFloat}, {0x20, 32, kFloat}};

}  // namespace

std::optional<cudart::ChannelFormat> channels_of(int format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4) {
    return std::nullopt;
  }
  for (const Format& known : kFormats) {
    if (known.id == format) {
      return cudart::ChannelFormat{.x = known.bits,
                                   .y = channels >= 2 ? known.bits : 0,
                                   .z = channels >= 4 ? known.bits : 0,
                                   .w = channels >= 4 ? known.bits : 0,
                                   .kind = known.kind};
    }
  }
  return std::nullopt;
}

namespace {

int create(const char* name, void** array, const Array3DDescriptor& what) {
  return forward(name, [&] {
    const auto format = channels_of(what.format, what.channels);
    return format ? cudaMalloc3DArray(array, &*format, {what.width, what.height, what.depth}, what.flags)
                  : static_cast<int>(Error::invalid_value);
  });
}

// `body(const cudart::Array&, int format, unsigned channels) -> Error`
template <class Body>
int describe(const char* name, void* handle, Body body) {
  return context_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    const cudart::Array* array = runtime.array(handle);
    if (array == nullptr) {
      return kInvalidHandle;
    }
    const unsigned channels = array->format.w != 0 ? 4 : array->format.y != 0 ? 2 : 1;
    for (const Format& known : kFormats) {
      if (known.bits == array->format.x && known.kind == array->format.kind) {
        return body(*array, known.id, channels);
      }
    }
    return Error::not_supported;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuArrayCreate_v2(void** array, const ArrayDescriptor* what) {
  if (what == nullptr) {
    return forward("cuArrayCreate", [] { return static_cast<int>(Error::invalid_value); });
  }
  return create("cuArrayCreate", array, {what->width, what->height, 0, what->format, what->channels, 0});
}
HPML_CU_API int cuArray3DCreate_v2(void** array, const Array3DDescriptor* what) {
  if (what == nullptr) {
    return forward("cuArray3DCreate", [] { return static_cast<int>(Error::invalid_value); });
  }
  return create("cuArray3DCreate", array, *what);
}
HPML_CU_API int cuArrayDestroy(void* array) {
  return forward("cuArrayDestroy", [&] { return cudaFreeArray(array); });
}
HPML_CU_API int cuArrayGetDescriptor_v2(ArrayDescriptor* out, void* handle) {
  return describe("cuArrayGetDescriptor", handle, [&](const cudart::Array& array, int format, unsigned channels) {
    if (out == nullptr) {
      return Error::invalid_value;
    }
    *out = {array.extent.width, array.extent.height, format, channels};
    return Error::success;
  });
}
HPML_CU_API int cuArray3DGetDescriptor_v2(Array3DDescriptor* out, void* handle) {
  return describe("cuArray3DGetDescriptor", handle, [&](const cudart::Array& array, int format, unsigned channels) {
    if (out == nullptr) {
      return Error::invalid_value;
    }
    *out = {array.extent.width, array.extent.height, array.extent.depth, format, channels, array.flags};
    return Error::success;
  });
}
