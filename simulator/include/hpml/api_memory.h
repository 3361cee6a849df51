// Allocation, copies, symbols, managed memory. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaMalloc(void** __ptr, size_t __size);
cudaError_t cudaFree(void* __ptr);
cudaError_t cudaMallocPitch(void** __ptr, size_t* __pitch, size_t __width, size_t __height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* __ptr, struct cudaExtent __extent);
cudaError_t cudaMallocHost(void** __ptr, size_t __size);
cudaError_t cudaHostAlloc(void** __ptr, size_t __size, unsigned int __flags);
cudaError_t cudaFreeHost(void* __ptr);
cudaError_t cudaHostRegister(void* __ptr, size_t __size, unsigned int __flags);
cudaError_t cudaHostUnregister(void* __ptr);
cudaError_t cudaHostGetDevicePointer(void** __device, void* __host, unsigned int __flags);
cudaError_t cudaHostGetFlags(unsigned int* __flags, void* __host);
cudaError_t cudaMallocManaged(void** __ptr, size_t __size, unsigned int __flags __HPML_DEFAULT__(cudaMemAttachGlobal));
cudaError_t cudaMemGetInfo(size_t* __free, size_t* __total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* __attr, const void* __ptr);

cudaError_t cudaMemcpy(void* __dst, const void* __src, size_t __count, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyAsync(void* __dst, const void* __src, size_t __count, enum cudaMemcpyKind __kind,
                            cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpyPeer(void* __dst, int __dst_device, const void* __src, int __src_device, size_t __count);
cudaError_t cudaMemcpyPeerAsync(void* __dst, int __dst_device, const void* __src, int __src_device, size_t __count,
                                cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpy2D(void* __dst, size_t __dpitch, const void* __src, size_t __spitch, size_t __width,
                         size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DAsync(void* __dst, size_t __dpitch, const void* __src, size_t __spitch, size_t __width,
                              size_t __height, enum cudaMemcpyKind __kind, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* __parms);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* __parms, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemset(void* __ptr, int __value, size_t __count);
cudaError_t cudaMemsetAsync(void* __ptr, int __value, size_t __count, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemset2D(void* __ptr, size_t __pitch, int __value, size_t __width, size_t __height);
cudaError_t cudaMemset2DAsync(void* __ptr, size_t __pitch, int __value, size_t __width, size_t __height,
                              cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr __ptr, int __value, struct cudaExtent __extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr __ptr, int __value, struct cudaExtent __extent,
                              cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* __parms);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* __parms,
                                  cudaStream_t __stream __HPML_DEFAULT__(0));

cudaError_t cudaMemcpyToSymbol(const void* __symbol, const void* __src, size_t __count,
                               size_t __offset __HPML_DEFAULT__(0),
                               enum cudaMemcpyKind __kind __HPML_DEFAULT__(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void* __dst, const void* __symbol, size_t __count,
                                 size_t __offset __HPML_DEFAULT__(0),
                                 enum cudaMemcpyKind __kind __HPML_DEFAULT__(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void* __symbol, const void* __src, size_t __count, size_t __offset,
                                    enum cudaMemcpyKind __kind, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpyFromSymbolAsync(void* __dst, const void* __symbol, size_t __count, size_t __offset,
                                      enum cudaMemcpyKind __kind, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaGetSymbolAddress(void** __ptr, const void* __symbol);
cudaError_t cudaGetSymbolSize(size_t* __size, const void* __symbol);

cudaError_t cudaMemPrefetchAsync(const void* __ptr, size_t __count, int __device,
                                 cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemAdvise(const void* __ptr, size_t __count, enum cudaMemoryAdvise __advice, int __device);
cudaError_t cudaMemRangeGetAttribute(void* __data, size_t __size, enum cudaMemRangeAttribute __attr,
                                     const void* __ptr, size_t __count);
cudaError_t cudaMemRangeGetAttributes(void** __data, size_t* __sizes, enum cudaMemRangeAttribute* __attrs,
                                      size_t __attr_count, const void* __ptr, size_t __count);
