// Device management.
#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <cstring>

#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {

namespace {

void await_all_held(Context& context) {
  for (Stream* stream : context.timeline().streams()) {
    await_held(Runtime::get(), {&context, stream});
  }
}

}  // namespace

Error synchronize_device(Context& context) {
  await_all_held(context);
  return context.wait_until(context.timeline().all_done());
}

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

// Frees what the program allocated; its handles are invalid from here on.
Error reset(Runtime& runtime, Context& context) {
  Error error = synchronize_during_capture(runtime, context);
  error = error == Error::success ? synchronize_device(context) : error;
  if (error != Error::success) {
    return error;
  }
  check_leaks(context);
  context.forget_handles();
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
  for (const int peer : context.peers) {
    context.memory().enable_peer(runtime.started(peer)->memory(), false);
  }
  context.peers.clear();
  context.flags = 0;
  context.cache_config = 0;
  context.active = false;
  return Error::success;
}

bool known_flags(unsigned flags) {
  constexpr unsigned kSchedule = 7, kMapHost = 8, kResizeLocal = 16, kSyncMemops = 128;
  const unsigned schedule = flags & kSchedule;
  const bool one_schedule = (schedule & (schedule - 1)) == 0;
  return one_schedule && (flags & ~(kSchedule | kMapHost | kResizeLocal | kSyncMemops)) == 0;
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
HPML_CUDA_API int cudaInitDevice(int ordinal, unsigned device_flags, unsigned flags) {
  return api_call("cudaInitDevice", [&](Runtime& runtime, ApiRecord&) {
    constexpr unsigned kFlagsAreValid = 1;  // cudaInitDeviceFlagsAreValid
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    if (flags > kFlagsAreValid || !known_flags(device_flags)) {
      return Error::invalid_value;
    }
    Context* context = runtime.device(ordinal);
    if (context != nullptr && flags == kFlagsAreValid) {
      context->flags = device_flags;
    }
    return context != nullptr ? Error::success : Error::initialization_error;
  });
}
HPML_CUDA_API int cudaChooseDevice(int* ordinal, const void*) {
  return api_call("cudaChooseDevice", [&](Runtime&, ApiRecord&) {
    return ordinal != nullptr ? (*ordinal = 0, Error::success) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaDeviceSynchronize() {
  return device_call("cudaDeviceSynchronize", [](Runtime& runtime, Context& context, ApiRecord&) {
    if (const Error error = synchronize_during_capture(runtime, context); error != Error::success) {
      return error;
    }
    await_all_held(context);
    return context.synchronize(context.timeline().all_done());
  });
}

HPML_CUDA_API int cudaDeviceReset() {
  return device_call("cudaDeviceReset",
                     [](Runtime& runtime, Context& context, ApiRecord&) { return reset(runtime, context); });
}

// Flags may be set before the device is in use and change nothing here but the answer; mapped host memory is always on.
HPML_CUDA_API int cudaSetDeviceFlags(unsigned flags) {
  return device_call("cudaSetDeviceFlags", [&](Runtime&, Context& context, ApiRecord&) {
    if (!known_flags(flags)) {
      return Error::invalid_value;
    }
    context.flags = flags;
    return Error::success;
  });
}
HPML_CUDA_API int cudaGetDeviceFlags(unsigned* flags) {
  return device_call("cudaGetDeviceFlags", [&](Runtime&, Context& context, ApiRecord&) {
    constexpr unsigned kMapHost = 8;
    return flags != nullptr ? (*flags = context.flags | kMapHost, Error::success) : Error::invalid_value;
  });
}

// A preference, which changes nothing here but the answer.
HPML_CUDA_API int cudaDeviceSetCacheConfig(int config) {
  return device_call("cudaDeviceSetCacheConfig", [&](Runtime&, Context& context, ApiRecord&) {
    constexpr int kPreferEqual = 3;
    if (config < 0 || config > kPreferEqual) {
      return Error::invalid_value;
    }
    context.cache_config = config;
    return Error::success;
  });
}
HPML_CUDA_API int cudaDeviceGetCacheConfig(int* config) {
  return device_call("cudaDeviceGetCacheConfig", [&](Runtime&, Context& context, ApiRecord&) {
    return config != nullptr ? (*config = context.cache_config, Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaDeviceSetSharedMemConfig(int) { return accepted_hint("cudaDeviceSetSharedMemConfig"); }
HPML_CUDA_API int cudaCtxResetPersistingL2Cache() { return accepted_hint("cudaCtxResetPersistingL2Cache"); }
HPML_CUDA_API int cudaDeviceGetSharedMemConfig(int* config) {
  return constant_answer("cudaDeviceGetSharedMemConfig", config, 1);  // four-byte banks
}

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

// "0000:01:00.0", or without the function or the domain.
HPML_CUDA_API int cudaDeviceGetByPCIBusId(int* ordinal, const char* text) {
  return api_call("cudaDeviceGetByPCIBusId", [&](Runtime& runtime, ApiRecord&) {
    if (ordinal == nullptr || text == nullptr) {
      return Error::invalid_value;
    }
    unsigned domain = 0, bus = 0, slot = 0;
    if (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3) {
      domain = 0;
      if (sscanf(text, "%x:%x", &bus, &slot) != 2) {
        return Error::invalid_value;
      }
    }
    const int found = static_cast<int>(bus) - 1;
    if (domain != 0 || slot != 0 || found < 0 || found >= runtime.device_count()) {
      return Error::invalid_device;
    }
    *ordinal = found;
    return Error::success;
  });
}

HPML_CUDA_API int cudaSetValidDevices(int* devices, int count) {
  return api_call("cudaSetValidDevices", [&](Runtime& runtime, ApiRecord&) {
    if (devices == nullptr || count < 1 || count > runtime.device_count()) {
      return Error::invalid_value;
    }
    const bool known = std::all_of(devices, devices + count,
                                   [&](int ordinal) { return ordinal >= 0 && ordinal < runtime.device_count(); });
    return known ? Error::success : Error::invalid_device;  // which comes first changes nothing: all are alike
  });
}
