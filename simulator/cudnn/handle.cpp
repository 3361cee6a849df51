// Handles and versions.
#include "simulator/cudnn/entry.hpp"

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {
constexpr size_t kVersion = HPML_CUDNN_MAJOR >= 9 ? 91000 : 8907;
}

HPML_LIBRARY_API int cudnnCreate(Handle** handle) {
  return hpml::sim::libraries::library_call("cudnnCreate", status_name, kNotInitialized,
                                            [&](Runtime&, Context&, ApiRecord&) -> int {
                                              if (handle == nullptr) {
                                                return kNullPointer;
                                              }
                                              *handle = new Handle;
                                              return kSuccess;
                                            });
}
HPML_LIBRARY_API int cudnnDestroy(Handle* handle) { return destroy("cudnnDestroy", handle); }

HPML_LIBRARY_API int cudnnSetStream(Handle* handle, void* stream) {
  return handle_call("cudnnSetStream", handle, [&](const Call& call) {
    if (call.runtime.stream(stream).stream == nullptr) {
      return kBadParam;
    }
    handle->stream = stream;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cudnnGetStream(Handle* handle, void** stream) {
  return descriptor_call("cudnnGetStream", [&] {
    if (handle == nullptr || stream == nullptr) {
      return kNullPointer;
    }
    *stream = handle->stream;
    return kSuccess;
  });
}

HPML_LIBRARY_API size_t cudnnGetVersion() { return kVersion; }
HPML_LIBRARY_API size_t cudnnGetCudartVersion() { return HPML_CUDNN_MAJOR >= 9 ? 13000 : 11080; }
HPML_LIBRARY_API int cudnnGetProperty(int type, int* value) {
  return descriptor_call("cudnnGetProperty", [&] {
    if (value == nullptr) {
      return kNullPointer;
    }
    constexpr int kMajorUnit = HPML_CUDNN_MAJOR >= 9 ? 10000 : 1000;
    constexpr auto kNumber = static_cast<int>(kVersion);
    const int parts[] = {kNumber / kMajorUnit, kNumber % kMajorUnit / 100, kNumber % 100};
    if (type < 0 || type > 2) {
      return kBadParam;
    }
    *value = parts[type];
    return kSuccess;
  });
}
