// cuda::atomic and cuda::atomic_ref on objects of 1, 2, 4 or 8 bytes, in device and host code. Additions, bit operations,
// maxima and minima of whole numbers are single instructions where the GPU has them, all else is a loop around a
// compare-and-swap.
#pragma once

#include "cxx_scope.h"

namespace cuda {

template <size_t __bytes>
struct __hpml_word;
template <>
struct __hpml_word<1> {
  typedef unsigned char type;
};
template <>
struct __hpml_word<2> {
  typedef unsigned short type;
};
template <>
struct __hpml_word<4> {
  typedef unsigned int type;
};
template <>
struct __hpml_word<8> {
  typedef unsigned long long type;
};

#ifdef __CUDA__
#define __HPML_SCOPED__(__call, ...)                                                            \
  (__s == thread_scope_system ? __call##_system(__VA_ARGS__)                                    \
   : __s == thread_scope_device ? __call(__VA_ARGS__) : __call##_block(__VA_ARGS__))
template <thread_scope __s>
__HPML_DEVICE__ unsigned int __hpml_swap_if(unsigned int* __p, unsigned int __old, unsigned int __new) {
  return __HPML_SCOPED__(atomicCAS, __p, __old, __new);
}
template <thread_scope __s>
__HPML_DEVICE__ unsigned long long __hpml_swap_if(unsigned long long* __p, unsigned long long __old,
                                                  unsigned long long __new) {
  return __HPML_SCOPED__(atomicCAS, __p, __old, __new);
}
// Part of an aligned word.
template <thread_scope __s, class __Part>
__HPML_DEVICE__ __Part __hpml_swap_if(__Part* __p, __Part __old, __Part __new) {
  const size_t __address = reinterpret_cast<size_t>(__p);
  unsigned int* const __word = reinterpret_cast<unsigned int*>(__address & ~static_cast<size_t>(3));
  const unsigned int __shift = static_cast<unsigned int>(__address & 3) * 8;
  const unsigned int __mask = ((1u << (8 * sizeof(__Part))) - 1) << __shift;
  unsigned int __seen = *const_cast<volatile unsigned int*>(__word);
  for (;;) {
    const __Part __now = static_cast<__Part>((__seen & __mask) >> __shift);
    if (__now != __old) {
      return __now;
    }
    const unsigned int __before =
        __hpml_swap_if<__s>(__word, __seen, (__seen & ~__mask) | (static_cast<unsigned int>(__new) << __shift));
    if (__before == __seen) {
      return __old;
    }
    __seen = __before;
  }
}
#endif

// The operations on one object; atomic and atomic_ref say where it is.
template <class __T, thread_scope __s>
struct __hpml_atomic {
  typedef typename __hpml_word<sizeof(__T)>::type __Word;
  static_assert(__is_trivially_copyable(__T), "cuda::atomic: trivially copyable types only");

  __host__ __device__ static __T __of(__Word __bits) {
    __T __value;
    __builtin_memcpy(&__value, &__bits, sizeof __value);
    return __value;
  }
  __host__ __device__ static __Word __bits_of(const __T& __value) {
    __Word __bits;
    __builtin_memcpy(&__bits, &__value, sizeof __bits);
    return __bits;
  }
  __host__ __device__ static __T load(const __T* __p, memory_order __order) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(__T) >= 4 && __s != thread_scope_thread) {
      if (__order != memory_order_relaxed) {
        atomic_thread_fence(__order == memory_order_seq_cst ? __order : memory_order_relaxed, __s);
        return __of(__hpml_load_acquire<__s>(reinterpret_cast<const volatile __Word*>(__p)));
      }
    }
#endif
    const __Word __bits = *reinterpret_cast<const volatile __Word*>(__p);
    __hpml_fence_after(__order, __s);
    return __of(__bits);
  }
  __host__ __device__ static void store(__T* __p, const __T& __value, memory_order __order) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(__T) >= 4 && __s != thread_scope_thread) {
      if (__order != memory_order_relaxed) {
        __hpml_store_release<__s>(reinterpret_cast<volatile __Word*>(__p), __bits_of(__value));
        atomic_thread_fence(__order == memory_order_seq_cst ? __order : memory_order_relaxed, __s);
        return;
      }
    }
