#pragma once
// The functions of the runtime API that the driver API's functions carry out: simulator/cudart/api.
#include <cstddef>

#include "simulator/cudart/api/launch_attribute.hpp"
#include "simulator/cudart/api/texture.hpp"
#include "simulator/cudart/runtime/array.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::cuda_driver {
struct IpcHandle {  // CUipcMemHandle, CUipcEventHandle: opaque
  char bytes[64];
};
}  // namespace hpml::sim::cuda_driver

extern "C" {
int cudaDeviceGetAttribute(int* value, int attribute, int ordinal);
int cudaDeviceGetPCIBusId(char* text, int length, int ordinal);
int cudaDeviceCanAccessPeer(int* can, int a, int b);
int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
int cudaDeviceDisablePeerAccess(int peer);
int cudaDeviceSynchronize();
int cudaDeviceReset();
int cudaDeviceGetLimit(size_t* value, int limit);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaDeviceGetCacheConfig(int* config);
int cudaDeviceSetCacheConfig(int config);
int cudaDeviceGetSharedMemConfig(int* config);
int cudaDeviceSetSharedMemConfig(int config);
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
int cudaCtxResetPersistingL2Cache();
int cudaProfilerStart();
int cudaProfilerStop();

int cudaMalloc(void** pointer, size_t bytes);
int cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
int cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
int cudaMallocHost(void** pointer, size_t bytes);
int cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
int cudaMallocAsync(void** pointer, size_t bytes, void* stream);
int cudaFree(void* pointer);
int cudaMemRangeGetAttribute(void* data, size_t size, int attribute, const void* pointer, size_t bytes);
int cudaMemRangeGetAttributes(void** data, size_t* sizes, int* attributes, size_t count, const void* pointer,
                              size_t bytes);
int cudaFreeHost(void* pointer);
int cudaFreeAsync(void* pointer, void* stream);
int cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
int cudaHostRegister(void* pointer, size_t bytes, unsigned flags);
int cudaHostUnregister(void* pointer);
int cudaHostGetDevicePointer(void** device_pointer, void* host, unsigned flags);
int cudaHostGetFlags(unsigned* flags, void* host);

int cudaMemcpy(void* dst, const void* src, size_t bytes, int kind);
int cudaMemcpy_ptds(void* dst, const void* src, size_t bytes, int kind);
int cudaMemcpyAsync(void* dst, const void* src, size_t bytes, int kind, void* stream);
int cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                      int kind, void* stream);
int cudaMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes);
int cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t bytes, void* stream);

int cudaStreamCreateWithFlags(void** stream, unsigned flags);
int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority);
int cudaStreamDestroy(void* stream);
int cudaStreamSynchronize(void* stream);
int cudaStreamQuery(void* stream);
int cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
int cudaStreamGetFlags(void* stream, unsigned* flags);
int cudaStreamGetPriority(void* stream, int* priority);
int cudaStreamGetId(void* stream, unsigned long long* id);
int cudaStreamAttachMemAsync(void* stream, void* pointer, size_t bytes, unsigned flags);
int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned flags);
int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data);

int cudaEventCreateWithFlags(void** event, unsigned flags);
int cudaEventDestroy(void* event);
int cudaEventRecordWithFlags(void* event, void* stream, unsigned flags);
int cudaEventQuery(void* event);
int cudaEventSynchronize(void* event);
int cudaEventElapsedTime(float* milliseconds, void* start, void* end);

int cudaLaunchKernel(const void* kernel, hpml::sim::device::Dim3 grid, hpml::sim::device::Dim3 block, void** arguments,
                     size_t shared, void* stream);
int cudaLaunchCooperativeKernel(const void* kernel, hpml::sim::device::Dim3 grid, hpml::sim::device::Dim3 block,
                                void** arguments, size_t shared, void* stream);
int cudaLaunchKernelExC(const void* config, const void* kernel, void** arguments);
int cudaFuncSetAttribute(const void* kernel, int attribute, int value);
int cudaFuncSetCacheConfig(const void* kernel, int config);
int cudaFuncSetSharedMemConfig(const void* kernel, int config);
int cudaFuncGetName(const char** name, const void* kernel);
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int threads, size_t shared,
                                                           unsigned flags);
int cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel, const void* config);
int cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel, const void* config);
int cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks, int threads);

