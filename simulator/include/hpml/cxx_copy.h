// cuda::memcpy_async and cuda::aligned_size_t. clang compiles for an architecture without asynchronous copies (7.0), on
// which CUDA carries them out at once: so does this header, and the barrier's or the pipeline's fences make them seen.
#pragma once

#include "../cooperative_groups/memcpy_async.h"
#include "cxx_scope.h"

namespace cuda {

template <size_t __alignment>
struct aligned_size_t {
  static constexpr size_t align = __alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t __bytes) : value(__bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

struct __hpml_one_thread {
  __device__ static unsigned int thread_rank() { return 0; }
  __device__ static unsigned int size() { return 1; }
};

// `__done`: a barrier or a pipeline.
template <class __Group, class __To, class __From, class __Done>
__HPML_DEVICE__ void memcpy_async(const __Group& __group, __To* __to, const __From* __from, size_t __bytes,
                                  __Done& __done) {
  (void)__done;
  ::cooperative_groups::memcpy_async(__group, __to, __from, __bytes);
}
template <class __To, class __From, class __Done>
__HPML_DEVICE__ void memcpy_async(__To* __to, const __From* __from, size_t __bytes, __Done& __done) {
  memcpy_async(__hpml_one_thread(), __to, __from, __bytes, __done);
}

}  // namespace cuda