#endif
    __hpml_fence_before(__order, __s);
    *reinterpret_cast<volatile __Word*>(__p) = __bits_of(__value);
    if (__order == memory_order_seq_cst) {
      atomic_thread_fence(__order, __s);
    }
  }
  // The value seen; the exchange took place if it is `__expected`.
  __host__ __device__ static __Word swap_if(__T* __p, __Word __expected, __Word __new) {
    __Word* const __at = reinterpret_cast<__Word*>(__p);
#ifdef __CUDA_ARCH__
    return __hpml_swap_if<__s>(__at, __expected, __new);
#else
    __atomic_compare_exchange_n(__at, &__expected, __new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return __expected;
#endif
  }
  template <class __F>
  __host__ __device__ static __T update(__T* __p, memory_order __order, __F __function) {
    __hpml_fence_before(__order, __s);
    __Word __seen = *reinterpret_cast<volatile __Word*>(__p);
    for (;;) {
      const __Word __before = swap_if(__p, __seen, __bits_of(__function(__of(__seen))));
      if (__before == __seen) {
        break;
      }
      __seen = __before;
    }
    __hpml_fence_after(__order, __s);
    return __of(__seen);
  }
};

// One instruction: the GPU's function for these types.
#ifdef __CUDA_ARCH__
#define __HPML_DIRECT__(__t, __name, __call)                                                      \
  template <thread_scope __s>                                                                     \
  __device__ __forceinline__ __t __hpml_##__name(__t* __p, __t __v, memory_order __order) {       \
    __hpml_fence_before(__order, __s);                                                            \
    const __t __old = __HPML_SCOPED__(__call, __p, __v);                                          \
    __hpml_fence_after(__order, __s);                                                             \
    return __old;                                                                                 \
  }
#define __HPML_DIRECT_INTEGERS__(__name, __call)         \
  __HPML_DIRECT__(int, __name, __call)                   \
  __HPML_DIRECT__(unsigned int, __name, __call)          \
  __HPML_DIRECT__(unsigned long long, __name, __call)
__HPML_DIRECT_INTEGERS__(add, atomicAdd)
__HPML_DIRECT__(float, add, atomicAdd)
__HPML_DIRECT__(double, add, atomicAdd)
__HPML_DIRECT_INTEGERS__(exchange, atomicExch)
__HPML_DIRECT_INTEGERS__(and, atomicAnd)
__HPML_DIRECT_INTEGERS__(or, atomicOr)
__HPML_DIRECT_INTEGERS__(xor, atomicXor)
__HPML_DIRECT_INTEGERS__(max, atomicMax)
__HPML_DIRECT_INTEGERS__(min, atomicMin)
__HPML_DIRECT__(long long, max, atomicMax)
__HPML_DIRECT__(long long, min, atomicMin)
#undef __HPML_DIRECT__
#undef __HPML_DIRECT_INTEGERS__
#endif
#undef __HPML_SCOPED__

#define __HPML_BY_LOOP__(__name, __expression)                                                         \
  template <thread_scope __s, class __T>                                                               \
  __host__ __device__ __forceinline__ __T __hpml_##__name(__T* __p, __T __v, memory_order __order) {   \
    return __hpml_atomic<__T, __s>::update(__p, __order,                                               \
                                           [=](__T __a) { return static_cast<__T>(__expression); });   \
  }
__HPML_BY_LOOP__(add, __a + __v)
__HPML_BY_LOOP__(exchange, __v)
__HPML_BY_LOOP__(and, __a & __v)
__HPML_BY_LOOP__(or, __a | __v)
__HPML_BY_LOOP__(xor, __a ^ __v)
__HPML_BY_LOOP__(max, __a < __v ? __v : __a)
__HPML_BY_LOOP__(min, __v < __a ? __v : __a)
#undef __HPML_BY_LOOP__

// What both classes offer; __Self gives the address.
template <class __Self, class __T, thread_scope __s>
struct __hpml_atomic_interface {
  typedef __T value_type;
  typedef __hpml_atomic<__T, __s> __Op;

  __host__ __device__ __T load(memory_order __order = memory_order_seq_cst) const { return __Op::load(__at(), __order); }
  __host__ __device__ void store(__T __v, memory_order __order = memory_order_seq_cst) const {
    __Op::store(__at(), __v, __order);
  }
  __host__ __device__ operator __T() const { return load(); }
  __host__ __device__ __T exchange(__T __v, memory_order __order = memory_order_seq_cst) const {
    return __hpml_exchange<__s>(__at(), __v, __order);
  }
  __host__ __device__ bool compare_exchange_strong(__T& __expected, __T __new,
                                                   memory_order __order = memory_order_seq_cst,
                                                   memory_order = memory_order_seq_cst) const {
    __hpml_fence_before(__order, __s);
    const auto __before = __Op::swap_if(__at(), __Op::__bits_of(__expected), __Op::__bits_of(__new));
    __hpml_fence_after(__order, __s);
    const bool __done = __before == __Op::__bits_of(__expected);
    __expected = __Op::__of(__before);
    return __done;
  }
  __host__ __device__ bool compare_exchange_weak(__T& __expected, __T __new,
                                                 memory_order __order = memory_order_seq_cst,
                                                 memory_order __failure = memory_order_seq_cst) const {
    return compare_exchange_strong(__expected, __new, __order, __failure);
  }
  template <class __V>
  __host__ __device__ __T fetch_add(__V __v, memory_order __order = memory_order_seq_cst) const {
    return __add(__at(), __v, __order);
  }
  template <class __V>
  __host__ __device__ __T fetch_sub(__V __v, memory_order __order = memory_order_seq_cst) const {
    return __add(__at(), static_cast<__V>(-__v), __order);
  }
#define __HPML_FETCH__(__name)                                                                                 \
  __host__ __device__ __T fetch_##__name(__T __v, memory_order __order = memory_order_seq_cst) const {         \
    return __hpml_##__name<__s>(__at(), __v, __order);                                                         \
  }
  __HPML_FETCH__(and)
  __HPML_FETCH__(or)
  __HPML_FETCH__(xor)
  __HPML_FETCH__(max)
  __HPML_FETCH__(min)
