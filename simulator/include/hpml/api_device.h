// Devices, errors, streams, events, versions. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaGetDeviceCount(int* __count);
cudaError_t cudaGetDevice(int* __device);
cudaError_t cudaSetDevice(int __device);
cudaError_t cudaChooseDevice(int* __device, const struct cudaDeviceProp* __prop);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* __prop, int __device);
cudaError_t cudaDeviceGetAttribute(int* __value, enum cudaDeviceAttr __attr, int __device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaDeviceGetLimit(size_t* __value, enum cudaLimit __limit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* __config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* __config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig __config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* __least, int* __greatest);
cudaError_t cudaDeviceGetPCIBusId(char* __text, int __length, int __device);
cudaError_t cudaDeviceGetByPCIBusId(int* __device, const char* __text);
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
cudaError_t cudaGetDeviceFlags(unsigned int* __flags);
cudaError_t cudaSetValidDevices(int* __devices, int __length);
cudaError_t cudaDeviceCanAccessPeer(int* __can, int __device, int __peer);
cudaError_t cudaDeviceEnablePeerAccess(int __peer, unsigned int __flags);
cudaError_t cudaDeviceDisablePeerAccess(int __peer);
cudaError_t cudaDeviceGetP2PAttribute(int* __value, enum cudaDeviceP2PAttr __attr, int __from, int __to);
cudaError_t cudaInitDevice(int __device, unsigned int __device_flags, unsigned int __flags);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* __handle, void* __ptr);
cudaError_t cudaIpcOpenMemHandle(void** __ptr, cudaIpcMemHandle_t __handle, unsigned int __flags);
cudaError_t cudaIpcCloseMemHandle(void* __ptr);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* __handle, cudaEvent_t __event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* __event, cudaIpcEventHandle_t __handle);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDriverGetVersion(int* __version);
cudaError_t cudaRuntimeGetVersion(int* __version);
cudaError_t cudaThreadSynchronize(void)
    __attribute__((deprecated("removed in CUDA 13, use cudaDeviceSynchronize")));
cudaError_t cudaThreadExit(void) __attribute__((deprecated("removed in CUDA 13, use cudaDeviceReset")));

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t __error);
const char* cudaGetErrorString(cudaError_t __error);

cudaError_t cudaStreamCreate(cudaStream_t* __stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* __stream, unsigned int __flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* __stream, unsigned int __flags, int __priority);
cudaError_t cudaStreamGetPriority(cudaStream_t __stream, int* __priority);
cudaError_t cudaStreamGetFlags(cudaStream_t __stream, unsigned int* __flags);
cudaError_t cudaStreamGetId(cudaStream_t __stream, unsigned long long* __id);
cudaError_t cudaStreamCopyAttributes(cudaStream_t __dst, cudaStream_t __src);
cudaError_t cudaStreamGetAttribute(cudaStream_t __stream, cudaLaunchAttributeID __attr,
                                   cudaLaunchAttributeValue* __value);
cudaError_t cudaStreamSetAttribute(cudaStream_t __stream, cudaLaunchAttributeID __attr,
                                   const cudaLaunchAttributeValue* __value);
cudaError_t cudaStreamDestroy(cudaStream_t __stream);
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
cudaError_t cudaStreamQuery(cudaStream_t __stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event, unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaStreamAddCallback(cudaStream_t __stream, cudaStreamCallback_t __callback, void* __data,
                                  unsigned int __flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void* __ptr, size_t __length __HPML_DEFAULT__(0),
                                     unsigned int __flags __HPML_DEFAULT__(cudaMemAttachSingle));
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __function, void* __data);

cudaError_t cudaEventCreate(cudaEvent_t* __event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* __event, unsigned int __flags);
cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event, cudaStream_t __stream __HPML_DEFAULT__(0),
                                     unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaEventQuery(cudaEvent_t __event);
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
cudaError_t cudaEventElapsedTime(float* __milliseconds, cudaEvent_t __start, cudaEvent_t __end);
cudaError_t cudaEventDestroy(cudaEvent_t __event);

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
