// Events: stamps of simulated time.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr Picoseconds kResolution = 500'000;  // cudaEventElapsedTime resolves about 0.5 us (CUDA runtime API)
constexpr double kPicosecondsPerMillisecond = 1e9;
constexpr unsigned kKnownFlags = 7;  // blocking sync, disable timing, interprocess

// `body(Runtime&, Context&, Event&) -> Error`
template <class Body>
int event_call(const char* name, void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    Event* event = context.event(handle);
    return event != nullptr ? body(runtime, context, *event) : Error::invalid_resource_handle;
  });
}

int create_event(const char* name, void** handle, unsigned flags) {
  return device_call(name, [&](Runtime&, Context& context, ApiRecord&) {
    if (handle == nullptr || flags > kKnownFlags) {
      return Error::invalid_value;
    }
    *handle = context.create_event(flags);
    return Error::success;
  });
}

// The event stands in the stream like any work: its time is when everything before it is done.
int record_event(void* handle, void* stream_handle) {
  return event_call("cudaEventRecord", handle, [&](Runtime& runtime, Context& context, Event& event) {
    Stream* stream = context.stream(stream_handle);
    if (stream == nullptr) {
      return Error::invalid_resource_handle;
    }
    runtime.clock.advance(context.device().api_cost(device::ApiCost::event_record, 0));
    event.time = context.timeline().enqueue(*stream, Engine::none, 0, runtime.clock.now()).end;
    event.recorded = true;
    return Error::success;
  });
}

Error elapsed(Runtime& runtime, Context& context, float* milliseconds, void* start_handle, void* end_handle) {
  const Event* start = context.event(start_handle);
  const Event* end = context.event(end_handle);
  if (milliseconds == nullptr) {
    return Error::invalid_value;
  }
  if (start == nullptr || end == nullptr || !start->recorded || !end->recorded || !start->timing() || !end->timing()) {
    return Error::invalid_resource_handle;
  }
  if (runtime.clock.now() < start->time || runtime.clock.now() < end->time) {
    return Error::not_ready;
  }
  const Picoseconds difference = (end->time / kResolution - start->time / kResolution) * kResolution;
  *milliseconds = static_cast<float>(static_cast<double>(difference) / kPicosecondsPerMillisecond);
  return Error::success;
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace device = hpml::sim::device;

HPML_CUDA_API int cudaEventCreate(void** event) { return create_event("cudaEventCreate", event, 0); }
HPML_CUDA_API int cudaEventCreateWithFlags(void** event, unsigned flags) {
  return create_event("cudaEventCreateWithFlags", event, flags);
}

HPML_CUDA_API int cudaEventDestroy(void* handle) {
  return event_call("cudaEventDestroy", handle, [](Runtime&, Context& context, Event& event) {
    context.destroy_event(event);
    return Error::success;
  });
}

HPML_CUDA_API int cudaEventRecord(void* event, void* stream) { return record_event(event, stream); }
HPML_CUDA_API int cudaEventRecord_ptsz(void* event, void* stream) { return record_event(event, per_thread(stream)); }
HPML_CUDA_API int cudaEventRecordWithFlags(void* event, void* stream, unsigned) { return record_event(event, stream); }
HPML_CUDA_API int cudaEventRecordWithFlags_ptsz(void* event, void* stream, unsigned) {
  return record_event(event, per_thread(stream));
}

HPML_CUDA_API int cudaEventQuery(void* handle) {
  return event_call("cudaEventQuery", handle, [](Runtime& runtime, Context& context, Event& event) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    if (event.recorded && runtime.clock.now() < event.time) {
      return Error::not_ready;
    }
    return event.recorded ? context.wait_until(event.time) : Error::success;
  });
}

HPML_CUDA_API int cudaEventSynchronize(void* handle) {
  return event_call("cudaEventSynchronize", handle, [](Runtime& runtime, Context& context, Event& event) {
    runtime.clock.advance(context.device().api_cost(device::ApiCost::synchronize, 0));
    return event.recorded ? context.wait_until(event.time) : Error::success;
  });
}

HPML_CUDA_API int cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
  return device_call("cudaEventElapsedTime", [&](Runtime& runtime, Context& context, ApiRecord&) {
    return elapsed(runtime, context, milliseconds, start, end);
  });
}
