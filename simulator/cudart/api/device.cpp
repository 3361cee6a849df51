// Device management.
#include <fmt/format.h>

#include <cstring>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

Error synchronize_device(Context& context) { return context.wait_until(context.timeline().all_done()); }

int device_properties(int ordinal, const device::Properties*& properties) {
  return api_call("cudaGetDeviceProperties", [&](Runtime& runtime, ApiRecord&) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    Context* context = runtime.device(ordinal);
    if (context == nullptr) {
      return Error::initialization_error;
    }
    runtime.clock.advance(context->device().api_cost(device::ApiCost::query, 0));
    properties = &context->device().properties();
    return Error::success;
  });
}

namespace {

constexpr int kLimitStack = 0, kLimitPrintf = 1, kLimitHeap = 2;  // cudaLimit

std::map<int, uint64_t> default_limits() {
  return {{kLimitStack, 1024}, {kLimitPrintf, uint64_t{1} << 20}, {kLimitHeap, uint64_t{8} << 20}};
}

uint64_t* limit_of(Context& context, int limit) {
  if (context.limits.empty()) {
    context.limits = default_limits();
  }
  const auto it = context.limits.find(limit);
  return it == context.limits.end() ? nullptr : &it->second;
}

// Frees what the program allocated; its handles are invalid from here on.
Error reset(Context& context) {
  const Error error = synchronize_device(context);
  if (error != Error::success) {
    return error;
  }
  check_leaks(context);
  context.destroy_events();
  context.forget_modules();
  std::vector<memory::Allocation> live;
  for (const memory::Allocation* allocation : context.memory().live()) {
    live.push_back(*allocation);
  }
  for (const memory::Allocation& allocation : live) {
    if (allocation.kind == memory::Kind::managed) {
      context.device().managed_freed(allocation.base);
    }
    if (allocation.kind == memory::Kind::registered) {
      context.memory().unregister_host(reinterpret_cast<void*>(allocation.base));
    } else if (allocation.kind != memory::Kind::module) {
      (void)context.memory().free(allocation.base, allocation.kind);
    }
  }
  context.limits.clear();
  context.flags = 0;
  context.active = false;
  return Error::success;
}

// A setting that this model has no use for: accepted, as on a device that ignores the hint.
int accepted_hint(const char* name) {
  return device_call(name, [](Runtime&, Context&, ApiRecord&) { return Error::success; });
}

int constant_answer(const char* name, int* answer, int value) {
  return device_call(name, [&](Runtime&, Context&, ApiRecord&) {
    return answer != nullptr ? (*answer = value, Error::success) : Error::invalid_value;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace device = hpml::sim::device;

HPML_CUDA_API int cudaGetDeviceCount(int* count) {
  return api_call("cudaGetDeviceCount", [&](Runtime& runtime, ApiRecord&) {
    return count != nullptr ? (*count = runtime.device_count(), Error::success) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaGetDevice(int* ordinal) {
  return api_call("cudaGetDevice", [&](Runtime&, ApiRecord&) {
    return ordinal != nullptr ? (*ordinal = this_thread().device, Error::success) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaSetDevice(int ordinal) {
  return api_call("cudaSetDevice", [&](Runtime& runtime, ApiRecord&) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    runtime.set_device(ordinal);
    return Error::success;
  });
}
HPML_CUDA_API int cudaInitDevice(int ordinal, unsigned, unsigned) {
  return api_call("cudaInitDevice", [&](Runtime& runtime, ApiRecord&) {
    return ordinal >= 0 && ordinal < runtime.device_count() ? Error::success : Error::invalid_device;
  });
}
HPML_CUDA_API int cudaChooseDevice(int* ordinal, const void*) {
  return api_call("cudaChooseDevice", [&](Runtime&, ApiRecord&) {
    return ordinal != nullptr ? (*ordinal = 0, Error::success) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaDeviceSynchronize() {
  return device_call("cudaDeviceSynchronize", [](Runtime& runtime, Context& context, ApiRecord&) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::synchronize, 0));
    return synchronize_device(context);
  });
}

HPML_CUDA_API int cudaDeviceReset() {
  return device_call("cudaDeviceReset", [](Runtime&, Context& context, ApiRecord&) { return reset(context); });
}

HPML_CUDA_API int cudaSetDeviceFlags(unsigned flags) {
  return device_call("cudaSetDeviceFlags", [&](Runtime&, Context& context, ApiRecord&) {
    context.flags = flags;
    return Error::success;
  });
}
HPML_CUDA_API int cudaGetDeviceFlags(unsigned* flags) {
  return device_call("cudaGetDeviceFlags", [&](Runtime&, Context& context, ApiRecord&) {
    return flags != nullptr ? (*flags = context.flags, Error::success) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaDeviceGetLimit(size_t* value, int limit) {
  return device_call("cudaDeviceGetLimit", [&](Runtime&, Context& context, ApiRecord&) {
    const uint64_t* stored = limit_of(context, limit);
    if (value == nullptr || stored == nullptr) {
      return value == nullptr ? Error::invalid_value : Error::unsupported_limit;
    }
    *value = *stored;
    return Error::success;
  });
}
HPML_CUDA_API int cudaDeviceSetLimit(int limit, size_t value) {
  return device_call("cudaDeviceSetLimit", [&](Runtime&, Context& context, ApiRecord&) {
    uint64_t* stored = limit_of(context, limit);
    return stored != nullptr ? (*stored = value, Error::success) : Error::unsupported_limit;
  });
}

HPML_CUDA_API int cudaDeviceSetCacheConfig(int) { return accepted_hint("cudaDeviceSetCacheConfig"); }
HPML_CUDA_API int cudaDeviceSetSharedMemConfig(int) { return accepted_hint("cudaDeviceSetSharedMemConfig"); }
HPML_CUDA_API int cudaCtxResetPersistingL2Cache() { return accepted_hint("cudaCtxResetPersistingL2Cache"); }
HPML_CUDA_API int cudaDeviceGetCacheConfig(int* config) {
  return constant_answer("cudaDeviceGetCacheConfig", config, 0);
}
HPML_CUDA_API int cudaDeviceGetSharedMemConfig(int* config) {
  return constant_answer("cudaDeviceGetSharedMemConfig", config, 1);  // four-byte banks
}
HPML_CUDA_API int cudaProfilerStart() { return accepted_hint("cudaProfilerStart"); }
HPML_CUDA_API int cudaProfilerStop() { return accepted_hint("cudaProfilerStop"); }

HPML_CUDA_API int cudaDeviceGetPCIBusId(char* text, int length, int ordinal) {
  return api_call("cudaDeviceGetPCIBusId", [&](Runtime& runtime, ApiRecord&) {
    const std::string id = fmt::format("0000:{:02X}:00.0", ordinal + 1);
    if (text == nullptr || length <= static_cast<int>(id.size())) {
      return Error::invalid_value;
    }
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    std::memcpy(text, id.c_str(), id.size() + 1);
    return Error::success;
  });
}

// Simulated devices do not see each other's memory.
HPML_CUDA_API int cudaDeviceCanAccessPeer(int* can, int a, int b) {
  return api_call("cudaDeviceCanAccessPeer", [&](Runtime& runtime, ApiRecord&) {
    if (a < 0 || b < 0 || a >= runtime.device_count() || b >= runtime.device_count()) {
      return Error::invalid_device;
    }
    return can != nullptr ? (*can = 0, Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaDeviceEnablePeerAccess(int, unsigned) {
  return api_call("cudaDeviceEnablePeerAccess", [](Runtime&, ApiRecord&) { return Error::invalid_device; });
}
HPML_CUDA_API int cudaDeviceDisablePeerAccess(int) {
  return api_call("cudaDeviceDisablePeerAccess", [](Runtime&, ApiRecord&) { return Error::peer_access_not_enabled; });
}
