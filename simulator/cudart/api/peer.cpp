// Access between devices. Every simulated device can use the memory of every other, over the link to the host; nothing
// of that is in the timing of kernels.
#include <algorithm>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

bool is_device(Runtime& runtime, int ordinal) { return ordinal >= 0 && ordinal < runtime.device_count(); }

// `body(Context& own, Context& peer) -> Error` for the thread's device and another one.
template <class Body>
int peer_call(const char* name, int ordinal, Body body) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    if (!is_device(runtime, ordinal) || ordinal == context.ordinal()) {
      return Error::invalid_device;
    }
    Context* peer = runtime.device(ordinal);
    return peer != nullptr ? body(context, *peer) : Error::initialization_error;
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaDeviceCanAccessPeer(int* can, int a, int b) {
  return api_call("cudaDeviceCanAccessPeer", [&](Runtime& runtime, ApiRecord&) {
    if (!is_device(runtime, a) || !is_device(runtime, b)) {
      return Error::invalid_device;
    }
    return can != nullptr ? (*can = a != b ? 1 : 0, Error::success) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaDeviceEnablePeerAccess(int ordinal, unsigned flags) {
  return peer_call("cudaDeviceEnablePeerAccess", ordinal, [&](Context& own, Context& peer) {
    if (flags != 0) {
      return Error::invalid_value;
    }
    if (!own.peers.insert(ordinal).second) {
      return Error::peer_access_already_enabled;
    }
    own.memory().enable_peer(peer.memory(), true);
    return Error::success;
  });
}

HPML_CUDA_API int cudaDeviceDisablePeerAccess(int ordinal) {
  return peer_call("cudaDeviceDisablePeerAccess", ordinal, [&](Context& own, Context& peer) {
    if (own.peers.erase(ordinal) == 0) {
      return Error::peer_access_not_enabled;
    }
    own.memory().enable_peer(peer.memory(), false);
    return Error::success;
  });
}

HPML_CUDA_API int cudaDeviceGetP2PAttribute(int* value, int attribute, int a, int b) {
  return api_call("cudaDeviceGetP2PAttribute", [&](Runtime& runtime, ApiRecord&) {
    constexpr int kAccess = 2, kArrays = 4, kFirst = 1, kLast = 5;  // cudaDeviceP2PAttr; 3: native atomics, 1: rank
    if (!is_device(runtime, a) || !is_device(runtime, b) || a == b) {
      return Error::invalid_device;
    }
    if (value == nullptr || attribute < kFirst || attribute > kLast) {
      return Error::invalid_value;
    }
    *value = attribute == kAccess || attribute == kArrays ? 1 : 0;
    return Error::success;
  });
}
