// Initialisation, devices, contexts. Included by cuda.h inside extern "C".
#pragma once

CUresult cuInit(unsigned int __flags);
CUresult cuDriverGetVersion(int* __version);
CUresult cuGetErrorName(CUresult __error, const char** __text);
CUresult cuGetErrorString(CUresult __error, const char** __text);
CUresult cuGetProcAddress(const char* __symbol, void** __function, int __version, cuuint64_t __flags);
CUresult cuGetExportTable(const void** __table, const CUuuid* __id);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

CUresult cuDeviceGet(CUdevice* __device, int __ordinal);
CUresult cuDeviceGetCount(int* __count);
CUresult cuDeviceGetName(char* __name, int __length, CUdevice __device);
CUresult cuDeviceGetUuid(CUuuid* __uuid, CUdevice __device);
CUresult cuDeviceTotalMem(size_t* __bytes, CUdevice __device);
CUresult cuDeviceGetAttribute(int* __value, CUdevice_attribute __attr, CUdevice __device);
CUresult cuDeviceGetProperties(CUdevprop* __properties, CUdevice __device);
CUresult cuDeviceComputeCapability(int* __major, int* __minor, CUdevice __device);
CUresult cuDeviceGetByPCIBusId(CUdevice* __device, const char* __id);
CUresult cuDeviceGetPCIBusId(char* __id, int __length, CUdevice __device);
CUresult cuDeviceCanAccessPeer(int* __can, CUdevice __device, CUdevice __peer);

CUresult cuDevicePrimaryCtxRetain(CUcontext* __context, CUdevice __device);
CUresult cuDevicePrimaryCtxRelease(CUdevice __device);
CUresult cuDevicePrimaryCtxReset(CUdevice __device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice __device, unsigned int __flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice __device, unsigned int* __flags, int* __active);

CUresult cuCtxCreate(CUcontext* __context, unsigned int __flags, CUdevice __device);
CUresult cuCtxDestroy(CUcontext __context);
CUresult cuCtxPushCurrent(CUcontext __context);
CUresult cuCtxAttach(CUcontext* __context, unsigned int __flags);
CUresult cuCtxDetach(CUcontext __context);
CUresult cuCtxPopCurrent(CUcontext* __context);
CUresult cuCtxSetCurrent(CUcontext __context);
CUresult cuCtxGetCurrent(CUcontext* __context);
CUresult cuCtxGetDevice(CUdevice* __device);
CUresult cuCtxGetFlags(unsigned int* __flags);
CUresult cuCtxGetId(CUcontext __context, unsigned long long* __id);
CUresult cuCtxGetApiVersion(CUcontext __context, unsigned int* __version);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit __limit, size_t __value);
CUresult cuCtxGetLimit(size_t* __value, CUlimit __limit);
CUresult cuCtxGetCacheConfig(CUfunc_cache* __config);
CUresult cuCtxSetCacheConfig(CUfunc_cache __config);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* __config);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig __config);
CUresult cuCtxGetStreamPriorityRange(int* __least, int* __greatest);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxEnablePeerAccess(CUcontext __peer, unsigned int __flags);
CUresult cuCtxDisablePeerAccess(CUcontext __peer);