#undef __HPML_FETCH__
  __host__ __device__ __T operator++() const { return fetch_add(1) + 1; }
  __host__ __device__ __T operator--() const { return fetch_sub(1) - 1; }
  __host__ __device__ __T operator++(int) const { return fetch_add(1); }
  __host__ __device__ __T operator--(int) const { return fetch_sub(1); }
  template <class __V>
  __host__ __device__ __T operator+=(__V __v) const { return fetch_add(__v) + __v; }
  template <class __V>
  __host__ __device__ __T operator-=(__V __v) const { return fetch_sub(__v) - __v; }
  __host__ __device__ __T operator&=(__T __v) const { return fetch_and(__v) & __v; }
  __host__ __device__ __T operator|=(__T __v) const { return fetch_or(__v) | __v; }
  __host__ __device__ __T operator^=(__T __v) const { return fetch_xor(__v) ^ __v; }
  __host__ __device__ void wait(__T __old, memory_order __order = memory_order_seq_cst) const {
    while (__Op::__bits_of(load(memory_order_relaxed)) == __Op::__bits_of(__old)) {
    }
    __hpml_fence_after(__order, __s);
  }
  // Threads that wait look for themselves.
  __host__ __device__ void notify_one() const {}
  __host__ __device__ void notify_all() const {}
  __host__ __device__ bool is_lock_free() const { return true; }

 private:
  __host__ __device__ __T* __at() const { return static_cast<const __Self*>(this)->__address(); }
  template <class __U, class __V>
  __host__ __device__ static __U __add(__U* __p, __V __v, memory_order __order) {
    return __hpml_add<__s>(__p, static_cast<__U>(__v), __order);
  }
  template <class __U, class __V>
  __host__ __device__ static __U* __add(__U** __p, __V __v, memory_order __order) {
    return __hpml_atomic<__U*, __s>::update(__p, __order, [=](__U* __a) { return __a + __v; });
  }
};

template <class __T, thread_scope __s = thread_scope_system>
struct atomic : public __hpml_atomic_interface<atomic<__T, __s>, __T, __s> {
  atomic() = default;
  __host__ __device__ constexpr atomic(__T __v) : __value_(__v) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  __host__ __device__ __T operator=(__T __v) {
    this->store(__v);
    return __v;
  }
  __host__ __device__ __T* __address() const { return const_cast<__T*>(&__value_); }

 private:
  alignas(sizeof(__T)) __T __value_;
};

template <class __T, thread_scope __s = thread_scope_system>
struct atomic_ref : public __hpml_atomic_interface<atomic_ref<__T, __s>, __T, __s> {
  __host__ __device__ explicit atomic_ref(__T& __object) : __p_(&__object) {}
  atomic_ref(const atomic_ref&) = default;
  __host__ __device__ __T operator=(__T __v) const {
    this->store(__v);
    return __v;
  }
  __host__ __device__ __T* __address() const { return __p_; }

 private:
  __T* __p_;
};

template <thread_scope __s>
struct __hpml_atomic_flag {
  __host__ __device__ bool test(memory_order __order = memory_order_seq_cst) const { return __set_.load(__order) != 0; }
  __host__ __device__ bool test_and_set(memory_order __order = memory_order_seq_cst) {
    return __set_.exchange(1, __order) != 0;
  }
  __host__ __device__ void clear(memory_order __order = memory_order_seq_cst) { __set_.store(0, __order); }
  atomic<int, __s> __set_{0};
};
template <thread_scope __s = thread_scope_system>
using atomic_flag = __hpml_atomic_flag<__s>;

namespace std {
template <class __T>
using atomic = ::cuda::atomic<__T, thread_scope_system>;
template <class __T>
using atomic_ref = ::cuda::atomic_ref<__T, thread_scope_system>;
using atomic_flag = __hpml_atomic_flag<thread_scope_system>;
using ::cuda::atomic_thread_fence;
}  // namespace std

}  // namespace cuda
