// Stream-ordered allocation and memory pools. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaMallocAsync(void** __ptr, size_t __size, cudaStream_t __stream);
cudaError_t cudaFreeAsync(void* __ptr, cudaStream_t __stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* __pool, int __device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr, void* __value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr, void* __value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __pool, size_t __keep);
cudaError_t cudaMallocFromPoolAsync(void** __ptr, size_t __size, cudaMemPool_t __pool, cudaStream_t __stream);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* __pool, int __device);
cudaError_t cudaDeviceSetMemPool(int __device, cudaMemPool_t __pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* __pool, const struct cudaMemPoolProps* __props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t __pool);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t __pool, const struct cudaMemAccessDesc* __list, size_t __count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* __flags, cudaMemPool_t __pool,
                                 struct cudaMemLocation* __location);
cudaError_t cudaMemPoolExportToShareableHandle(void* __handle, cudaMemPool_t __pool, enum cudaMemAllocationHandleType __type,
                                               unsigned int __flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* __pool, void* __handle,
                                                 enum cudaMemAllocationHandleType __type, unsigned int __flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* __data, void* __ptr);
cudaError_t cudaMemPoolImportPointer(void** __ptr, cudaMemPool_t __pool, struct cudaMemPoolPtrExportData* __data);
cudaError_t cudaDeviceGraphMemTrim(int __device);
cudaError_t cudaDeviceGetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr, void* __value);
cudaError_t cudaDeviceSetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __attr, void* __value);
