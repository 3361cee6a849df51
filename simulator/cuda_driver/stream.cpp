// Streams: the runtime's, by the same handles.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/owned.hpp"
#include "simulator/cudart/api/launch_attribute.hpp"

namespace hpml::sim::cuda_driver {
namespace {

int destroy(void* stream) {
  return gone(OwnedKind::stream, stream, forward("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); }));
}

// All contexts of a device share its streams: the current one is as good an answer as any, where it is of that device.
int get_context(void* stream, void** context) {
  return forward("cuStreamGetCtx", [&] {
    int device = 0;
    const int error = cudaStreamGetDevice(stream, &device);
    if (error != 0 || context == nullptr) {
      return error != 0 ? error : static_cast<int>(Error::invalid_value);
    }
    ContextHandle* current = this_thread().contexts.back();
    *context = current->device == device ? current : &Runtime::get().context_handles.primary(device);
    return 0;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuStreamCreate(void** stream, unsigned flags) {
  return made(OwnedKind::stream, stream,
              forward("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, flags); }));
}
HPML_CU_API int cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return made(OwnedKind::stream, stream, forward("cuStreamCreateWithPriority", [&] {
                return cudaStreamCreateWithPriority(stream, flags, priority);
              }));
}
HPML_CU_API int cuStreamDestroy(void* stream) { return destroy(stream); }
HPML_CU_API int cuStreamDestroy_v2(void* stream) { return destroy(stream); }

HPML_CU_API int cuStreamSynchronize(void* stream) {
  return forward("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}
HPML_CU_API int cuStreamSynchronize_ptsz(void* stream) { return cuStreamSynchronize(per_thread(stream)); }
HPML_CU_API int cuStreamQuery(void* stream) {
  return forward("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}
HPML_CU_API int cuStreamQuery_ptsz(void* stream) { return cuStreamQuery(per_thread(stream)); }
HPML_CU_API int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return forward("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
HPML_CU_API int cuStreamWaitEvent_ptsz(void* stream, void* event, unsigned flags) {
  return cuStreamWaitEvent(per_thread(stream), event, flags);
}

HPML_CU_API int cuStreamGetFlags(void* stream, unsigned* flags) {
  return forward("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}
HPML_CU_API int cuStreamGetFlags_ptsz(void* stream, unsigned* flags) {
  return cuStreamGetFlags(per_thread(stream), flags);
}
HPML_CU_API int cuStreamGetPriority(void* stream, int* priority) {
  return forward("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}
HPML_CU_API int cuStreamGetPriority_ptsz(void* stream, int* priority) {
  return cuStreamGetPriority(per_thread(stream), priority);
}
HPML_CU_API int cuStreamGetId(void* stream, unsigned long long* id) {
  return forward("cuStreamGetId", [&] { return cudaStreamGetId(stream, id); });
}
HPML_CU_API int cuStreamGetId_ptsz(void* stream, unsigned long long* id) {
  return cuStreamGetId(per_thread(stream), id);
}
HPML_CU_API int cuStreamGetCtx(void* stream, void** context) { return get_context(stream, context); }
HPML_CU_API int cuStreamGetCtx_ptsz(void* stream, void** context) { return get_context(per_thread(stream), context); }
HPML_CU_API int cuStreamGetDevice(void* stream, int* device) {
  return forward("cuStreamGetDevice", [&] { return cudaStreamGetDevice(stream, device); });
}
HPML_CU_API int cuStreamGetDevice_ptsz(void* stream, int* device) {
  return cuStreamGetDevice(per_thread(stream), device);
}

HPML_CU_API int cuStreamCopyAttributes(void* dst, void* src) {
  return forward("cuStreamCopyAttributes", [&] { return cudaStreamCopyAttributes(dst, src); });
}
HPML_CU_API int cuStreamCopyAttributes_ptsz(void* dst, void* src) {
  return cuStreamCopyAttributes(per_thread(dst), per_thread(src));
}
HPML_CU_API int cuStreamAttachMemAsync(void* stream, DevicePtr address, size_t bytes, unsigned flags) {
  return forward("cuStreamAttachMemAsync",
                 [&] { return cudaStreamAttachMemAsync(stream, pointer_of(address), bytes, flags); });
}
HPML_CU_API int cuStreamAttachMemAsync_ptsz(void* stream, DevicePtr address, size_t bytes, unsigned flags) {
  return cuStreamAttachMemAsync(per_thread(stream), address, bytes, flags);
}
HPML_CU_API int cuStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned flags) {
  return forward("cuStreamAddCallback", [&] { return cudaStreamAddCallback(stream, callback, data, flags); });
}
HPML_CU_API int cuStreamAddCallback_ptsz(void* stream, void (*callback)(void*, int, void*), void* data,
                                         unsigned flags) {
  return cuStreamAddCallback(per_thread(stream), callback, data, flags);
}

// CUstreamAttrValue is cudaLaunchAttributeValue, and the attributes have the same numbers.
HPML_CU_API int cuStreamSetAttribute(void* stream, int attribute, const cudart::LaunchAttributeValue* value) {
  return forward("cuStreamSetAttribute", [&] { return cudaStreamSetAttribute(stream, attribute, value); });
}
HPML_CU_API int cuStreamSetAttribute_ptsz(void* stream, int attribute, const cudart::LaunchAttributeValue* value) {
  return cuStreamSetAttribute(per_thread(stream), attribute, value);
}
HPML_CU_API int cuStreamGetAttribute(void* stream, int attribute, cudart::LaunchAttributeValue* value) {
  return forward("cuStreamGetAttribute", [&] { return cudaStreamGetAttribute(stream, attribute, value); });
}
HPML_CU_API int cuStreamGetAttribute_ptsz(void* stream, int attribute, cudart::LaunchAttributeValue* value) {
  return cuStreamGetAttribute(per_thread(stream), attribute, value);
}
