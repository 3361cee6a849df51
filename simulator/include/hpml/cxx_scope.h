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
__HPML_BOTH__ void __hpml_fence_before(memory_order __order, thread_scope __scope) {
  atomic_thread_fence(__order >= memory_order_release ? __order : memory_order_relaxed, __scope);
}
__HPML_BOTH__ void __hpml_fence_after(memory_order __order, thread_scope __scope) {
  atomic_thread_fence(__order == memory_order_release ? memory_order_relaxed : __order, __scope);
}

}  // namespace cuda
