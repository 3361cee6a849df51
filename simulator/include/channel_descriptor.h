// Small constructors of runtime structs.
#pragma once

#include "cuda_runtime_api.h"

__HPML_HOST__ struct cudaPitchedPtr make_cudaPitchedPtr(void* __p, size_t __pitch, size_t __xsize, size_t __ysize) {
  struct cudaPitchedPtr __r = {__p, __pitch, __xsize, __ysize};
  return __r;
}
__HPML_HOST__ struct cudaExtent make_cudaExtent(size_t __width, size_t __height, size_t __depth) {
  struct cudaExtent __r = {__width, __height, __depth};
  return __r;
}
__HPML_HOST__ struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z) {
  struct cudaPos __r = {__x, __y, __z};
  return __r;
}
