// cuda::barrier. A word counts who has arrived in its lower half and the phases that are over in its upper half.
#pragma once

#include "cxx_copy.h"

namespace cuda {

namespace std {
struct __empty_completion {
  __host__ __device__ void operator()() const {}
};
}  // namespace std

// Made by init(): a barrier in shared memory has no constructor.
template <thread_scope __s, class __Completion = std::__empty_completion>
class barrier {
 public:
  typedef unsigned int arrival_token;

  barrier() = default;
  __host__ __device__ constexpr explicit barrier(ptrdiff_t __expected, __Completion __completion = __Completion())
      : __word_(0), __expected_(static_cast<unsigned int>(__expected)), __dropped_(0), __completion_(__completion) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  __device__ arrival_token arrive(ptrdiff_t __count = 1) {
    __fence();
    const unsigned long long __before = __add(static_cast<unsigned long long>(__count));
    const unsigned int __phase = static_cast<unsigned int>(__before >> 32);
    if (static_cast<unsigned int>(__before) + static_cast<unsigned int>(__count) == __now(__expected_)) {
      __fence();
      __completion_();
      __expected_ -= __now(__dropped_);
      __dropped_ = 0;
      __fence();
      *const_cast<volatile unsigned long long*>(&__word_) = static_cast<unsigned long long>(__phase + 1) << 32;
    }
    return __phase;
  }
  __device__ void wait(arrival_token&& __token) const {
    while (__phase() == __token) {
    }
    __fence();
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  // Counts as here in this phase; one fewer is expected from the next phase on.
  __device__ void arrive_and_drop() {
    atomicAdd(&__dropped_, 1u);
    (void)arrive();
  }
  __device__ bool try_wait(arrival_token&& __token) const {
    const bool __over = __phase() != __token;
    __fence();
    return __over;
  }
  __device__ bool try_wait_parity(bool __parity) const {
    const bool __over = (__phase() & 1) != (__parity ? 1u : 0u);
    __fence();
    return __over;
  }
  __device__ void wait_parity(bool __parity) const {
    while (!try_wait_parity(__parity)) {
    }
  }
  static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

  __host__ __device__ friend void init(barrier* __b, ptrdiff_t __expected) {
    __b->__word_ = 0;
    __b->__expected_ = static_cast<unsigned int>(__expected);
    __b->__dropped_ = 0;
  }
  __host__ __device__ friend void init(barrier* __b, ptrdiff_t __expected, __Completion __completion) {
    init(__b, __expected);
    __b->__completion_ = __completion;
  }

 private:
  __device__ static void __fence() { atomic_thread_fence(memory_order_acq_rel, __s); }
  __device__ static unsigned int __now(const unsigned int& __v) { return *const_cast<const volatile unsigned int*>(&__v); }
  __device__ unsigned int __phase() const {
    return static_cast<unsigned int>(*const_cast<const volatile unsigned long long*>(&__word_) >> 32);
  }
  __device__ unsigned long long __add(unsigned long long __count) {
    return __s == thread_scope_system   ? atomicAdd_system(&__word_, __count)
           : __s == thread_scope_device ? atomicAdd(&__word_, __count)
                                        : atomicAdd_block(&__word_, __count);
  }
  unsigned long long __word_;
  unsigned int __expected_, __dropped_;
  __Completion __completion_;
};

}  // namespace cuda
