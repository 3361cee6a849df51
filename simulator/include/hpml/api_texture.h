// Texture and surface objects. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* __object, const struct cudaResourceDesc* __resource,
                                    const struct cudaTextureDesc* __texture,
                                    const struct cudaResourceViewDesc* __view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t __object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* __resource, cudaTextureObject_t __object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* __texture, cudaTextureObject_t __object);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* __array, const struct cudaChannelFormatDesc* __desc,
                                     struct cudaExtent __extent, unsigned int __levels,
                                     unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* __level, const struct cudaMipmappedArray* __array,
                                       unsigned int __index);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t __array);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* __object, const struct cudaResourceDesc* __resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t __object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* __resource, cudaSurfaceObject_t __object);
