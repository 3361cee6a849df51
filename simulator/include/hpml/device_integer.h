// Integer intrinsics, one PTX instruction each.
#pragma once

#include "../host_defines.h"

#define __HPML_INT_1__(__r, __rc, __name, __ptx, __a, __ac)        \
  __HPML_DEVICE__ __r __name(__a __x) {                            \
    __r __d;                                                       \
    asm(__ptx " %0, %1;" : "=" __rc(__d) : __ac(__x));             \
    return __d;                                                    \
  }
#define __HPML_INT_2__(__t, __c, __name, __ptx)                             \
  __HPML_DEVICE__ __t __name(__t __x, __t __y) {                            \
    __t __d;                                                                \
    asm(__ptx " %0, %1, %2;" : "=" __c(__d) : __c(__x), __c(__y));          \
    return __d;                                                             \
  }
#define __HPML_INT_3__(__r, __name, __ptx, __a, __b, __e)                                         \
  __HPML_DEVICE__ __r __name(__a __x, __b __y, __e __z) {                                         \
    __r __d;                                                                                      \
    asm(__ptx " %0, %1, %2, %3;" : "=r"(__d) : "r"(__x), "r"(__y), "r"(__z));                     \
    return __d;                                                                                   \
  }
__HPML_INT_1__(int, "r", __clz, "clz.b32", int, "r")
__HPML_INT_1__(int, "r", __clzll, "clz.b64", long long, "l")
__HPML_INT_1__(int, "r", __popc, "popc.b32", unsigned int, "r")
__HPML_INT_1__(int, "r", __popcll, "popc.b64", unsigned long long, "l")
__HPML_INT_1__(unsigned int, "r", __brev, "brev.b32", unsigned int, "r")
__HPML_INT_1__(unsigned long long, "l", __brevll, "brev.b64", unsigned long long, "l")
__HPML_DEVICE__ int __ffs(int __x) { return __builtin_ffs(__x); }
__HPML_DEVICE__ int __ffsll(long long __x) { return __builtin_ffsll(__x); }

__HPML_INT_2__(int, "r", __mul24, "mul24.lo.s32")
__HPML_INT_2__(unsigned int, "r", __umul24, "mul24.lo.u32")
__HPML_INT_2__(int, "r", __mulhi, "mul.hi.s32")
__HPML_INT_2__(unsigned int, "r", __umulhi, "mul.hi.u32")
__HPML_INT_2__(long long, "l", __mul64hi, "mul.hi.s64")
__HPML_INT_2__(unsigned long long, "l", __umul64hi, "mul.hi.u64")
__HPML_INT_3__(unsigned int, __byte_perm, "prmt.b32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(unsigned int, __sad, "sad.s32", int, int, unsigned int)
__HPML_INT_3__(unsigned int, __usad, "sad.u32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(int, __dp4a, "dp4a.s32.s32", int, int, int)
__HPML_INT_3__(unsigned int, __dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(int, __dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
__HPML_INT_3__(unsigned int, __dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(int, __dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
__HPML_INT_3__(unsigned int, __dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(unsigned int, __funnelshift_l, "shf.l.wrap.b32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(unsigned int, __funnelshift_r, "shf.r.wrap.b32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(unsigned int, __funnelshift_lc, "shf.l.clamp.b32", unsigned int, unsigned int, unsigned int)
__HPML_INT_3__(unsigned int, __funnelshift_rc, "shf.r.clamp.b32", unsigned int, unsigned int, unsigned int)
#undef __HPML_INT_1__
#undef __HPML_INT_2__
#undef __HPML_INT_3__

// Averages without overflow.
__HPML_DEVICE__ int __hadd(int __x, int __y) { return static_cast<int>((static_cast<long long>(__x) + __y) >> 1); }
__HPML_DEVICE__ int __rhadd(int __x, int __y) { return static_cast<int>((static_cast<long long>(__x) + __y + 1) >> 1); }
__HPML_DEVICE__ unsigned int __uhadd(unsigned int __x, unsigned int __y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(__x) + __y) >> 1);
}
__HPML_DEVICE__ unsigned int __urhadd(unsigned int __x, unsigned int __y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(__x) + __y + 1) >> 1);
}
