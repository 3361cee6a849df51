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

  // The completion of a phase is ordered behind everything that the threads did before they arrived, and before
  // everything that they do after their wait.
  __device__ arrival_token arrive(ptrdiff_t __count = 1) {
    const unsigned int __expected = __expected_;  // changes only between phases
    const unsigned long long __before = __hpml_add_ordered<__s>(&__word_, static_cast<unsigned long long>(__count));
    const unsigned int __phase = static_cast<unsigned int>(__before >> 32);
    if (static_cast<unsigned int>(__before) + static_cast<unsigned int>(__count) == __expected) {
      __completion_();
      __expected_ = __expected - *const_cast<volatile unsigned int*>(&__dropped_);
      __dropped_ = 0;
      __hpml_store_release<__s>(&__word_, static_cast<unsigned long long>(__phase + 1) << 32);
    }
    return __phase;
  }
  __device__ void wait(arrival_token&& __token) const {
    while (__phase() == __token) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  // Counts as here in this phase; one fewer is expected from the next phase on.
  __device__ void arrive_and_drop() {
    atomicAdd(&__dropped_, 1u);
    (void)arrive();
  }
  __device__ bool try_wait(arrival_token&& __token) const {
    return __phase() != __token;
  }
  __device__ bool try_wait_parity(bool __parity) const {
    return (__phase() & 1) != (__parity ? 1u : 0u);
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
  __device__ unsigned int __phase() const {
    return static_cast<unsigned int>(__hpml_load_acquire<__s>(&__word_) >> 32);
  }
  unsigned long long __word_;
  unsigned int __expected_, __dropped_;
  __Completion __completion_;
};

}  // namespace cuda
