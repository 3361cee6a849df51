// Launches, kernel attributes, occupancy. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaLaunchKernel(const void* __func, dim3 __grid, dim3 __block, void** __args, size_t __shared,
                             cudaStream_t __stream);
cudaError_t cudaLaunchCooperativeKernel(const void* __func, dim3 __grid, dim3 __block, void** __args, size_t __shared,
                                        cudaStream_t __stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* __config, const void* __func, void** __args);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* __function, const void* __symbol);
cudaError_t cudaGetDriverEntryPoint(const char* __name, void** __function, unsigned long long __flags);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* __attr, const void* __func);
cudaError_t cudaFuncSetAttribute(const void* __func, enum cudaFuncAttribute __attr, int __value);
cudaError_t cudaFuncSetCacheConfig(const void* __func, enum cudaFuncCache __config);
cudaError_t cudaFuncSetSharedMemConfig(const void* __func, enum cudaSharedMemConfig __config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* __blocks, const void* __func, int __threads,
                                                          size_t __shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* __blocks, const void* __func, int __threads,
                                                                   size_t __shared, unsigned int __flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* __bytes, const void* __func, int __blocks,
                                                      int __threads);
cudaError_t cudaOccupancyMaxActiveClusters(int* __clusters, const void* __func, const cudaLaunchConfig_t* __config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* __size, const void* __func, const cudaLaunchConfig_t* __config);

#ifdef __CUDA__
// Launches from device code, which Thrust's headers name. clang cannot link what calls them.
__attribute__((device)) void* cudaGetParameterBuffer(size_t __alignment, size_t __size);
__attribute__((device)) cudaError_t cudaLaunchDevice(void* __func, void* __parameters, dim3 __grid, dim3 __block,
                                                     unsigned int __shared, cudaStream_t __stream);
#endif

// What clang's `<<< >>>` calls.
unsigned int __cudaPushCallConfiguration(dim3 __grid, dim3 __block, size_t __shared __HPML_DEFAULT__(0),
                                         struct CUstream_st* __stream __HPML_DEFAULT__(0));
cudaError_t __cudaPopCallConfiguration(dim3* __grid, dim3* __block, size_t* __shared, void* __stream);
