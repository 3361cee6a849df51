// Arrays, texture and surface objects, and copies from and to arrays. Included by cuda.h inside extern "C".
#pragma once

CUresult cuArrayCreate(CUarray* __array, const CUDA_ARRAY_DESCRIPTOR* __descriptor);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* __descriptor, CUarray __array);
CUresult cuArray3DCreate(CUarray* __array, const CUDA_ARRAY3D_DESCRIPTOR* __descriptor);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* __descriptor, CUarray __array);
CUresult cuArrayDestroy(CUarray __array);
CUresult cuMipmappedArrayCreate(CUmipmappedArray* __array, const CUDA_ARRAY3D_DESCRIPTOR* __descriptor,
                                unsigned int __levels);
CUresult cuMipmappedArrayGetLevel(CUarray* __level_array, CUmipmappedArray __array, unsigned int __level);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray __array);

CUresult cuTexObjectCreate(CUtexObject* __object, const CUDA_RESOURCE_DESC* __resource,
                           const CUDA_TEXTURE_DESC* __texture, const CUDA_RESOURCE_VIEW_DESC* __view);
CUresult cuTexObjectDestroy(CUtexObject __object);
CUresult cuSurfObjectCreate(CUsurfObject* __object, const CUDA_RESOURCE_DESC* __resource);
CUresult cuSurfObjectDestroy(CUsurfObject __object);

CUresult cuMemcpyDtoA(CUarray __dst, size_t __dst_offset, CUdeviceptr __src, size_t __bytes);
CUresult cuMemcpyAtoD(CUdeviceptr __dst, CUarray __src, size_t __src_offset, size_t __bytes);
CUresult cuMemcpyHtoA(CUarray __dst, size_t __dst_offset, const void* __src, size_t __bytes);
CUresult cuMemcpyAtoH(void* __dst, CUarray __src, size_t __src_offset, size_t __bytes);
CUresult cuMemcpyAtoA(CUarray __dst, size_t __dst_offset, CUarray __src, size_t __src_offset, size_t __bytes);
CUresult cuMemcpyHtoAAsync(CUarray __dst, size_t __dst_offset, const void* __src, size_t __bytes, CUstream __stream);
CUresult cuMemcpyAtoHAsync(void* __dst, CUarray __src, size_t __src_offset, size_t __bytes, CUstream __stream);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* __copy);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* __copy, CUstream __stream);
