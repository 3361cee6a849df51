// Contexts of the calling thread: make, bind, ask.
#include <fmt/format.h>

#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/owned.hpp"

namespace hpml::sim::cuda_driver {
namespace {

constexpr unsigned kKnownFlags = 0xff;  // CU_CTX_FLAGS_MASK
constexpr unsigned kOldVersion = 3010, kVersion = 3020;

void bind(ContextHandle* handle) {
  cudart::ThreadState& thread = this_thread();
  thread.contexts.push_back(handle);
  thread.device = handle->device;
}

void unbind() {
  cudart::ThreadState& thread = this_thread();
  thread.contexts.pop_back();
  if (!thread.contexts.empty()) {
    thread.device = thread.contexts.back()->device;
  }
}

int create(const char* name, void** out, unsigned flags, int device, unsigned version) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    if (out == nullptr || flags > kKnownFlags) {
      return Error::invalid_value;
    }
    if (!is_device(runtime, device)) {
      return Error::invalid_device;
    }
    ContextHandle& handle = runtime.context_handles.create(device, flags, version);
    bind(&handle);
    Error error = Error::success;
    if (runtime.context(error) == nullptr) {
      unbind();
      runtime.context_handles.destroy(handle);
      return error;
    }
    *out = &handle;
    return Error::success;
  });
}

struct ContextParameters {  // CUctxCreateParams
  const void* affinities;
  int affinity_count;
  const void* cig;
};

int refuse(const char* wanted) {
  return driver_call("cuCtxCreate", [&](Runtime&, ApiRecord&) {
    cudart::say(fmt::format("cuCtxCreate: {} is not supported", wanted));
    return Error::not_supported;
  });
}

int destroy(const char* name, void* context) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    ContextHandle* handle = runtime.context_handles.find(context);
    if (handle == nullptr || handle->primary) {
      return context == nullptr ? Error::invalid_value : kInvalidContext;
    }
    with_context(*handle, [&] {
      release_owned(*handle);
      return 0;
    });
    auto& contexts = this_thread().contexts;
    const bool was_current = !contexts.empty() && contexts.back() == handle;
    std::erase(contexts, handle);
    if (was_current && !contexts.empty()) {
      this_thread().device = contexts.back()->device;
    }
    runtime.context_handles.destroy(*handle);
    return Error::success;
  });
}

int push(const char* name, void* context) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    ContextHandle* handle = runtime.context_handles.find(context);
    if (handle == nullptr) {
      return context == nullptr ? Error::invalid_value : kInvalidContext;
    }
    bind(handle);
    return Error::success;
  });
}

int pop(const char* name, void** context) {
  return driver_call(name, [&](Runtime&, ApiRecord&) {
    if (this_thread().contexts.empty()) {
      return kInvalidContext;
    }
    if (context != nullptr) {
      *context = this_thread().contexts.back();
    }
    unbind();
    return Error::success;
  });
}

// About `context`, or the current one for null: `body(ContextHandle&) -> Error`.
template <class Body>
int handle_call(const char* name, void* context, Body body) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord&) {
    const auto& contexts = this_thread().contexts;
    ContextHandle* handle = context != nullptr ? runtime.context_handles.find(context)
                            : contexts.empty() ? nullptr
                                               : contexts.back();
    return handle != nullptr ? body(*handle) : kInvalidContext;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuCtxCreate(void** context, unsigned flags, int device) {
  return create("cuCtxCreate", context, flags, device, kOldVersion);
}
HPML_CU_API int cuCtxCreate_v2(void** context, unsigned flags, int device) {
  return create("cuCtxCreate", context, flags, device, kVersion);
}
// Execution affinity (a part of the multiprocessors) is for MPS servers only.
HPML_CU_API int cuCtxCreate_v3(void** context, const void*, int parameters, unsigned flags, int device) {
  return parameters == 0 ? create("cuCtxCreate", context, flags, device, kVersion)
                         : refuse("execution affinity, which only MPS servers have");
}
HPML_CU_API int cuCtxCreate_v4(void** context, const ContextParameters* parameters, unsigned flags, int device) {
  if (parameters != nullptr && parameters->cig != nullptr) {
    return refuse("a context for CUDA in graphics (cigParams)");
  }
  const int affinities = parameters != nullptr ? parameters->affinity_count : 0;
  return cuCtxCreate_v3(context, nullptr, affinities, flags, device);
}
HPML_CU_API int cuCtxDestroy(void* context) { return destroy("cuCtxDestroy", context); }
HPML_CU_API int cuCtxDestroy_v2(void* context) { return destroy("cuCtxDestroy", context); }
HPML_CU_API int cuCtxPushCurrent(void* context) { return push("cuCtxPushCurrent", context); }
HPML_CU_API int cuCtxPushCurrent_v2(void* context) { return push("cuCtxPushCurrent", context); }
HPML_CU_API int cuCtxPopCurrent(void** context) { return pop("cuCtxPopCurrent", context); }
HPML_CU_API int cuCtxPopCurrent_v2(void** context) { return pop("cuCtxPopCurrent", context); }

HPML_CU_API int cuCtxSetCurrent(void* context) {
  return driver_call("cuCtxSetCurrent", [&](Runtime& runtime, ApiRecord&) {
    ContextHandle* handle = runtime.context_handles.find(context);
    if (context != nullptr && handle == nullptr) {
      return kInvalidContext;
    }
    if (!this_thread().contexts.empty()) {
      unbind();
    }
    if (handle != nullptr) {
      bind(handle);
    }
    return Error::success;
  });
}

HPML_CU_API int cuCtxGetCurrent(void** context) {
  return driver_call("cuCtxGetCurrent", [&](Runtime&, ApiRecord&) {
    if (context == nullptr) {
      return Error::invalid_value;
    }
    const auto& contexts = this_thread().contexts;
    *context = contexts.empty() ? nullptr : contexts.back();
    return Error::success;
  });
}

HPML_CU_API int cuCtxGetDevice(int* device) {
  return handle_call("cuCtxGetDevice", nullptr, [&](ContextHandle& handle) {
    return device != nullptr ? (*device = handle.device, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuCtxGetDevice_v2(int* device, void* context) {
  return handle_call("cuCtxGetDevice", context, [&](ContextHandle& handle) {
    return device != nullptr ? (*device = handle.device, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuCtxGetFlags(unsigned* flags) {
  return handle_call("cuCtxGetFlags", nullptr, [&](ContextHandle& handle) {
    return flags != nullptr ? (*flags = handle.flags, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuCtxSetFlags(unsigned flags) {
  return handle_call("cuCtxSetFlags", nullptr, [&](ContextHandle& handle) {
    return flags <= kKnownFlags ? (handle.flags = flags, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuCtxGetId(void* context, unsigned long long* id) {
  return handle_call("cuCtxGetId", context, [&](ContextHandle& handle) {
    return id != nullptr ? (*id = handle.id, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuCtxGetApiVersion(void* context, unsigned* version) {
  return handle_call("cuCtxGetApiVersion", context, [&](ContextHandle& handle) {
    return version != nullptr ? (*version = handle.version, Error::success) : Error::invalid_value;
  });
}

// Before contexts had owners, they counted their users: the calls remain, and the context is destroyed by its name.
HPML_CU_API int cuCtxAttach(void** context, unsigned flags) {
  return handle_call("cuCtxAttach", nullptr, [&](ContextHandle& handle) {
    return context != nullptr && flags == 0 ? (*context = &handle, Error::success) : Error::invalid_value;
  });
}
HPML_CU_API int cuCtxDetach(void* context) { return destroy("cuCtxDetach", context); }
