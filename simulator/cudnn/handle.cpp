// Handles and versions.
#include "simulator/cudnn/entry.hpp"

using namespace hpml::sim::cudnn;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

bool is_9() { return hpml::sim::libraries::major() >= 9; }
size_t version() { return is_9() ? 91000 : 8907; }

}  // namespace

HPML_LIBRARY_API int cudnnCreate(Handle** handle) {
  const auto make = [&](Runtime&, Context&, ApiRecord&) -> int {
    if (handle == nullptr) {
      return kNullPointer;
    }
    *handle = new Handle;
    return kSuccess;
  };
  return code(hpml::sim::libraries::library_call("cudnnCreate", status_name, kNotInitialized, make));
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

HPML_LIBRARY_API size_t cudnnGetVersion() { return version(); }
HPML_LIBRARY_API size_t cudnnGetCudartVersion() { return is_9() ? 13000 : 11080; }
HPML_LIBRARY_API int cudnnGetProperty(int type, int* value) {
  return descriptor_call("cudnnGetProperty", [&] {
    if (value == nullptr) {
      return kNullPointer;
    }
    const int major_unit = is_9() ? 10000 : 1000;
    const auto number = static_cast<int>(version());
    const int parts[] = {number / major_unit, number % major_unit / 100, number % 100};
    if (type < 0 || type > 2) {
      return kBadParam;
    }
    *value = parts[type];
    return kSuccess;
  });
}
