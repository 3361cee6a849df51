// Loads and stores with a cache operator (__ldg, __ldcg, __stcs, ...), and questions about an address.
// One PTX access per call for every scalar and vector type: the bits travel in registers of the access's width.
#pragma once

#include <stddef.h>

#include "../host_defines.h"

namespace __hpml {
template <int __size>
struct __bits;
template <>
struct __bits<1> {
  unsigned char __v;
};
template <>
struct __bits<2> {
  unsigned short __v;
};
template <>
struct __bits<4> {
  unsigned int __v;
};
template <>
struct __bits<8> {
  unsigned long long __v;
};
template <>
struct __bits<16> {
  unsigned long long __v, __w;
};

#define __HPML_LOADS__(__name, __ptx)                                                                       \
  __HPML_DEVICE__ void __name(__bits<1>& __r, const void* __p) {                                            \
    unsigned int __wide;                                                                                    \
    asm volatile(__ptx ".u8 %0, [%1];" : "=r"(__wide) : "l"(__p) : "memory");                               \
    __r.__v = static_cast<unsigned char>(__wide);                                                           \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(__bits<2>& __r, const void* __p) {                                            \
    asm volatile(__ptx ".u16 %0, [%1];" : "=h"(__r.__v) : "l"(__p) : "memory");                             \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(__bits<4>& __r, const void* __p) {                                            \
    asm volatile(__ptx ".u32 %0, [%1];" : "=r"(__r.__v) : "l"(__p) : "memory");                             \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(__bits<8>& __r, const void* __p) {                                            \
    asm volatile(__ptx ".u64 %0, [%1];" : "=l"(__r.__v) : "l"(__p) : "memory");                             \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(__bits<16>& __r, const void* __p) {                                           \
    asm volatile(__ptx ".v2.u64 {%0, %1}, [%2];" : "=l"(__r.__v), "=l"(__r.__w) : "l"(__p) : "memory");     \
  }
#define __HPML_STORES__(__name, __ptx)                                                                      \
  __HPML_DEVICE__ void __name(void* __p, __bits<1> __r) {                                                   \
    asm volatile(__ptx ".u8 [%0], %1;" ::"l"(__p), "r"(static_cast<unsigned int>(__r.__v)) : "memory");     \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(void* __p, __bits<2> __r) {                                                   \
    asm volatile(__ptx ".u16 [%0], %1;" ::"l"(__p), "h"(__r.__v) : "memory");                               \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(void* __p, __bits<4> __r) {                                                   \
    asm volatile(__ptx ".u32 [%0], %1;" ::"l"(__p), "r"(__r.__v) : "memory");                               \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(void* __p, __bits<8> __r) {                                                   \
    asm volatile(__ptx ".u64 [%0], %1;" ::"l"(__p), "l"(__r.__v) : "memory");                               \
  }                                                                                                         \
  __HPML_DEVICE__ void __name(void* __p, __bits<16> __r) {                                                  \
    asm volatile(__ptx ".v2.u64 [%0], {%1, %2};" ::"l"(__p), "l"(__r.__v), "l"(__r.__w) : "memory");        \
  }
__HPML_LOADS__(__ldg, "ld.global.nc")
__HPML_LOADS__(__ldca, "ld.global.ca")
__HPML_LOADS__(__ldcg, "ld.global.cg")
__HPML_LOADS__(__ldcs, "ld.global.cs")
__HPML_LOADS__(__ldlu, "ld.global.lu")
__HPML_LOADS__(__ldcv, "ld.global.cv")
__HPML_STORES__(__stwb, "st.global.wb")
__HPML_STORES__(__stcg, "st.global.cg")
__HPML_STORES__(__stcs, "st.global.cs")
__HPML_STORES__(__stwt, "st.global.wt")
#undef __HPML_LOADS__
#undef __HPML_STORES__
}  // namespace __hpml

#define __HPML_LOAD__(__name)                                      \
  template <class __T>                                             \
  __HPML_DEVICE__ __T __name(const __T* __p) {                     \
    __hpml::__bits<static_cast<int>(sizeof(__T))> __r;             \
    __hpml::__name(__r, __p);                                      \
    return __builtin_bit_cast(__T, __r);                           \
  }
#define __HPML_STORE__(__name)                                                                                \
  template <class __T>                                                                                        \
  __HPML_DEVICE__ void __name(__T* __p, __T __value) {                                                        \
    __hpml::__name(__p, __builtin_bit_cast(__hpml::__bits<static_cast<int>(sizeof(__T))>, __value));          \
  }
__HPML_LOAD__(__ldg)
__HPML_LOAD__(__ldca)
__HPML_LOAD__(__ldcg)
__HPML_LOAD__(__ldcs)
__HPML_LOAD__(__ldlu)
__HPML_LOAD__(__ldcv)
__HPML_STORE__(__stwb)
__HPML_STORE__(__stcg)
__HPML_STORE__(__stcs)
__HPML_STORE__(__stwt)
#undef __HPML_LOAD__
#undef __HPML_STORE__

__HPML_DEVICE__ unsigned int __isGlobal(const void* __p) { return __nvvm_isspacep_global(__p); }
__HPML_DEVICE__ unsigned int __isShared(const void* __p) { return __nvvm_isspacep_shared(__p); }
__HPML_DEVICE__ unsigned int __isConstant(const void* __p) { return __nvvm_isspacep_const(__p); }
__HPML_DEVICE__ unsigned int __isLocal(const void* __p) { return __nvvm_isspacep_local(__p); }
#define __HPML_CVTA__(__space)                                                       \
  __HPML_DEVICE__ size_t __cvta_generic_to_##__space(const void* __p) {              \
    size_t __d;                                                                      \
    asm("cvta.to." #__space ".u64 %0, %1;" : "=l"(__d) : "l"(__p));                  \
    return __d;                                                                      \
  }                                                                                  \
  __HPML_DEVICE__ void* __cvta_##__space##_to_generic(size_t __p) {                  \
    void* __d;                                                                       \
    asm("cvta." #__space ".u64 %0, %1;" : "=l"(__d) : "l"(__p));                     \
    return __d;                                                                      \
  }
__HPML_CVTA__(global)
__HPML_CVTA__(shared)
__HPML_CVTA__(local)
#undef __HPML_CVTA__
