// Copies from global to shared memory that a thread need not wait for. clang compiles for an architecture without them
// (7.0), on which CUDA carries them out at once: so does this header.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__cplusplus)
// `__size`: 4, 8 or 16 bytes, to which both addresses are aligned; the last `__zeros` of them are not read but set to 0.
__HPML_DEVICE__ void __pipeline_memcpy_async(void* __to_shared, const void* __from_global, size_t __size,
                                             size_t __zeros = 0) {
  if (__zeros == 0 && __size == 16) {
    *static_cast<int4*>(__to_shared) = *static_cast<const int4*>(__from_global);
  } else if (__zeros == 0 && __size == 8) {
    *static_cast<int2*>(__to_shared) = *static_cast<const int2*>(__from_global);
  } else if (__zeros == 0 && __size == 4) {
    *static_cast<int*>(__to_shared) = *static_cast<const int*>(__from_global);
  } else if (__zeros <= __size && (__size == 4 || __size == 8 || __size == 16)) {
    for (size_t __i = 0; __i < __size; ++__i) {
      static_cast<char*>(__to_shared)[__i] = __i < __size - __zeros ? static_cast<const char*>(__from_global)[__i] : 0;
    }
  } else {
    __trap();
  }
}
__HPML_DEVICE__ void __pipeline_commit() {}
__HPML_DEVICE__ void __pipeline_wait_prior(size_t) {}
#endif
