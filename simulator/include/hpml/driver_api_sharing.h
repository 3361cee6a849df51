// Pools, memory and events shared between processes, and memory operations of streams. Included by cuda.h inside
// extern "C".
#pragma once

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* __pool, CUdevice __device);
CUresult cuDeviceGetMemPool(CUmemoryPool* __pool, CUdevice __device);
CUresult cuDeviceSetMemPool(CUdevice __device, CUmemoryPool __pool);
CUresult cuMemPoolCreate(CUmemoryPool* __pool, const CUmemPoolProps* __properties);
CUresult cuMemPoolDestroy(CUmemoryPool __pool);
CUresult cuMemPoolTrimTo(CUmemoryPool __pool, size_t __bytes);
CUresult cuMemPoolSetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void* __value);
CUresult cuMemPoolGetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void* __value);
CUresult cuMemPoolSetAccess(CUmemoryPool __pool, const CUmemAccessDesc* __access, size_t __count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags* __flags, CUmemoryPool __pool, CUmemLocation* __location);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* __address, size_t __bytes, CUmemoryPool __pool, CUstream __stream);
CUresult cuMemPoolExportToShareableHandle(void* __handle, CUmemoryPool __pool, CUmemAllocationHandleType __type,
                                          unsigned long long __flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* __pool, void* __handle, CUmemAllocationHandleType __type,
                                            unsigned long long __flags);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* __data, CUdeviceptr __address);
CUresult cuMemPoolImportPointer(CUdeviceptr* __address, CUmemoryPool __pool, CUmemPoolPtrExportData* __data);

CUresult cuIpcGetMemHandle(CUipcMemHandle* __handle, CUdeviceptr __address);
CUresult cuIpcOpenMemHandle(CUdeviceptr* __address, CUipcMemHandle __handle, unsigned int __flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr __address);
CUresult cuIpcGetEventHandle(CUipcEventHandle* __handle, CUevent __event);
CUresult cuIpcOpenEventHandle(CUevent* __event, CUipcEventHandle __handle);

CUresult cuStreamWaitValue32(CUstream __stream, CUdeviceptr __address, cuuint32_t __value, unsigned int __flags);
CUresult cuStreamWaitValue64(CUstream __stream, CUdeviceptr __address, cuuint64_t __value, unsigned int __flags);
CUresult cuStreamWriteValue32(CUstream __stream, CUdeviceptr __address, cuuint32_t __value, unsigned int __flags);
CUresult cuStreamWriteValue64(CUstream __stream, CUdeviceptr __address, cuuint64_t __value, unsigned int __flags);
CUresult cuStreamBatchMemOp(CUstream __stream, unsigned int __count, CUstreamBatchMemOpParams* __operations,
                            unsigned int __flags);
