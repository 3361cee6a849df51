#pragma once
// The frame of every entry point of the driver API. Most carry out a function of the runtime API (runtime_calls.hpp)
// under their own name: streams, events, memory and kernels are the same things in both.
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "simulator/cuda_driver/result.hpp"
#include "simulator/cuda_driver/runtime_calls.hpp"
#include "simulator/cudart/api/common.hpp"

#define HPML_CU_API extern "C" __attribute__((visibility("default")))

namespace hpml::sim::cuda_driver {

using cudart::ApiRecord;
using cudart::Context;
using cudart::ContextHandle;
using cudart::per_thread;
using cudart::Runtime;
using cudart::this_thread;

using DevicePtr = uint64_t;  // CUdeviceptr

inline void* pointer_of(DevicePtr address) { return reinterpret_cast<void*>(address); }

// While one lives, the runtime logs its calls under this name and leaves cudaGetLastError() alone.
class AskedAs {
 public:
  explicit AskedAs(const char* name) : before_(this_thread().asked_as) { this_thread().asked_as = name; }
  ~AskedAs() { this_thread().asked_as = before_; }
  AskedAs(const AskedAs&) = delete;
  AskedAs& operator=(const AskedAs&) = delete;

 private:
  const char* before_;
};

// For calls that need cuInit only: `body(Runtime&, ApiRecord&) -> Error`.
template <class Body>
int driver_call(const char* name, Body body) {
  const AskedAs asked(name);
  return result_of(cudart::api_call(name, [&](Runtime& runtime, ApiRecord& record) {
    return runtime.context_handles.started ? body(runtime, record) : kNotInitialized;
  }));
}

// For calls that need a current context: `body(Runtime&, Context&, ApiRecord&) -> Error`.
template <class Body>
int context_call(const char* name, Body body) {
  return driver_call(name, [&](Runtime& runtime, ApiRecord& record) {
    if (this_thread().contexts.empty()) {
      return kInvalidContext;
    }
    Error error = Error::success;
    Context* context = runtime.context(error);
    return context != nullptr ? body(runtime, *context, record) : error;
  });
}

// Carries out a call of the runtime: `call() -> int`, its error code. Needs cuInit.
template <class Call>
int forward_contextless(const char* name, Call call) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  if (!runtime.context_handles.started) {
    return driver_call(name, [](Runtime&, ApiRecord&) { return Error::success; });
  }
  const AskedAs asked(name);
  return result_of(call());
}

// The same; needs a current context too.
template <class Call>
int forward(const char* name, Call call) {
  if (this_thread().contexts.empty()) {
    return driver_call(name, [](Runtime&, ApiRecord&) { return kInvalidContext; });
  }
  return forward_contextless(name, call);
}

// Carries out `call() -> int` with the context current.
template <class Call>
int with_context(ContextHandle& handle, Call call) {
  cudart::ThreadState& thread = this_thread();
  const int device = thread.device;
  thread.contexts.push_back(&handle);
  thread.device = handle.device;
  const int error = call();
  thread.contexts.pop_back();
  thread.device = device;
  return error;
}

inline bool is_device(const Runtime& runtime, int ordinal) { return ordinal >= 0 && ordinal < runtime.device_count(); }

}  // namespace hpml::sim::cuda_driver
