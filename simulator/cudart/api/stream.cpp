// Streams: creation, questions, waiting.
#include <algorithm>

#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr unsigned kNonBlocking = 1;   // cudaStreamNonBlocking
constexpr int kGreatestPriority = -5;  // least is 0; what devices since Volta report

int create_stream(const char* name, void** handle, unsigned flags, int priority) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (handle == nullptr || flags > kNonBlocking) {
      return Error::invalid_value;
    }
    runtime.clock.advance(context.device().api_cost(device::ApiCost::stream_create, 0));
    const int clamped = std::clamp(priority, kGreatestPriority, 0);
    *handle = &context.timeline().create(flags == kNonBlocking, flags, clamped);
    return Error::success;
  });
}

// Questions that one value answers.
template <class T, class Read>
int ask(const char* name, void* handle, T* out, Read read) {
  return stream_call(name, handle, [&](Runtime&, StreamRef at, ApiRecord&) {
    return out != nullptr ? (*out = read(at), Error::success) : Error::invalid_value;
  });
}

int synchronize(void* handle) {
  return stream_call("cudaStreamSynchronize", handle, [](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (const Error error = touch_capturing_stream(*at.stream); error != Error::success) {
      return error;
    }
    if (const Error error = at.stream->id == 0 ? implicit_during_capture(runtime, *at.context) : Error::success;
        error != Error::success) {
      return error;
    }
    await_held(runtime, at);
    return at.context->synchronize(at.context->timeline().ready(*at.stream));
  });
}

int query(void* handle) {
  return stream_call("cudaStreamQuery", handle, [](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (const Error error = touch_capturing_stream(*at.stream); error != Error::success) {
      return error;
    }
    runtime.clock.advance(at.context->device().api_cost(device::ApiCost::query, 0));
    if (must_hold(at)) {
      return Error::not_ready;
    }
    const Picoseconds done = at.context->timeline().ready(*at.stream);
    return runtime.clock.now() >= done ? at.context->wait_until(done) : Error::not_ready;
  });
}

// The event stands behind held work, or the stream does.
void hold_until(Runtime& runtime, StreamRef at, const void* event_handle) {
  hold(runtime, at, [&runtime, at, event_handle](Picoseconds now) -> std::optional<Picoseconds> {
    const Event* event = runtime.event(event_handle);
    const Picoseconds time = event != nullptr && event->recorded ? event->time : now;
    if (time == kNotYet) {
      return std::nullopt;
    }
    at.context->timeline().wait_until(*at.stream, time);
    return now;
  });
}

int wait_event(void* handle, void* event_handle, unsigned flags) {
  return stream_call("cudaStreamWaitEvent", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    constexpr unsigned kExternal = 1;  // cudaEventWaitExternal
    Event* event = runtime.event(event_handle);
    if (event == nullptr || flags > kExternal) {
      return event == nullptr ? Error::invalid_resource_handle : Error::invalid_value;
    }
    runtime.clock.advance(at.context->device().api_cost(device::ApiCost::query, 0));
    if (at.stream->capture != nullptr || event->captured.capture != nullptr) {
      return capture_wait(*at.stream, *event, flags == kExternal, *at.context);
    }
    if (must_hold(at) || (event->recorded && event->time == kNotYet)) {
      hold_until(runtime, at, event_handle);
    } else if (event->recorded) {  // an event never recorded does not delay anybody
      at.context->timeline().wait_until(*at.stream, event->time);
    }
    return Error::success;
  });
}

int destroy(void* handle) {
  return stream_call("cudaStreamDestroy", handle, [](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (at.context->is_default(*at.stream)) {
      return Error::invalid_resource_handle;  // the default streams cannot be destroyed
    }
    if (at.stream->capture != nullptr) {
      leave_capture(*at.stream);
    }
    await_held(runtime, at);
    at.context->timeline().destroy(*at.stream);
    return Error::success;
  });
}

int attach(void* handle, void* pointer, size_t length, unsigned flags) {
  return stream_call("cudaStreamAttachMemAsync", handle, [&](Runtime& runtime, StreamRef, ApiRecord&) {
    constexpr unsigned kGlobal = 1, kHost = 2, kSingle = 4;  // cudaMemAttach*
    Place place;
    const bool whole = locate(runtime, pointer, std::max<size_t>(length, 1), place) && place.is_managed() &&
                       place.allocation->base == reinterpret_cast<uint64_t>(pointer) &&
                       (length == 0 || length == place.allocation->size);
    const bool known = flags == kGlobal || flags == kHost || flags == kSingle;
    return whole && known ? Error::success : Error::invalid_value;  // visibility is not modelled: all see all
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
HPML_CUDA_API int cudaStreamDestroy(void* stream) { return destroy(stream); }

HPML_CUDA_API int cudaStreamSynchronize(void* stream) { return synchronize(stream); }
HPML_CUDA_API int cudaStreamSynchronize_ptsz(void* stream) { return synchronize(per_thread(stream)); }
HPML_CUDA_API int cudaStreamQuery(void* stream) { return query(stream); }
HPML_CUDA_API int cudaStreamQuery_ptsz(void* stream) { return query(per_thread(stream)); }
HPML_CUDA_API int cudaStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return wait_event(stream, event, flags);
}
HPML_CUDA_API int cudaStreamWaitEvent_ptsz(void* stream, void* event, unsigned flags) {
  return wait_event(per_thread(stream), event, flags);
}

HPML_CUDA_API int cudaStreamGetFlags(void* handle, unsigned* flags) {
  return ask("cudaStreamGetFlags", handle, flags, [](StreamRef at) { return at.stream->flags; });
}
HPML_CUDA_API int cudaStreamGetFlags_ptsz(void* handle, unsigned* flags) {
  return cudaStreamGetFlags(per_thread(handle), flags);
}
HPML_CUDA_API int cudaStreamGetPriority(void* handle, int* priority) {
  return ask("cudaStreamGetPriority", handle, priority, [](StreamRef at) { return at.stream->priority; });
}
HPML_CUDA_API int cudaStreamGetPriority_ptsz(void* handle, int* priority) {
  return cudaStreamGetPriority(per_thread(handle), priority);
}
HPML_CUDA_API int cudaStreamGetId(void* handle, unsigned long long* id) {
  return ask("cudaStreamGetId", handle, id, [](StreamRef at) { return at.stream->id; });
}
HPML_CUDA_API int cudaStreamGetId_ptsz(void* handle, unsigned long long* id) {
  return cudaStreamGetId(per_thread(handle), id);
}
HPML_CUDA_API int cudaStreamGetDevice(void* handle, int* ordinal) {
  return ask("cudaStreamGetDevice", handle, ordinal, [](StreamRef at) { return at.context->ordinal(); });
}
HPML_CUDA_API int cudaStreamGetDevice_ptsz(void* handle, int* ordinal) {
  return cudaStreamGetDevice(per_thread(handle), ordinal);
}

HPML_CUDA_API int cudaStreamAttachMemAsync(void* handle, void* pointer, size_t length, unsigned flags) {
  return attach(handle, pointer, length, flags);
}
HPML_CUDA_API int cudaStreamAttachMemAsync_ptsz(void* handle, void* pointer, size_t length, unsigned flags) {
  return attach(per_thread(handle), pointer, length, flags);
}

HPML_CUDA_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return device_call("cudaDeviceGetStreamPriorityRange", [&](Runtime&, Context&, ApiRecord&) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = kGreatestPriority;
    }
    return Error::success;
  });
}
