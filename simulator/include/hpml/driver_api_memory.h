// Memory: allocation, copies, fills, what is known of an address. Included by cuda.h inside extern "C".
#pragma once

CUresult cuMemGetInfo(size_t* __free, size_t* __total);
CUresult cuMemAlloc(CUdeviceptr* __address, size_t __bytes);
CUresult cuMemAllocPitch(CUdeviceptr* __address, size_t* __pitch, size_t __width, size_t __height,
                         unsigned int __element);
CUresult cuMemAllocManaged(CUdeviceptr* __address, size_t __bytes, unsigned int __flags);
CUresult cuMemAllocAsync(CUdeviceptr* __address, size_t __bytes, CUstream __stream);
CUresult cuMemFree(CUdeviceptr __address);
CUresult cuMemFreeAsync(CUdeviceptr __address, CUstream __stream);
CUresult cuMemAllocHost(void** __pointer, size_t __bytes);
CUresult cuMemHostAlloc(void** __pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemFreeHost(void* __pointer);
CUresult cuMemHostRegister(void* __pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemHostUnregister(void* __pointer);
CUresult cuMemHostGetDevicePointer(CUdeviceptr* __address, void* __pointer, unsigned int __flags);
CUresult cuMemHostGetFlags(unsigned int* __flags, void* __pointer);
CUresult cuMemPrefetchAsync(CUdeviceptr __address, size_t __bytes, CUdevice __device, CUstream __stream);
CUresult cuMemAdvise(CUdeviceptr __address, size_t __bytes, CUmem_advise __advice, CUdevice __device);
CUresult cuMemGetAddressRange(CUdeviceptr* __base, size_t* __size, CUdeviceptr __address);
CUresult cuPointerGetAttribute(void* __data, CUpointer_attribute __attr, CUdeviceptr __address);
CUresult cuPointerGetAttributes(unsigned int __count, CUpointer_attribute* __attributes, void** __data,
                                CUdeviceptr __address);

CUresult cuMemGetAllocationGranularity(size_t* __bytes, const CUmemAllocationProp* __properties,
                                       CUmemAllocationGranularity_flags __option);
CUresult cuMemAddressReserve(CUdeviceptr* __address, size_t __bytes, size_t __alignment, CUdeviceptr __hint,
                             unsigned long long __flags);
CUresult cuMemAddressFree(CUdeviceptr __address, size_t __bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle* __handle, size_t __bytes, const CUmemAllocationProp* __properties,
                     unsigned long long __flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle __handle);
CUresult cuMemMap(CUdeviceptr __address, size_t __bytes, size_t __offset, CUmemGenericAllocationHandle __handle,
                  unsigned long long __flags);
CUresult cuMemUnmap(CUdeviceptr __address, size_t __bytes);
CUresult cuMemSetAccess(CUdeviceptr __address, size_t __bytes, const CUmemAccessDesc* __access, size_t __count);
CUresult cuMemGetAccess(unsigned long long* __flags, const CUmemLocation* __location, CUdeviceptr __address);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* __handle, void* __address);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* __properties,
                                                CUmemGenericAllocationHandle __handle);

CUresult cuMemcpy(CUdeviceptr __dst, CUdeviceptr __src, size_t __bytes);
CUresult cuMemcpyHtoD(CUdeviceptr __dst, const void* __src, size_t __bytes);
CUresult cuMemcpyDtoH(void* __dst, CUdeviceptr __src, size_t __bytes);
CUresult cuMemcpyDtoD(CUdeviceptr __dst, CUdeviceptr __src, size_t __bytes);
CUresult cuMemcpyAsync(CUdeviceptr __dst, CUdeviceptr __src, size_t __bytes, CUstream __stream);
CUresult cuMemcpyHtoDAsync(CUdeviceptr __dst, const void* __src, size_t __bytes, CUstream __stream);
CUresult cuMemcpyDtoHAsync(void* __dst, CUdeviceptr __src, size_t __bytes, CUstream __stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr __dst, CUdeviceptr __src, size_t __bytes, CUstream __stream);
CUresult cuMemcpyPeer(CUdeviceptr __dst, CUcontext __dst_context, CUdeviceptr __src, CUcontext __src_context,
                      size_t __bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr __dst, CUcontext __dst_context, CUdeviceptr __src, CUcontext __src_context,
                           size_t __bytes, CUstream __stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* __copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* __copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* __copy, CUstream __stream);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* __copy);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* __copy, CUstream __stream);

CUresult cuMemsetD8(CUdeviceptr __dst, unsigned char __value, size_t __count);
CUresult cuMemsetD16(CUdeviceptr __dst, unsigned short __value, size_t __count);
CUresult cuMemsetD32(CUdeviceptr __dst, unsigned int __value, size_t __count);
CUresult cuMemsetD2D8(CUdeviceptr __dst, size_t __pitch, unsigned char __value, size_t __width, size_t __height);
CUresult cuMemsetD2D16(CUdeviceptr __dst, size_t __pitch, unsigned short __value, size_t __width, size_t __height);
CUresult cuMemsetD2D32(CUdeviceptr __dst, size_t __pitch, unsigned int __value, size_t __width, size_t __height);
CUresult cuMemsetD8Async(CUdeviceptr __dst, unsigned char __value, size_t __count, CUstream __stream);
CUresult cuMemsetD16Async(CUdeviceptr __dst, unsigned short __value, size_t __count, CUstream __stream);
CUresult cuMemsetD32Async(CUdeviceptr __dst, unsigned int __value, size_t __count, CUstream __stream);
CUresult cuMemsetD2D8Async(CUdeviceptr __dst, size_t __pitch, unsigned char __value, size_t __width, size_t __height,
                           CUstream __stream);
CUresult cuMemsetD2D16Async(CUdeviceptr __dst, size_t __pitch, unsigned short __value, size_t __width, size_t __height,
                            CUstream __stream);
CUresult cuMemsetD2D32Async(CUdeviceptr __dst, size_t __pitch, unsigned int __value, size_t __width, size_t __height,
                            CUstream __stream);
