// Copies between host and device memory, one- and two-dimensional.
#include <cstring>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

using device::CopyKind;

constexpr int kKindDefault = 4;  // cudaMemcpyDefault; 0..3 are the directions in the order of CopyKind

CopyKind kind_of(const Place& dst, const Place& src, int kind) {
  if (kind != kKindDefault) {
    return static_cast<CopyKind>(kind);
  }
  const bool to_device = dst.allocation != nullptr && !dst.is_pinned();
  const bool from_device = src.allocation != nullptr && !src.is_pinned();
  if (from_device) {
    return to_device ? CopyKind::device_to_device : CopyKind::device_to_host;
  }
  return to_device ? CopyKind::host_to_device : CopyKind::host_to_host;
}

// Each side must be of the kind the direction says; managed and pinned memory can be either.
bool fits(const Place& place, bool device_side) {
  return device_side ? place.allocation != nullptr : !place.is_device();
}

struct Direction {
  bool to_device, from_device;
  Engine engine;
  const char* name;
};

Direction direction_of(CopyKind kind) {
  switch (kind) {
    case CopyKind::host_to_host: return {false, false, Engine::none, "HtoH"};
    case CopyKind::host_to_device: return {true, false, Engine::copy_to_device, "HtoD"};
    case CopyKind::device_to_host: return {false, true, Engine::copy_to_host, "DtoH"};
    case CopyKind::device_to_device: break;
  }
  return {true, true, Engine::compute, "DtoD"};
}

uint64_t extent(size_t pitch, const CopyArguments& copy) {
  return copy.height == 1 ? copy.width : pitch * (copy.height - 1) + copy.width;
}

void move_rows(const Place& dst, const Place& src, const CopyArguments& copy) {
  for (size_t row = 0; row < copy.height; ++row) {
    std::memmove(dst.data + row * copy.dst_pitch, src.data + row * copy.src_pitch, copy.width);
  }
}

// The host waits for every copy that involves pageable memory (it passes through a staging buffer) and, when the call
// is the synchronous one, for every copy but device to device.
bool host_waits(CopyKind kind, const Place& host_side, Waiting waiting) {
  if (kind == CopyKind::device_to_device) {
    return false;
  }
  return waiting == Waiting::host_waits || !host_side.is_pinned();
}

}  // namespace

Error copy(Runtime& runtime, Context& context, const CopyArguments& copy, void* stream_handle, Waiting waiting,
           ApiRecord& record) {
  Stream* stream = context.stream(stream_handle);
  if (stream == nullptr) {
    return Error::invalid_resource_handle;
  }
  if (copy.kind < 0 || copy.kind > kKindDefault) {
    return Error::invalid_memcpy_direction;
  }
  const uint64_t bytes = uint64_t{copy.width} * copy.height;
  record.bytes = as_bytes_field(bytes);
  if (bytes == 0) {
    return Error::success;
  }
  if (copy.dst_pitch < copy.width || copy.src_pitch < copy.width) {
    return Error::invalid_pitch_value;
  }
  Place dst, src;
  if (!locate(runtime, copy.dst, extent(copy.dst_pitch, copy), dst) ||
      !locate(runtime, copy.src, extent(copy.src_pitch, copy), src)) {
    return Error::invalid_value;
  }
  const CopyKind kind = kind_of(dst, src, copy.kind);
  const Direction direction = direction_of(kind);
  if (!fits(dst, direction.to_device) || !fits(src, direction.from_device)) {
    return Error::invalid_value;
  }
  record.detail = direction.name;
  if (!context.faulted()) {
    check_host_reads(runtime, record, {reinterpret_cast<uint64_t>(copy.src), copy.src_pitch, copy.width, copy.height});
    check_host_writes(runtime, {reinterpret_cast<uint64_t>(copy.dst), copy.dst_pitch, copy.width, copy.height});
    move_rows(dst, src, copy);
    if (dst.allocation != nullptr) {
      context.device().memory_written(reinterpret_cast<uint64_t>(copy.dst), extent(copy.dst_pitch, copy));
    }
  }
  const Place& host_side = direction.to_device ? src : dst;
  runtime.clock.advance(context.device().api_cost(device::ApiCost::memcpy_call, bytes));
  const Picoseconds duration = context.device().copy_time(kind, host_side.is_pinned(), bytes);
  const Span span = context.timeline().enqueue(*stream, direction.engine, duration, runtime.clock.now());
  runtime.log.copies.push_back({direction.name, bytes, span, stream->id, context.ordinal(), host_side.is_pinned()});
  return host_waits(kind, host_side, waiting) ? context.wait_until(span.end) : Error::success;
}

namespace {

int copy_call(const char* name, const CopyArguments& arguments, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    return copy(runtime, context, arguments, stream, waiting, record);
  });
}

CopyArguments linear(void* dst, const void* src, size_t bytes, int kind) {
  return {.dst = dst, .src = src, .dst_pitch = bytes, .src_pitch = bytes, .width = bytes, .height = 1, .kind = kind};
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemcpy(void* dst, const void* src, size_t bytes, int kind) {
  return copy_call("cudaMemcpy", linear(dst, src, bytes, kind), nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy_ptds(void* dst, const void* src, size_t bytes, int kind) {
  return copy_call("cudaMemcpy", linear(dst, src, bytes, kind), per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream) {
  return copy_call("cudaMemcpyAsync", linear(dst, src, bytes, kind), stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpyAsync_ptsz(void* dst, const void* src, size_t bytes, int kind, void* stream) {
  return copy_call("cudaMemcpyAsync", linear(dst, src, bytes, kind), per_thread(stream), Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                               size_t height, int kind) {
  return copy_call("cudaMemcpy2D", {dst, src, dst_pitch, src_pitch, width, height, kind}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2D_ptds(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                    size_t height, int kind) {
  return copy_call("cudaMemcpy2D", {dst, src, dst_pitch, src_pitch, width, height, kind}, per_thread(nullptr),
                   Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                    size_t height, int kind, void* stream) {
  return copy_call("cudaMemcpy2DAsync", {dst, src, dst_pitch, src_pitch, width, height, kind}, stream,
                   Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy2DAsync_ptsz(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                                         size_t height, int kind, void* stream) {
  return copy_call("cudaMemcpy2DAsync", {dst, src, dst_pitch, src_pitch, width, height, kind}, per_thread(stream),
                   Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpyPeer(void* dst, int, const void* src, int, size_t bytes) {
  return copy_call("cudaMemcpyPeer", linear(dst, src, bytes, 3), nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyPeerAsync(void* dst, int, const void* src, int, size_t bytes, void* stream) {
  return copy_call("cudaMemcpyPeerAsync", linear(dst, src, bytes, 3), stream, Waiting::asynchronous);
}
