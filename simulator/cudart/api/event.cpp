// Events: stamps of simulated time.
#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr Picoseconds kResolution = 500'000;  // cudaEventElapsedTime resolves about 0.5 us (CUDA runtime API)
constexpr double kPicosecondsPerMillisecond = 1e9;
constexpr unsigned kKnownFlags = 7;  // blocking sync, disable timing, interprocess

// Events of every device can be asked about: `body(Runtime&, Event&) -> Error`.
template <class Body>
int event_call(const char* name, void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    Event* event = runtime.event(handle);
    return event != nullptr ? body(runtime, *event) : Error::invalid_resource_handle;
  });
}

int create_event(const char* name, void** handle, unsigned flags) {
  return device_call(name, [&](Runtime&, Context& context, ApiRecord&) {
    constexpr unsigned kDisableTiming = 2, kInterprocess = 4;
    const bool interprocess_is_timed = (flags & kInterprocess) != 0 && (flags & kDisableTiming) == 0;
    if (handle == nullptr || flags > kKnownFlags || interprocess_is_timed) {
      return Error::invalid_value;
    }
    *handle = context.create_event(flags);
    return Error::success;
  });
}

// The event stands in the stream like any work: its time is when everything before it is done. In a capture it marks
// the place, and with cudaEventRecordExternal it is a node of its own.
int record_event(void* handle, void* stream_handle, unsigned flags) {
  return event_call("cudaEventRecord", handle, [&](Runtime& runtime, Event& event) {
    constexpr unsigned kExternal = 1;  // cudaEventRecordExternal
    const StreamRef at = runtime.stream(stream_handle);
    if (at.stream == nullptr || at.context != event.context) {
      return Error::invalid_resource_handle;
    }
    if (flags > kExternal) {
      return Error::invalid_value;
    }
    runtime.clock.advance(at.context->device().api_cost(device::ApiCost::event_record, 0));
    if (at.stream->capture != nullptr && flags != kExternal) {
      if (at.stream->capture->invalidated) {
        return Error::stream_capture_invalidated;
      }
      event.recorded = false;
      event.captured = {at.stream->capture, at.stream->capture->tips[at.stream]};
      return Error::success;
    }
    Span span{};
    return issue(runtime, at, RecordWork{&event}, runtime.clock.now(), span);
  });
}

// A question or a wait: forbidden for an event of a capture, and while a capture goes on that it could disturb.
Error may_ask(Runtime& runtime, const Event& event) {
  if (event.captured.capture != nullptr) {
    invalidate(*event.captured.capture);
    return Error::captured_event;
  }
  return unsafe_during_capture(runtime);
}

Error elapsed(Runtime& runtime, float* milliseconds, void* start_handle, void* end_handle) {
  const Event* start = runtime.event(start_handle);
  const Event* end = runtime.event(end_handle);
  if (milliseconds == nullptr) {
    return Error::invalid_value;
  }
  if (start == nullptr || end == nullptr || start->context != end->context) {
    return Error::invalid_resource_handle;
  }
  if (start->captured.capture != nullptr || end->captured.capture != nullptr) {
    return Error::captured_event;
  }
  if (!start->recorded || !end->recorded || !start->timing() || !end->timing()) {
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
  return event_call("cudaEventDestroy", handle, [](Runtime&, Event& event) {
    event.context->destroy_event(event);
    return Error::success;
  });
}

HPML_CUDA_API int cudaEventRecord(void* event, void* stream) { return record_event(event, stream, 0); }
HPML_CUDA_API int cudaEventRecord_ptsz(void* event, void* stream) { return record_event(event, per_thread(stream), 0); }
HPML_CUDA_API int cudaEventRecordWithFlags(void* event, void* stream, unsigned flags) {
  return record_event(event, stream, flags);
}
HPML_CUDA_API int cudaEventRecordWithFlags_ptsz(void* event, void* stream, unsigned flags) {
  return record_event(event, per_thread(stream), flags);
}

HPML_CUDA_API int cudaEventQuery(void* handle) {
  return event_call("cudaEventQuery", handle, [](Runtime& runtime, Event& event) {
    if (const Error error = may_ask(runtime, event); error != Error::success) {
      return error;
    }
    runtime.clock.advance(event.context->device().api_cost(device::ApiCost::query, 0));
    if (event.recorded && runtime.clock.now() < event.time) {
      return Error::not_ready;
    }
    return event.recorded ? event.context->wait_until(event.time) : Error::success;
  });
}

HPML_CUDA_API int cudaEventSynchronize(void* handle) {
  return event_call("cudaEventSynchronize", handle, [](Runtime& runtime, Event& event) {
    if (const Error error = may_ask(runtime, event); error != Error::success) {
      return error;
    }
    await_held(runtime, [&] { return event.time != kNotYet; });
    return event.context->synchronize(event.recorded ? event.time : Picoseconds{});
  });
}

HPML_CUDA_API int cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
  return device_call("cudaEventElapsedTime", [&](Runtime& runtime, Context&, ApiRecord&) {
    return elapsed(runtime, milliseconds, start, end);
  });
}