int cudaDeviceGetP2PAttribute(int* value, int attribute, int device, int peer);
int cudaDeviceGetDefaultMemPool(void** pool, int ordinal);
int cudaDeviceGetMemPool(void** pool, int ordinal);
int cudaDeviceSetMemPool(int ordinal, void* pool);
int cudaMemPoolCreate(void** pool, const void* properties);
int cudaMemPoolDestroy(void* pool);
int cudaMemPoolTrimTo(void* pool, size_t keep);
int cudaMemPoolSetAttribute(void* pool, int attribute, void* value);
int cudaMemPoolGetAttribute(void* pool, int attribute, void* value);
int cudaMemPoolSetAccess(void* pool, const void* list, size_t count);
int cudaMemPoolGetAccess(int* flags, void* pool, const int* location);
int cudaMemGetDefaultMemPool(void** pool, const int* location, int type);
int cudaMemGetMemPool(void** pool, const int* location, int type);
int cudaMemSetMemPool(const int* location, int type, void* pool);
int cudaDeviceGraphMemTrim(int ordinal);
int cudaDeviceGetGraphMemAttribute(int ordinal, int attribute, void* value);
int cudaDeviceSetGraphMemAttribute(int ordinal, int attribute, void* value);
int cudaMallocFromPoolAsync(void** pointer, size_t bytes, void* pool, void* stream);

int cudaMalloc3DArray(void** array, const hpml::sim::cudart::ChannelFormat* format, hpml::sim::cudart::Extent extent,
                      unsigned flags);
int cudaFreeArray(void* array);
int cudaMallocMipmappedArray(void** pyramid, const hpml::sim::cudart::ChannelFormat* format,
                             hpml::sim::cudart::Extent extent, unsigned levels, unsigned flags);
int cudaGetMipmappedArrayLevel(void** array, const void* pyramid, unsigned level);
int cudaFreeMipmappedArray(void* pyramid);
int cudaCreateTextureObject(uint64_t* object, const hpml::sim::cudart::ResourceDescription* resource,
                            const hpml::sim::cudart::TextureDescription* texture, const void* view);
int cudaDestroyTextureObject(uint64_t object);
int cudaCreateSurfaceObject(uint64_t* object, const hpml::sim::cudart::ResourceDescription* resource);
int cudaDestroySurfaceObject(uint64_t object);

int cudaIpcGetMemHandle(void* handle, void* pointer);
int cudaIpcOpenMemHandle(void** pointer, hpml::sim::cuda_driver::IpcHandle handle, unsigned flags);
int cudaIpcCloseMemHandle(void* pointer);
int cudaIpcGetEventHandle(void* handle, void* event);
int cudaIpcOpenEventHandle(void** event, hpml::sim::cuda_driver::IpcHandle handle);
int cudaMemPoolExportToShareableHandle(void* descriptor, void* pool, int type, unsigned flags);
int cudaMemPoolImportFromShareableHandle(void** pool, void* descriptor, int type, unsigned flags);
int cudaMemPoolExportPointer(void* data, void* pointer);
int cudaMemPoolImportPointer(void** pointer, void* pool, const void* data);

int cudaStreamGetDevice(void* stream, int* ordinal);
int cudaStreamCopyAttributes(void* dst, void* src);
int cudaStreamSetAttribute(void* stream, int id, const hpml::sim::cudart::LaunchAttributeValue* value);
int cudaStreamGetAttribute(void* stream, int id, hpml::sim::cudart::LaunchAttributeValue* value);
int cudaStreamBeginCaptureToGraph(void* stream, void* graph, void* const* dependencies, const void* edge_data,
                                  size_t count, int mode);
int cudaStreamBeginCapture(void* stream, int mode);
int cudaStreamEndCapture(void* stream, void** graph);
int cudaStreamIsCapturing(void* stream, int* status);
int cudaThreadExchangeStreamCaptureMode(int* mode);
int cudaGraphCreate(void** graph, unsigned flags);
int cudaGraphDestroy(void* graph);
int cudaGraphClone(void** clone, void* graph);
int cudaGraphGetNodes(void* graph, void** nodes, size_t* count);
int cudaGraphDebugDotPrint(void* graph, const char* path, unsigned flags);
int cudaGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags);
int cudaGraphLaunch(void* exec, void* stream);
int cudaGraphUpload(void* exec, void* stream);
int cudaGraphExecDestroy(void* exec);
}
