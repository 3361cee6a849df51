// Copies of ranges of bytes.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

constexpr int kHostToDevice = 1, kDeviceToHost = 2, kDeviceToDevice = 3, kByAddress = 4;  // cudaMemcpyKind

int copy_now(const char* name, void* dst, const void* src, size_t bytes, int kind) {
  return forward(name, [&] { return cudaMemcpy(dst, src, bytes, kind); });
}

int copy_async(const char* name, void* dst, const void* src, size_t bytes, int kind, void* stream) {
  return forward(name, [&] { return cudaMemcpyAsync(dst, src, bytes, kind, stream); });
}

// `call(int dst_device, int src_device) -> int`
template <class Call>
int peer_copy(const char* name, void* dst_context, void* src_context, Call call) {
  return forward(name, [&] {
    const auto& handles = Runtime::get().context_handles;
    const ContextHandle* dst = handles.find(dst_context);
    const ContextHandle* src = handles.find(src_context);
    return dst != nullptr && src != nullptr ? call(dst->device, src->device) : static_cast<int>(kInvalidContext);
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuMemcpy(DevicePtr dst, DevicePtr src, size_t bytes) {
  return copy_now("cuMemcpy", pointer_of(dst), pointer_of(src), bytes, kByAddress);
}
HPML_CU_API int cuMemcpyHtoD_v2(DevicePtr dst, const void* src, size_t bytes) {
  return copy_now("cuMemcpyHtoD", pointer_of(dst), src, bytes, kHostToDevice);
}
HPML_CU_API int cuMemcpyDtoH_v2(void* dst, DevicePtr src, size_t bytes) {
  return copy_now("cuMemcpyDtoH", dst, pointer_of(src), bytes, kDeviceToHost);
}
HPML_CU_API int cuMemcpyDtoD_v2(DevicePtr dst, DevicePtr src, size_t bytes) {
  return copy_now("cuMemcpyDtoD", pointer_of(dst), pointer_of(src), bytes, kDeviceToDevice);
}
HPML_CU_API int cuMemcpyAsync(DevicePtr dst, DevicePtr src, size_t bytes, void* stream) {
  return copy_async("cuMemcpyAsync", pointer_of(dst), pointer_of(src), bytes, kByAddress, stream);
}
HPML_CU_API int cuMemcpyHtoDAsync_v2(DevicePtr dst, const void* src, size_t bytes, void* stream) {
  return copy_async("cuMemcpyHtoDAsync", pointer_of(dst), src, bytes, kHostToDevice, stream);
}
HPML_CU_API int cuMemcpyDtoHAsync_v2(void* dst, DevicePtr src, size_t bytes, void* stream) {
  return copy_async("cuMemcpyDtoHAsync", dst, pointer_of(src), bytes, kDeviceToHost, stream);
}
HPML_CU_API int cuMemcpyDtoDAsync_v2(DevicePtr dst, DevicePtr src, size_t bytes, void* stream) {
  return copy_async("cuMemcpyDtoDAsync", pointer_of(dst), pointer_of(src), bytes, kDeviceToDevice, stream);
}
HPML_CU_API int cuMemcpyPeer(DevicePtr dst, void* dst_context, DevicePtr src, void* src_context, size_t bytes) {
  return peer_copy("cuMemcpyPeer", dst_context, src_context,
                   [&](int to, int from) { return cudaMemcpyPeer(pointer_of(dst), to, pointer_of(src), from, bytes); });
}
HPML_CU_API int cuMemcpyPeerAsync(DevicePtr dst, void* dst_context, DevicePtr src, void* src_context, size_t bytes,
                                  void* stream) {
  return peer_copy("cuMemcpyPeerAsync", dst_context, src_context, [&](int to, int from) {
    return cudaMemcpyPeerAsync(pointer_of(dst), to, pointer_of(src), from, bytes, stream);
  });
}

// The forms for per-thread default streams.
HPML_CU_API int cuMemcpyAsync_ptsz(DevicePtr dst, DevicePtr src, size_t bytes, void* stream) {
  return cuMemcpyAsync(dst, src, bytes, per_thread(stream));
}
HPML_CU_API int cuMemcpyHtoDAsync_v2_ptsz(DevicePtr dst, const void* src, size_t bytes, void* stream) {
  return cuMemcpyHtoDAsync_v2(dst, src, bytes, per_thread(stream));
}
HPML_CU_API int cuMemcpyDtoHAsync_v2_ptsz(void* dst, DevicePtr src, size_t bytes, void* stream) {
  return cuMemcpyDtoHAsync_v2(dst, src, bytes, per_thread(stream));
}
HPML_CU_API int cuMemcpyDtoDAsync_v2_ptsz(DevicePtr dst, DevicePtr src, size_t bytes, void* stream) {
  return cuMemcpyDtoDAsync_v2(dst, src, bytes, per_thread(stream));
}
HPML_CU_API int cuMemcpyPeer_ptds(DevicePtr dst, void* dst_context, DevicePtr src, void* src_context, size_t bytes) {
  const int error = cuMemcpyPeerAsync(dst, dst_context, src, src_context, bytes, per_thread(nullptr));
  return error == 0 ? forward("cuMemcpyPeer", [] { return cudaStreamSynchronize(per_thread(nullptr)); }) : error;
}
HPML_CU_API int cuMemcpyPeerAsync_ptsz(DevicePtr dst, void* dst_context, DevicePtr src, void* src_context, size_t bytes,
                                       void* stream) {
  return cuMemcpyPeerAsync(dst, dst_context, src, src_context, bytes, per_thread(stream));
}
HPML_CU_API int cuMemcpy_ptds(DevicePtr dst, DevicePtr src, size_t bytes) {
  return forward("cuMemcpy", [&] { return cudaMemcpy_ptds(pointer_of(dst), pointer_of(src), bytes, kByAddress); });
}
HPML_CU_API int cuMemcpyHtoD_v2_ptds(DevicePtr dst, const void* src, size_t bytes) {
  return forward("cuMemcpyHtoD", [&] { return cudaMemcpy_ptds(pointer_of(dst), src, bytes, kHostToDevice); });
}
HPML_CU_API int cuMemcpyDtoH_v2_ptds(void* dst, DevicePtr src, size_t bytes) {
  return forward("cuMemcpyDtoH", [&] { return cudaMemcpy_ptds(dst, pointer_of(src), bytes, kDeviceToHost); });
}
HPML_CU_API int cuMemcpyDtoD_v2_ptds(DevicePtr dst, DevicePtr src, size_t bytes) {
  return forward("cuMemcpyDtoD",
                 [&] { return cudaMemcpy_ptds(pointer_of(dst), pointer_of(src), bytes, kDeviceToDevice); });
}
