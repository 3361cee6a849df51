// Copies between host and device memory, one- and two-dimensional.
#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {

CopyWork copy_rows(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                   int kind) {
  CopyWork copy;
  copy.dst = {.pointer = dst, .pitch = dst_pitch};
  copy.src = {.pointer = const_cast<void*>(src), .pitch = src_pitch};
  copy.width = width;
  copy.height = height;
  copy.kind = kind;
  return copy;
}

CopyWork copy_bytes(void* dst, const void* src, size_t bytes, int kind) {
  return copy_rows(dst, bytes, src, bytes, bytes, 1, kind);
}

Error copy(Runtime& runtime, const CopyWork& copy, const void* stream, Waiting waiting, ApiRecord& record) {
  const StreamRef to = runtime.stream(stream);
  if (to.stream == nullptr) {
    return Error::invalid_resource_handle;
  }
  Context& context = *to.context;
  const bool synchronous = waiting == Waiting::host_waits;
  if (const Error error = synchronous ? touch_capturing_stream(*to.stream) : Error::success; error != Error::success) {
    return error;
  }
  record.bytes = as_bytes_field(copy.bytes());
  if (const Error error = check(runtime, context, copy); error != Error::success || copy.bytes() == 0) {
    return error;
  }
  constexpr const char* kDirections[] = {"HtoH", "HtoD", "DtoH", "DtoD"};
  record.detail = kDirections[static_cast<size_t>(kind_of(runtime, copy))];
  runtime.clock.advance(context.device().api_cost(device::ApiCost::memcpy_call, copy.bytes()));
  if (to.stream->capture == nullptr) {
    check_host_reads(runtime, record, Rows::of(copy.src, copy));
  }
  if (to.stream->capture == nullptr && host_waits(runtime, copy, synchronous)) {
    await_held(runtime, to);
  }
  Span span{};
  const Error error = issue(runtime, to, copy, runtime.clock.now(), span);
  const bool waits = error == Error::success && to.stream->capture == nullptr && host_waits(runtime, copy, synchronous);
  return waits ? context.wait_until(span.end) : error;
}

namespace {

int copy_call(const char* name, const CopyWork& what, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    return copy(runtime, what, stream, waiting, record);
  });
}

// Ordinals are checked; where the memory lies is read from the pointers, as in every unified address space.
int peer_call(const char* name, const CopyWork& what, int dst, int src, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    if (dst < 0 || src < 0 || dst >= runtime.device_count() || src >= runtime.device_count()) {
      return Error::invalid_device;
    }
    return copy(runtime, what, stream, waiting, record);
  });
}

constexpr int kDefault = 4;  // cudaMemcpyDefault

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemcpy(void* dst, const void* src, size_t bytes, int kind) {
  return copy_call("cudaMemcpy", copy_bytes(dst, src, bytes, kind), nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy_ptds(void* dst, const void* src, size_t bytes, int kind) {
  return copy_call("cudaMemcpy", copy_bytes(dst, src, bytes, kind), per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream) {
  return copy_call("cudaMemcpyAsync", copy_bytes(dst, src, bytes, kind), stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpyAsync_ptsz(void* dst, const void* src, size_t bytes, int kind, void* stream) {
  return copy_call("cudaMemcpyAsync", copy_bytes(dst, src, bytes, kind), per_thread(stream), Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                               size_t height, int kind) {
  return copy_call("cudaMemcpy2D", copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind), nullptr,
                   Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2D_ptds(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                    size_t height, int kind) {
  return copy_call("cudaMemcpy2D", copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind), per_thread(nullptr),
                   Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                    size_t height, int kind, void* stream) {
  return copy_call("cudaMemcpy2DAsync", copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind), stream,
                   Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy2DAsync_ptsz(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                         size_t height, int kind, void* stream) {
  return copy_call("cudaMemcpy2DAsync", copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind),
                   per_thread(stream), Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes) {
  return peer_call("cudaMemcpyPeer", copy_bytes(dst, src, bytes, kDefault), dst_device, src_device, nullptr,
                   Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t bytes,
                                      void* stream) {
  return peer_call("cudaMemcpyPeerAsync", copy_bytes(dst, src, bytes, kDefault), dst_device, src_device, stream,
                   Waiting::asynchronous);
}
