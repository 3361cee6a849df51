// cuda::thread_scope, the memory orders, and the fences that they ask for.
#pragma once

#include "../cuda_runtime.h"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

namespace std {
enum memory_order {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

__HPML_BOTH__ void atomic_thread_fence(memory_order __order, thread_scope __scope = thread_scope_system) {
  if (__order == memory_order_relaxed) {
    return;
  }
#ifdef __CUDA_ARCH__
  switch (__scope) {
    case thread_scope_system: __threadfence_system(); break;
    case thread_scope_device: __threadfence(); break;
    case thread_scope_block: __threadfence_block(); break;
    case thread_scope_thread: break;
  }
#else
  (void)__scope;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
#ifdef __CUDA__
// Ordered accesses in the scope's form of the instruction. Type, suffix, register.
#define __HPML_IN_SCOPE__(__before, __after, ...)                                          \
  switch (__s) {                                                                           \
    case thread_scope_system: asm volatile(__before ".sys" __after __VA_ARGS__); break;    \
    case thread_scope_device: asm volatile(__before ".gpu" __after __VA_ARGS__); break;    \
    default: asm volatile(__before ".cta" __after __VA_ARGS__); break;                     \
  }
#define __HPML_ORDERED__(__t, __type, __r)                                                                       \
  template <thread_scope __s>                                                                                    \
  __HPML_DEVICE__ __t __hpml_load_acquire(const volatile __t* __p) {                                             \
    __t __v;                                                                                                     \
    __HPML_IN_SCOPE__("ld.acquire", __type " %0, [%1];", : "=" __r(__v) : "l"(__p) : "memory")                   \
    return __v;                                                                                                  \
  }                                                                                                              \
  template <thread_scope __s>                                                                                    \
  __HPML_DEVICE__ void __hpml_store_release(volatile __t* __p, __t __v) {                                        \
    __HPML_IN_SCOPE__("st.release", __type " [%0], %1;", ::"l"(__p), __r(__v) : "memory")                        \
  }                                                                                                              \
  template <thread_scope __s>                                                                                    \
  __HPML_DEVICE__ __t __hpml_add_ordered(__t* __p, __t __v) {                                                    \
    __t __old;                                                                                                   \
    __HPML_IN_SCOPE__("atom.acq_rel", ".add" __type " %0, [%1], %2;", : "=" __r(__old) : "l"(__p), __r(__v) : "memory") \
    return __old;                                                                                                \
  }
__HPML_ORDERED__(unsigned int, ".u32", "r")
__HPML_ORDERED__(unsigned long long, ".u64", "l")
#undef __HPML_ORDERED__
#undef __HPML_IN_SCOPE__
#endif

__HPML_BOTH__ void __hpml_fence_before(memory_order __order, thread_scope __scope) {
  atomic_thread_fence(__order >= memory_order_release ? __order : memory_order_relaxed, __scope);
}
__HPML_BOTH__ void __hpml_fence_after(memory_order __order, thread_scope __scope) {
  atomic_thread_fence(__order == memory_order_release ? memory_order_relaxed : __order, __scope);
}

}  // namespace cuda
