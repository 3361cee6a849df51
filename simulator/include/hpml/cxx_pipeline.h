// cuda::pipeline. One of a thread alone has nothing to wait for, because copies are carried out at once. One of a block
// has two barriers for every stage: its producers have filled it, and its consumers have emptied it.
#pragma once

#include "cxx_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope __s, unsigned char __stages>
struct pipeline_shared_state {
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  barrier<__s> __full_[__stages], __empty_[__stages];
  unsigned int __producers_;
};

template <thread_scope __s>
class pipeline {
 public:
  pipeline(const pipeline&) = delete;
  pipeline(pipeline&&) = default;
  pipeline& operator=(const pipeline&) = delete;

  __device__ void producer_acquire() {
    if (__produces_ && __stages_ != 0) {
      // The first turn finds every stage empty: its phase -1 is over.
      __empty_[__head_ % __stages_].wait_parity((__head_ / __stages_ & 1) == 0);
    }
  }
  __device__ void producer_commit() {
    if (__produces_ && __stages_ != 0) {
      (void)__full_[__head_ % __stages_].arrive();
      ++__head_;
    }
  }
  __device__ void consumer_wait() {
    if (__consumes_ && __stages_ != 0) {
      __full_[__tail_ % __stages_].wait_parity((__tail_ / __stages_ & 1) != 0);
    }
  }
  __device__ void consumer_release() {
    if (__consumes_ && __stages_ != 0) {
      (void)__empty_[__tail_ % __stages_].arrive();
      ++__tail_;
    }
  }
  __device__ bool quit() { return true; }

  __device__ pipeline() = default;
  __device__ pipeline(barrier<__s>* __full, barrier<__s>* __empty, unsigned int __stages, bool __produces,
                      bool __consumes)
      : __full_(__full), __empty_(__empty), __stages_(__stages), __produces_(__produces), __consumes_(__consumes) {}

 private:
  barrier<__s>* __full_ = nullptr;
  barrier<__s>* __empty_ = nullptr;
  unsigned int __stages_ = 0, __head_ = 0, __tail_ = 0;
  bool __produces_ = true, __consumes_ = true;
};

__HPML_DEVICE__ pipeline<thread_scope_thread> make_pipeline() { return {}; }

template <class __Group, thread_scope __s, unsigned char __stages>
__HPML_DEVICE__ pipeline<__s> __hpml_pipeline(const __Group& __group, pipeline_shared_state<__s, __stages>* __state,
                                              unsigned int __producers, unsigned int __consumers, bool __produces,
                                              bool __consumes) {
  if (__group.thread_rank() == 0) {
    for (unsigned int __i = 0; __i < __stages; ++__i) {
      init(&__state->__full_[__i], __producers);
      init(&__state->__empty_[__i], __consumers);
    }
  }
  __group.sync();
  return pipeline<__s>(__state->__full_, __state->__empty_, __stages, __produces, __consumes);
}
// Every thread of the group produces and consumes.
template <class __Group, thread_scope __s, unsigned char __stages>
__HPML_DEVICE__ pipeline<__s> make_pipeline(const __Group& __group, pipeline_shared_state<__s, __stages>* __state) {
  const unsigned int __all = static_cast<unsigned int>(__group.size());
  return __hpml_pipeline(__group, __state, __all, __all, true, true);
}
// The first `__producers` threads produce, the others consume.
template <class __Group, thread_scope __s, unsigned char __stages>
__HPML_DEVICE__ pipeline<__s> make_pipeline(const __Group& __group, pipeline_shared_state<__s, __stages>* __state,
                                            size_t __producers) {
  const unsigned int __all = static_cast<unsigned int>(__group.size());
  const unsigned int __first = static_cast<unsigned int>(__producers);
  const bool __produces = __group.thread_rank() < __first;
  return __hpml_pipeline(__group, __state, __first, __all - __first, __produces, !__produces);
}
template <class __Group, thread_scope __s, unsigned char __stages>
__HPML_DEVICE__ pipeline<__s> make_pipeline(const __Group& __group, pipeline_shared_state<__s, __stages>* __state,
                                            pipeline_role __role) {
  if (__group.thread_rank() == 0) {
    __state->__producers_ = 0;
  }
  __group.sync();
  const bool __produces = __role == pipeline_role::producer;
  if (__produces) {
    atomicAdd(&__state->__producers_, 1u);
  }
  __group.sync();
  const unsigned int __first = *const_cast<volatile unsigned int*>(&__state->__producers_);
  return __hpml_pipeline(__group, __state, __first, static_cast<unsigned int>(__group.size()) - __first, __produces,
                         !__produces);
}

template <unsigned char __prior, thread_scope __s>
__HPML_DEVICE__ void pipeline_consumer_wait_prior(pipeline<__s>& __pipe) {
  __pipe.consumer_wait();
}
template <class __Barrier>
__HPML_DEVICE__ void pipeline_producer_commit(pipeline<thread_scope_thread>&, __Barrier&) {}

}  // namespace cuda
