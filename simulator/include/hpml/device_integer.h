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

// Three-way maxima, minima, and a sum before one (the DPX functions), and which side won.
#define __HPML_DPX__(__t, __suffix, __op, __better)                                                                  \
  __HPML_DEVICE__ __t __vi##__op##3_##__suffix(__t __a, __t __b, __t __c) {                                          \
    const __t __d = __a __better __b ? __a : __b;                                                                    \
    return __d __better __c ? __d : __c;                                                                             \
  }                                                                                                                  \
  __HPML_DEVICE__ __t __viadd##__op##_##__suffix(__t __a, __t __b, __t __c) {                                        \
    const __t __d = static_cast<__t>(static_cast<unsigned int>(__a) + static_cast<unsigned int>(__b));               \
    return __d __better __c ? __d : __c;                                                                             \
  }                                                                                                                  \
  __HPML_DEVICE__ __t __vib##__op##_##__suffix(__t __a, __t __b, bool* __first) {                                    \
    *__first = __a __better##= __b;                                                                                  \
    return *__first ? __a : __b;                                                                                     \
  }
__HPML_DPX__(int, s32, max, >)
__HPML_DPX__(unsigned int, u32, max, >)
__HPML_DPX__(int, s32, min, <)
__HPML_DPX__(unsigned int, u32, min, <)
#undef __HPML_DPX__
// The same, and zero where the result would be negative.
__HPML_DEVICE__ int __hpml_not_negative(int __v) { return __v < 0 ? 0 : __v; }
__HPML_DEVICE__ int __vimax_s32_relu(int __a, int __b) { return __hpml_not_negative(__a > __b ? __a : __b); }
__HPML_DEVICE__ int __vimin_s32_relu(int __a, int __b) { return __hpml_not_negative(__a < __b ? __a : __b); }
#define __HPML_DPX_RELU__(__name)                                     \
  __HPML_DEVICE__ int __name##_relu(int __a, int __b, int __c) {      \
    return __hpml_not_negative(__name(__a, __b, __c));                \
  }
__HPML_DPX_RELU__(__vimax3_s32)
__HPML_DPX_RELU__(__vimin3_s32)
__HPML_DPX_RELU__(__viaddmax_s32)
__HPML_DPX_RELU__(__viaddmin_s32)
#undef __HPML_DPX_RELU__
