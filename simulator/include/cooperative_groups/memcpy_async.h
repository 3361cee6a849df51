// cooperative_groups::memcpy_async and what waits for it. clang compiles for an architecture without asynchronous copies
// (7.0), on which CUDA has the threads of the group copy: so does this header.
#pragma once

#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__cplusplus)
namespace cooperative_groups {

template <class __Word, class __Group>
__HPML_DEVICE__ void __hpml_copy(const __Group& __group, void* __to, const void* __from, size_t __bytes) {
  for (size_t __i = __group.thread_rank(); __i < __bytes / sizeof(__Word); __i += __group.size()) {
    static_cast<__Word*>(__to)[__i] = static_cast<const __Word*>(__from)[__i];
  }
}

// `__bytes`: a size, or cuda::aligned_size_t, which is one.
template <class __Group, class __To, class __From>
__HPML_DEVICE__ void memcpy_async(const __Group& __group, __To* __to, const __From* __from, size_t __bytes) {
  const size_t __alignment = reinterpret_cast<size_t>(__to) | reinterpret_cast<size_t>(__from) | __bytes;
  if (__alignment % sizeof(int4) == 0) {
    __hpml_copy<int4>(__group, __to, __from, __bytes);
  } else if (__alignment % sizeof(int) == 0) {
    __hpml_copy<int>(__group, __to, __from, __bytes);
  } else {
    __hpml_copy<char>(__group, __to, __from, __bytes);
  }
}
// The layouts are numbers of elements: as many are copied as both have.
template <class __Group, class __T>
__HPML_DEVICE__ void memcpy_async(const __Group& __group, __T* __to, size_t __to_count, const __T* __from,
                                  size_t __from_count) {
  memcpy_async(__group, __to, __from, (__to_count < __from_count ? __to_count : __from_count) * sizeof(__T));
}

// The stages are there already; all threads of the group see them after it.
template <class __Group>
__HPML_DEVICE__ void wait(const __Group& __group) {
  __group.sync();
}
template <unsigned int __stages, class __Group>
__HPML_DEVICE__ void wait_prior(const __Group& __group) {
  __group.sync();
}

}  // namespace cooperative_groups
#endif
