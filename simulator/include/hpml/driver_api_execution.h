// Kernels, launches, occupancy, streams, events. Included by cuda.h inside extern "C".
#pragma once

CUresult cuFuncGetAttribute(int* __value, CUfunction_attribute __attr, CUfunction __function);
CUresult cuFuncSetAttribute(CUfunction __function, CUfunction_attribute __attr, int __value);
CUresult cuFuncSetCacheConfig(CUfunction __function, CUfunc_cache __config);
CUresult cuFuncSetSharedMemConfig(CUfunction __function, CUsharedconfig __config);
CUresult cuFuncGetModule(CUmodule* __module, CUfunction __function);
CUresult cuFuncGetName(const char** __name, CUfunction __function);
CUresult cuFuncGetParamInfo(CUfunction __function, size_t __index, size_t* __offset, size_t* __size);

CUresult cuFuncSetBlockShape(CUfunction __function, int __x, int __y, int __z);
CUresult cuFuncSetSharedSize(CUfunction __function, unsigned int __bytes);
CUresult cuParamSetSize(CUfunction __function, unsigned int __bytes);
CUresult cuParamSeti(CUfunction __function, int __offset, unsigned int __value);
CUresult cuParamSetf(CUfunction __function, int __offset, float __value);
CUresult cuParamSetv(CUfunction __function, int __offset, void* __value, unsigned int __bytes);
CUresult cuLaunch(CUfunction __function);
CUresult cuLaunchGrid(CUfunction __function, int __width, int __height);
CUresult cuLaunchGridAsync(CUfunction __function, int __width, int __height, CUstream __stream);

CUresult cuLaunchKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y, unsigned int __grid_z,
                        unsigned int __block_x, unsigned int __block_y, unsigned int __block_z, unsigned int __shared,
                        CUstream __stream, void** __parameters, void** __extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig* __config, CUfunction __function, void** __parameters, void** __extra);
CUresult cuLaunchCooperativeKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y,
                                   unsigned int __grid_z, unsigned int __block_x, unsigned int __block_y,
                                   unsigned int __block_z, unsigned int __shared, CUstream __stream,
                                   void** __parameters);
CUresult cuLaunchHostFunc(CUstream __stream, CUhostFn __function, void* __data);

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* __blocks, CUfunction __function, int __threads,
                                                     size_t __shared);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* __blocks, CUfunction __function, int __threads,
                                                              size_t __shared, unsigned int __flags);
CUresult cuOccupancyMaxPotentialBlockSize(int* __grid, int* __block, CUfunction __function,
                                          CUoccupancyB2DSize __shared_of, size_t __shared, int __limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* __grid, int* __block, CUfunction __function,
                                                   CUoccupancyB2DSize __shared_of, size_t __shared, int __limit,
                                                   unsigned int __flags);
CUresult cuOccupancyMaxActiveClusters(int* __clusters, CUfunction __function, const CUlaunchConfig* __config);
CUresult cuOccupancyMaxPotentialClusterSize(int* __size, CUfunction __function, const CUlaunchConfig* __config);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* __bytes, CUfunction __function, int __blocks, int __threads);

CUresult cuStreamCreate(CUstream* __stream, unsigned int __flags);
CUresult cuStreamCreateWithPriority(CUstream* __stream, unsigned int __flags, int __priority);
CUresult cuStreamDestroy(CUstream __stream);
CUresult cuStreamSynchronize(CUstream __stream);
CUresult cuStreamQuery(CUstream __stream);
CUresult cuStreamWaitEvent(CUstream __stream, CUevent __event, unsigned int __flags);
CUresult cuStreamGetFlags(CUstream __stream, unsigned int* __flags);
CUresult cuStreamGetPriority(CUstream __stream, int* __priority);
CUresult cuStreamGetId(CUstream __stream, unsigned long long* __id);
CUresult cuStreamGetCtx(CUstream __stream, CUcontext* __context);
CUresult cuStreamAttachMemAsync(CUstream __stream, CUdeviceptr __address, size_t __bytes, unsigned int __flags);
CUresult cuStreamAddCallback(CUstream __stream, CUstreamCallback __callback, void* __data, unsigned int __flags);

CUresult cuEventCreate(CUevent* __event, unsigned int __flags);
CUresult cuEventDestroy(CUevent __event);
CUresult cuEventRecord(CUevent __event, CUstream __stream);
CUresult cuEventRecordWithFlags(CUevent __event, CUstream __stream, unsigned int __flags);
CUresult cuEventQuery(CUevent __event);
CUresult cuEventSynchronize(CUevent __event);
CUresult cuEventElapsedTime(float* __milliseconds, CUevent __start, CUevent __end);
