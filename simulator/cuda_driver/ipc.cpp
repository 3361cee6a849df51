// Memory and events that processes share: the runtime's.
#include "simulator/cuda_driver/frame.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuIpcGetMemHandle(IpcHandle* handle, DevicePtr address) {
  return forward("cuIpcGetMemHandle", [&] { return cudaIpcGetMemHandle(handle, pointer_of(address)); });
}
HPML_CU_API int cuIpcOpenMemHandle_v2(DevicePtr* address, IpcHandle handle, unsigned flags) {
  return forward("cuIpcOpenMemHandle",
                 [&] { return cudaIpcOpenMemHandle(reinterpret_cast<void**>(address), handle, flags); });
}
HPML_CU_API int cuIpcCloseMemHandle(DevicePtr address) {
  return forward("cuIpcCloseMemHandle", [&] { return cudaIpcCloseMemHandle(pointer_of(address)); });
}
HPML_CU_API int cuIpcGetEventHandle(IpcHandle* handle, void* event) {
  return forward("cuIpcGetEventHandle", [&] { return cudaIpcGetEventHandle(handle, event); });
}
HPML_CU_API int cuIpcOpenEventHandle(void** event, IpcHandle handle) {
  return forward("cuIpcOpenEventHandle", [&] { return cudaIpcOpenEventHandle(event, handle); });
}

HPML_CU_API int cuMemPoolExportToShareableHandle(void* descriptor, void* pool, int type, unsigned long long flags) {
  return forward("cuMemPoolExportToShareableHandle", [&] {
    return cudaMemPoolExportToShareableHandle(descriptor, pool, type, static_cast<unsigned>(flags));
  });
}
HPML_CU_API int cuMemPoolImportFromShareableHandle(void** pool, void* descriptor, int type, unsigned long long flags) {
  return forward("cuMemPoolImportFromShareableHandle", [&] {
    return cudaMemPoolImportFromShareableHandle(pool, descriptor, type, static_cast<unsigned>(flags));
  });
}
HPML_CU_API int cuMemPoolExportPointer(void* data, DevicePtr address) {
  return forward("cuMemPoolExportPointer", [&] { return cudaMemPoolExportPointer(data, pointer_of(address)); });
}
HPML_CU_API int cuMemPoolImportPointer(DevicePtr* address, void* pool, const void* data) {
  return forward("cuMemPoolImportPointer",
                 [&] { return cudaMemPoolImportPointer(reinterpret_cast<void**>(address), pool, data); });
}
