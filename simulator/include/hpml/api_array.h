// CUDA arrays. Included by cuda_runtime_api.h inside extern "C".
#pragma once

struct cudaChannelFormatDesc cudaCreateChannelDesc(int __x, int __y, int __z, int __w, enum cudaChannelFormatKind __f);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* __desc, cudaArray_const_t __array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* __desc, struct cudaExtent* __extent, unsigned int* __flags,
                             cudaArray_t __array);
cudaError_t cudaMallocArray(cudaArray_t* __array, const struct cudaChannelFormatDesc* __desc, size_t __width,
                            size_t __height __HPML_DEFAULT__(0), unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaMalloc3DArray(cudaArray_t* __array, const struct cudaChannelFormatDesc* __desc,
                              struct cudaExtent __extent, unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaFreeArray(cudaArray_t __array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t __dst, size_t __x, size_t __y, const void* __src, size_t __spitch,
                                size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t __dst, size_t __x, size_t __y, const void* __src, size_t __spitch,
                                     size_t __width, size_t __height, enum cudaMemcpyKind __kind,
                                     cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpy2DFromArray(void* __dst, size_t __dpitch, cudaArray_const_t __src, size_t __x, size_t __y,
                                  size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* __dst, size_t __dpitch, cudaArray_const_t __src, size_t __x, size_t __y,
                                       size_t __width, size_t __height, enum cudaMemcpyKind __kind,
                                       cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t __dst, size_t __dx, size_t __dy, cudaArray_const_t __src, size_t __sx,
                                     size_t __sy, size_t __width, size_t __height,
                                     enum cudaMemcpyKind __kind __HPML_DEFAULT__(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArray(cudaArray_t __dst, size_t __x, size_t __y, const void* __src, size_t __count,
                              enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyFromArray(void* __dst, cudaArray_const_t __src, size_t __x, size_t __y, size_t __count,
                                enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t __dst, size_t __x, size_t __y, const void* __src, size_t __count,
                                   enum cudaMemcpyKind __kind, cudaStream_t __stream __HPML_DEFAULT__(0));
cudaError_t cudaMemcpyFromArrayAsync(void* __dst, cudaArray_const_t __src, size_t __x, size_t __y, size_t __count,
                                     enum cudaMemcpyKind __kind, cudaStream_t __stream __HPML_DEFAULT__(0));
