// Devices and their properties.
#include <algorithm>
#include <cstring>

#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cudart/abi/layout.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// `body(const cudart::DeviceProp13&) -> Error`
template <class Body>
int property_call(const char* name, int ordinal, Body body) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    if (!is_device(runtime, ordinal)) {
      return Error::invalid_device;
    }
    Context* context = runtime.device(ordinal);
    if (context == nullptr) {
      return Error::initialization_error;
    }
    cudart::DeviceProp13 properties;
    cudart::fill(properties, context->device().properties(), ordinal);
    return body(properties);
  });
}

int get_uuid(const char* name, void* uuid, int ordinal) {
  return property_call(name, ordinal, [&](const cudart::DeviceProp13& properties) {
    if (uuid == nullptr) {
      return Error::invalid_value;
    }
    std::memcpy(uuid, properties.uuid, sizeof(properties.uuid));
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuDeviceGet(int* device, int ordinal) {
  return driver_call("cuDeviceGet", [&](Runtime& runtime, ApiRecord&) {
    if (device == nullptr) {
      return Error::invalid_value;
    }
    return is_device(runtime, ordinal) ? (*device = ordinal, Error::success) : Error::invalid_device;
  });
}

HPML_CU_API int cuDeviceGetCount(int* count) {
  return driver_call("cuDeviceGetCount", [&](Runtime& runtime, ApiRecord&) {
    return count != nullptr ? (*count = runtime.device_count(), Error::success) : Error::invalid_value;
  });
}

HPML_CU_API int cuDeviceGetName(char* name, int length, int ordinal) {
  return property_call("cuDeviceGetName", ordinal, [&](const cudart::DeviceProp13& properties) {
    if (name == nullptr || length <= 0) {
      return Error::invalid_value;
    }
    const size_t room = static_cast<size_t>(length) - 1;
    const size_t size = std::min(room, std::strlen(properties.name));
    std::memcpy(name, properties.name, size);
    name[size] = '\0';
    return Error::success;
  });
}

HPML_CU_API int cuDeviceTotalMem_v2(size_t* bytes, int ordinal) {
  return property_call("cuDeviceTotalMem", ordinal, [&](const cudart::DeviceProp13& properties) {
    return bytes != nullptr ? (*bytes = properties.totalGlobalMem, Error::success) : Error::invalid_value;
  });
}

HPML_CU_API int cuDeviceComputeCapability(int* major, int* minor, int ordinal) {
  return property_call("cuDeviceComputeCapability", ordinal, [&](const cudart::DeviceProp13& properties) {
    if (major == nullptr || minor == nullptr) {
      return Error::invalid_value;
    }
    *major = properties.major;
    *minor = properties.minor;
    return Error::success;
  });
}

HPML_CU_API int cuDeviceGetUuid(void* uuid, int ordinal) { return get_uuid("cuDeviceGetUuid", uuid, ordinal); }
HPML_CU_API int cuDeviceGetUuid_v2(void* uuid, int ordinal) { return get_uuid("cuDeviceGetUuid", uuid, ordinal); }

HPML_CU_API int cuDeviceGetAttribute(int* value, int attribute, int ordinal) {
  return forward_contextless("cuDeviceGetAttribute", [&] { return cudaDeviceGetAttribute(value, attribute, ordinal); });
}
HPML_CU_API int cuDeviceGetPCIBusId(char* text, int length, int ordinal) {
  return forward_contextless("cuDeviceGetPCIBusId", [&] { return cudaDeviceGetPCIBusId(text, length, ordinal); });
}

HPML_CU_API int cuDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) {
    return driver_call("cuDeviceGetByPCIBusId", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
  }
  return forward_contextless("cuDeviceGetByPCIBusId", [&] {
    char id[32];
    for (int ordinal = 0; cudaDeviceGetPCIBusId(id, sizeof(id), ordinal) == 0; ++ordinal) {
      if (std::strcmp(id, text) == 0) {
        *device = ordinal;
        return 0;
      }
    }
    return static_cast<int>(Error::invalid_device);
  });
}

HPML_CU_API int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  return forward_contextless("cuDeviceCanAccessPeer", [&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

HPML_CU_API int cuDeviceGetP2PAttribute(int* value, int attribute, int device, int peer) {
  return forward_contextless("cuDeviceGetP2PAttribute",
                             [&] { return cudaDeviceGetP2PAttribute(value, attribute, device, peer); });
}

// The fields of CUdevprop, which the driver API has deprecated but still serves.
struct DeviceProperties {
  int max_threads_per_block, max_threads_dim[3], max_grid_size[3], shared_per_block, constant_memory, simd_width,
      mem_pitch, registers_per_block, clock_rate, texture_align;
};
static_assert(sizeof(DeviceProperties) == 56);

HPML_CU_API int cuDeviceGetProperties(DeviceProperties* out, int ordinal) {
  return property_call("cuDeviceGetProperties", ordinal, [&](const cudart::DeviceProp13& from) {
    if (out == nullptr) {
      return Error::invalid_value;
    }
    out->max_threads_per_block = from.maxThreadsPerBlock;
    std::ranges::copy(from.maxThreadsDim, out->max_threads_dim);
    std::ranges::copy(from.maxGridSize, out->max_grid_size);
    out->shared_per_block = static_cast<int>(from.sharedMemPerBlock);
    out->constant_memory = static_cast<int>(from.totalConstMem);
    out->simd_width = from.warpSize;
    out->mem_pitch = static_cast<int>(from.memPitch);
    out->registers_per_block = from.regsPerBlock;
    out->clock_rate = Runtime::get().device(ordinal)->device().properties().core_clock_khz;
    out->texture_align = static_cast<int>(from.textureAlignment);
    return Error::success;
  });
}
