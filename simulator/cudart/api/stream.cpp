// Streams.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr unsigned kNonBlocking = 1;  // cudaStreamNonBlocking

int create_stream(const char* name, void** handle, unsigned flags, int priority) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (handle == nullptr || flags > kNonBlocking) {
      return Error::invalid_value;
    }
    runtime.clock.advance(context.device().api_cost(device::ApiCost::stream_create, 0));
    *handle = &context.timeline().create(flags == kNonBlocking, flags, priority);
    return Error::success;
  });
}

// For the calls that ask about one stream: `body(Runtime&, Context&, Stream&) -> Error`.
template <class Body>
int stream_call(const char* name, void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    Stream* stream = context.stream(handle);
    return stream != nullptr ? body(runtime, context, *stream) : Error::invalid_resource_handle;
  });
}

int synchronize(void* handle) {
  return stream_call("cudaStreamSynchronize", handle, [](Runtime& runtime, Context& context, Stream& stream) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::synchronize, 0));
    return context.wait_until(context.timeline().ready(stream));
  });
}

int query(void* handle) {
  return stream_call("cudaStreamQuery", handle, [](Runtime& runtime, Context& context, Stream& stream) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    const Picoseconds done = context.timeline().ready(stream);
    return runtime.clock.now() >= done ? context.wait_until(done) : Error::not_ready;
  });
}

int wait_event(void* handle, void* event_handle) {
  return stream_call("cudaStreamWaitEvent", handle, [&](Runtime& runtime, Context& context, Stream& stream) {
    const Event* event = context.event(event_handle);
    if (event == nullptr) {
      return Error::invalid_resource_handle;
    }
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    if (event->recorded) {  // an event never recorded does not delay anybody
      context.timeline().wait_until(stream, event->time);
    }
    return Error::success;
  });
}

// The work before the call has been executed already, so that the function may run at once; only its place in
// simulated time is the stream's.
template <class Function>
int host_function(const char* name, void* handle, Function function) {
  return stream_call(name, handle, [&](Runtime&, Context& context, Stream& stream) {
    const Error error = context.wait_until(context.timeline().ready(stream));
    function(static_cast<int>(error));
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaStreamCreate(void** stream) { return create_stream("cudaStreamCreate", stream, 0, 0); }
HPML_CUDA_API int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return create_stream("cudaStreamCreateWithFlags", stream, flags, 0);
}
HPML_CUDA_API int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return create_stream("cudaStreamCreateWithPriority", stream, flags, priority);
}

HPML_CUDA_API int cudaStreamDestroy(void* handle) {
  return stream_call("cudaStreamDestroy", handle, [](Runtime&, Context& context, Stream& stream) {
    constexpr uintptr_t kPerThread = 2;
    if (stream.id == 0 || &stream == context.stream(reinterpret_cast<void*>(kPerThread))) {
      return Error::invalid_resource_handle;  // the default streams cannot be destroyed
    }
    context.timeline().destroy(stream);
    return Error::success;
  });
}

HPML_CUDA_API int cudaStreamSynchronize(void* stream) { return synchronize(stream); }
HPML_CUDA_API int cudaStreamSynchronize_ptsz(void* stream) { return synchronize(per_thread(stream)); }
HPML_CUDA_API int cudaStreamQuery(void* stream) { return query(stream); }
HPML_CUDA_API int cudaStreamQuery_ptsz(void* stream) { return query(per_thread(stream)); }
HPML_CUDA_API int cudaStreamWaitEvent(void* stream, void* event, unsigned) { return wait_event(stream, event); }
HPML_CUDA_API int cudaStreamWaitEvent_ptsz(void* stream, void* event, unsigned) {
  return wait_event(per_thread(stream), event);
}

HPML_CUDA_API int cudaStreamGetFlags(void* handle, unsigned* flags) {
  return stream_call("cudaStreamGetFlags", handle, [&](Runtime&, Context&, Stream& stream) {
    return flags != nullptr ? (*flags = stream.flags, Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaStreamGetPriority(void* handle, int* priority) {
  return stream_call("cudaStreamGetPriority", handle, [&](Runtime&, Context&, Stream& stream) {
    return priority != nullptr ? (*priority = stream.priority, Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaStreamGetId(void* handle, unsigned long long* id) {
  return stream_call("cudaStreamGetId", handle, [&](Runtime&, Context&, Stream& stream) {
    return id != nullptr ? (*id = stream.id, Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaStreamIsCapturing(void* handle, int* status) {
  return stream_call("cudaStreamIsCapturing", handle, [&](Runtime&, Context&, Stream&) {
    return status != nullptr ? (*status = 0, Error::success) : Error::invalid_value;  // capture is not supported
  });
}
HPML_CUDA_API int cudaStreamAttachMemAsync(void* handle, void*, size_t, unsigned) {
  return stream_call("cudaStreamAttachMemAsync", handle, [](Runtime&, Context&, Stream&) { return Error::success; });
}

HPML_CUDA_API int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return host_function("cudaLaunchHostFunc", stream, [&](int) { function(data); });
}
HPML_CUDA_API int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  return host_function("cudaStreamAddCallback", stream, [&](int error) { callback(stream, error, data); });
}

HPML_CUDA_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return device_call("cudaDeviceGetStreamPriorityRange", [&](Runtime&, Context&, ApiRecord&) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = 0;  // no priorities: as on a device that does not support them
    }
    return Error::success;
  });
}
