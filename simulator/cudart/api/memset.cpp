// Fills.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

Error fill(Runtime& runtime, const FillWork& fill, const void* stream, Waiting waiting, ApiRecord& record) {
  const StreamRef to = runtime.stream(stream);
  if (to.stream == nullptr) {
    return Error::invalid_resource_handle;
  }
  Context& context = *to.context;
  const bool synchronous = waiting == Waiting::host_waits;
  if (const Error error = synchronous ? touch_capturing_stream(*to.stream) : Error::success; error != Error::success) {
    return error;
  }
  record.bytes = as_bytes_field(fill.bytes());
  if (const Error error = check(runtime, context, fill); error != Error::success || fill.bytes() == 0) {
    return error;
  }
  runtime.clock.advance(context.device().api_cost(device::ApiCost::memset_call, fill.bytes()));
  Span span{};
  const Error error = issue(runtime, to, fill, runtime.clock.now(), span);
  // Device memory is filled asynchronously even by the synchronous call (CUDA runtime API, "API synchronization").
  Place dst;
  const bool waits = error == Error::success && synchronous && locate(runtime, fill.dst, 1, dst) && !dst.is_device();
  return waits ? context.wait_until(span.end) : error;
}

namespace {

// Rows of a fill by bytes; of a single one the pitch does not count.
int fill_call(const char* name, void* dst, size_t pitch, int value, Extent extent, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    FillWork work;
    work.dst = dst;
    work.pitch = pitch;
    work.value = static_cast<uint8_t>(value);
    work.width = extent.width;
    work.height = extent.height;
    const bool overlaps = work.bytes() > 0 && extent.height > 1 && pitch < extent.width;
    return overlaps ? Error::invalid_value : fill(runtime, work, stream, waiting, record);
  });
}

int fill_bytes(const char* name, void* dst, int value, size_t bytes, void* stream, Waiting waiting) {
  return fill_call(name, dst, bytes, value, {bytes, 1, 1}, stream, waiting);
}

int fill_3d(const char* name, const PitchedPointer& dst, int value, Extent extent, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    FillWork work;
    work.dst = dst.pointer;
    work.pitch = dst.pitch;
    work.slice = dst.pitch * dst.height;
    work.value = static_cast<uint8_t>(value);
    work.width = extent.width;
    work.height = extent.height;
    work.depth = extent.depth;
    return fill(runtime, work, stream, waiting, record);
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemset(void* dst, int value, size_t bytes) {
  return fill_bytes("cudaMemset", dst, value, bytes, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset_ptds(void* dst, int value, size_t bytes) {
  return fill_bytes("cudaMemset", dst, value, bytes, per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemsetAsync(void* dst, int value, size_t bytes, void* stream) {
  return fill_bytes("cudaMemsetAsync", dst, value, bytes, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemsetAsync_ptsz(void* dst, int value, size_t bytes, void* stream) {
  return fill_bytes("cudaMemsetAsync", dst, value, bytes, per_thread(stream), Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_call("cudaMemset2D", dst, pitch, value, {width, height, 1}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset2D_ptds(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_call("cudaMemset2D", dst, pitch, value, {width, height, 1}, per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, void* stream) {
  return fill_call("cudaMemset2DAsync", dst, pitch, value, {width, height, 1}, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemset2DAsync_ptsz(void* dst, size_t pitch, int value, size_t width, size_t height,
                                         void* stream) {
  return fill_call("cudaMemset2DAsync", dst, pitch, value, {width, height, 1}, per_thread(stream),
                   Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemset3D(PitchedPointer dst, int value, Extent extent) {
  return fill_3d("cudaMemset3D", dst, value, extent, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset3D_ptds(PitchedPointer dst, int value, Extent extent) {
  return fill_3d("cudaMemset3D", dst, value, extent, per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset3DAsync(PitchedPointer dst, int value, Extent extent, void* stream) {
  return fill_3d("cudaMemset3DAsync", dst, value, extent, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemset3DAsync_ptsz(PitchedPointer dst, int value, Extent extent, void* stream) {
  return fill_3d("cudaMemset3DAsync", dst, value, extent, per_thread(stream), Waiting::asynchronous);
}
