// The primary context of a device: the one the runtime API works on.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// `body(Runtime&, ContextHandle&) -> Error`
template <class Body>
int primary_call(const char* name, int device, Body body) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    return is_device(runtime, device) ? body(runtime, runtime.context_handles.primary(device)) : Error::invalid_device;
  });
}

bool is_active(Runtime& runtime, const ContextHandle& handle) {
  const Context* context = runtime.started(handle.device);
  return context != nullptr && context->active;
}

Error reset(ContextHandle& handle) { return static_cast<Error>(with_context(handle, cudaDeviceReset)); }

int release(const char* name, int device) {
  return primary_call(name, device, [](Runtime&, ContextHandle& handle) {
    if (handle.retained == 0) {
      return kInvalidContext;
    }
    --handle.retained;
    // The runtime may hold the context too: what it made stays until cudaDeviceReset.
    return handle.retained == 0 && !handle.used_by_runtime ? reset(handle) : Error::success;
  });
}

int reset_call(const char* name, int device) {
  return primary_call(name, device, [](Runtime& runtime, ContextHandle& handle) {
    return is_active(runtime, handle) ? reset(handle) : Error::success;
  });
}

int set_flags(const char* name, int device, unsigned flags) {
  return primary_call(name, device, [&](Runtime&, ContextHandle& handle) {
    handle.flags = flags;
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuDevicePrimaryCtxRetain(void** context, int device) {
  return primary_call("cuDevicePrimaryCtxRetain", device, [&](Runtime&, ContextHandle& handle) {
    if (context == nullptr) {
      return Error::invalid_value;
    }
    ++handle.retained;
    *context = &handle;
    return Error::success;
  });
}
HPML_CU_API int cuDevicePrimaryCtxRelease(int device) { return release("cuDevicePrimaryCtxRelease", device); }
HPML_CU_API int cuDevicePrimaryCtxRelease_v2(int device) { return release("cuDevicePrimaryCtxRelease", device); }
HPML_CU_API int cuDevicePrimaryCtxReset(int device) { return reset_call("cuDevicePrimaryCtxReset", device); }
HPML_CU_API int cuDevicePrimaryCtxReset_v2(int device) { return reset_call("cuDevicePrimaryCtxReset", device); }
HPML_CU_API int cuDevicePrimaryCtxSetFlags(int device, unsigned flags) {
  return set_flags("cuDevicePrimaryCtxSetFlags", device, flags);
}
HPML_CU_API int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  return set_flags("cuDevicePrimaryCtxSetFlags", device, flags);
}
HPML_CU_API int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return primary_call("cuDevicePrimaryCtxGetState", device, [&](Runtime& runtime, ContextHandle& handle) {
    if (flags == nullptr || active == nullptr) {
      return Error::invalid_value;
    }
    *flags = handle.flags;
    *active = handle.retained > 0 || (handle.used_by_runtime && is_active(runtime, handle)) ? 1 : 0;
    return Error::success;
  });
}
