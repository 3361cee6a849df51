// Functions of the program that stand in a stream.
#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/execute_parts.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {
namespace {

using Callback = void (*)(void* stream, int status, void* data);

int launch_host_function(void* handle, void (*function)(void*), void* data) {
  return stream_call("cudaLaunchHostFunc", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (function == nullptr) {
      return Error::invalid_value;
    }
    Span span{};
    return issue(runtime, at, HostWork{function, data}, runtime.clock.now(), span);
  });
}

// Unlike a host function it is called after a device error too, and cannot be captured.
int add_callback(void* handle, Callback callback, void* data, unsigned flags) {
  return stream_call("cudaStreamAddCallback", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (callback == nullptr || flags != 0) {
      return Error::invalid_value;
    }
    if (const Error error = touch_capturing_stream(*at.stream); error != Error::success) {
      return error;
    }
    await_held(runtime, at);
    Context* context = at.context;
    const Picoseconds start = std::max(runtime.clock.now(), context->timeline().ready(*at.stream));
    execute_host(
        runtime, *context, [=] { callback(handle, static_cast<int>(context->error()), data); }, start);
    return Error::success;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return launch_host_function(stream, function, data);
}
HPML_CUDA_API int cudaLaunchHostFunc_ptsz(void* stream, void (*function)(void*), void* data) {
  return launch_host_function(per_thread(stream), function, data);
}
HPML_CUDA_API int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned flags) {
  return add_callback(stream, callback, data, flags);
}
HPML_CUDA_API int cudaStreamAddCallback_ptsz(void* stream, void (*callback)(void*, int, void*), void* data,
                                             unsigned flags) {
  return add_callback(per_thread(stream), callback, data, flags);
}
