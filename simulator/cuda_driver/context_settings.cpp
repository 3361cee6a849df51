// The current context's device: waiting for it, its limits and preferences, its peers.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

// For the peer calls: `call(int device) -> int`.
template <class Call>
int peer_call(const char* name, void* peer, Call call) {
  return forward(name, [&] {
    const ContextHandle* handle = Runtime::get().context_handles.find(peer);
    return handle != nullptr ? call(handle->device) : static_cast<int>(kInvalidContext);
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuCtxSynchronize() { return forward("cuCtxSynchronize", cudaDeviceSynchronize); }
HPML_CU_API int cuCtxSynchronize_v2(void* context) {
  if (context == nullptr) {
    return cuCtxSynchronize();
  }
  return forward_contextless("cuCtxSynchronize", [&] {
    ContextHandle* handle = Runtime::get().context_handles.find(context);
    return handle != nullptr ? with_context(*handle, cudaDeviceSynchronize) : static_cast<int>(kInvalidContext);
  });
}

HPML_CU_API int cuCtxGetLimit(size_t* value, int limit) {
  return forward("cuCtxGetLimit", [&] { return cudaDeviceGetLimit(value, limit); });
}
HPML_CU_API int cuCtxSetLimit(int limit, size_t value) {
  return forward("cuCtxSetLimit", [&] { return cudaDeviceSetLimit(limit, value); });
}
HPML_CU_API int cuCtxGetCacheConfig(int* config) {
  return forward("cuCtxGetCacheConfig", [&] { return cudaDeviceGetCacheConfig(config); });
}
HPML_CU_API int cuCtxSetCacheConfig(int config) {
  return forward("cuCtxSetCacheConfig", [&] { return cudaDeviceSetCacheConfig(config); });
}
HPML_CU_API int cuCtxGetSharedMemConfig(int* config) {
  return forward("cuCtxGetSharedMemConfig", [&] { return cudaDeviceGetSharedMemConfig(config); });
}
HPML_CU_API int cuCtxSetSharedMemConfig(int config) {
  return forward("cuCtxSetSharedMemConfig", [&] { return cudaDeviceSetSharedMemConfig(config); });
}
HPML_CU_API int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return forward("cuCtxGetStreamPriorityRange", [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
HPML_CU_API int cuCtxResetPersistingL2Cache() {
  return forward("cuCtxResetPersistingL2Cache", cudaCtxResetPersistingL2Cache);
}
HPML_CU_API int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
  return peer_call("cuCtxEnablePeerAccess", peer,
                   [&](int device) { return cudaDeviceEnablePeerAccess(device, flags); });
}
HPML_CU_API int cuCtxDisablePeerAccess(void* peer) {
  return peer_call("cuCtxDisablePeerAccess", peer, [](int device) { return cudaDeviceDisablePeerAccess(device); });
}
