// SIMD intrinsics: two halves or four bytes of a register at once (PTX ISA 9.0, 9.7.1 "SIMD video instructions").
#pragma once

#include "../host_defines.h"

#define __HPML_SIMD_2__(__name, __ptx)                                             \
  __HPML_DEVICE__ unsigned int __name(unsigned int __x, unsigned int __y) {        \
    unsigned int __d;                                                              \
    asm(__ptx " %0, %1, %2, %3;" : "=r"(__d) : "r"(__x), "r"(__y), "r"(0));        \
    return __d;                                                                    \
  }
// Both widths.
#define __HPML_SIMD__(__name, __op, __types)  \
  __HPML_SIMD_2__(__name##2, __op "2" __types) \
  __HPML_SIMD_2__(__name##4, __op "4" __types)
__HPML_SIMD__(__vadd, "vadd", ".u32.u32.u32")
__HPML_SIMD__(__vaddss, "vadd", ".s32.s32.s32.sat")
__HPML_SIMD__(__vaddus, "vadd", ".u32.u32.u32.sat")
__HPML_SIMD__(__vsub, "vsub", ".u32.u32.u32")
__HPML_SIMD__(__vsubss, "vsub", ".s32.s32.s32.sat")
__HPML_SIMD__(__vsubus, "vsub", ".u32.u32.u32.sat")
__HPML_SIMD__(__vavgs, "vavrg", ".s32.s32.s32")
__HPML_SIMD__(__vavgu, "vavrg", ".u32.u32.u32")
__HPML_SIMD__(__vmaxs, "vmax", ".s32.s32.s32")
__HPML_SIMD__(__vmaxu, "vmax", ".u32.u32.u32")
__HPML_SIMD__(__vmins, "vmin", ".s32.s32.s32")
__HPML_SIMD__(__vminu, "vmin", ".u32.u32.u32")
__HPML_SIMD__(__vabsdiffs, "vabsdiff", ".s32.s32.s32")
__HPML_SIMD__(__vabsdiffu, "vabsdiff", ".u32.u32.u32")
__HPML_SIMD__(__vsads, "vabsdiff", ".s32.s32.s32.add")
__HPML_SIMD__(__vsadu, "vabsdiff", ".u32.u32.u32.add")
// Comparisons: 1 in every part for which they hold, or all its bits.
#define __HPML_SIMD_COMPARE__(__suffix, __types)                                                        \
  __HPML_SIMD__(__vset##__suffix, "vset", __types)                                                      \
  __HPML_DEVICE__ unsigned int __vcmp##__suffix##2(unsigned int __x, unsigned int __y) {                \
    return __vset##__suffix##2(__x, __y) * 0xffffu;                                                     \
  }                                                                                                     \
  __HPML_DEVICE__ unsigned int __vcmp##__suffix##4(unsigned int __x, unsigned int __y) {                \
    return __vset##__suffix##4(__x, __y) * 0xffu;                                                       \
  }
__HPML_SIMD_COMPARE__(eq, ".u32.u32.eq")
__HPML_SIMD_COMPARE__(ne, ".u32.u32.ne")
__HPML_SIMD_COMPARE__(ges, ".s32.s32.ge")
__HPML_SIMD_COMPARE__(geu, ".u32.u32.ge")
__HPML_SIMD_COMPARE__(gts, ".s32.s32.gt")
__HPML_SIMD_COMPARE__(gtu, ".u32.u32.gt")
__HPML_SIMD_COMPARE__(les, ".s32.s32.le")
__HPML_SIMD_COMPARE__(leu, ".u32.u32.le")
__HPML_SIMD_COMPARE__(lts, ".s32.s32.lt")
__HPML_SIMD_COMPARE__(ltu, ".u32.u32.lt")
#undef __HPML_SIMD_COMPARE__
#undef __HPML_SIMD__
#undef __HPML_SIMD_2__

#define __HPML_SIMD_1__(__name, __ptx, __first, __second)                          \
  __HPML_DEVICE__ unsigned int __name(unsigned int __x) {                          \
    unsigned int __d;                                                              \
    asm(__ptx " %0, %1, %2, %3;" : "=r"(__d) : "r"(__first), "r"(__second), "r"(0)); \
    return __d;                                                                    \
  }
__HPML_SIMD_1__(__vabs2, "vabsdiff2.s32.s32.s32", __x, 0)
__HPML_SIMD_1__(__vabs4, "vabsdiff4.s32.s32.s32", __x, 0)
__HPML_SIMD_1__(__vabsss2, "vabsdiff2.s32.s32.s32.sat", __x, 0)
__HPML_SIMD_1__(__vabsss4, "vabsdiff4.s32.s32.s32.sat", __x, 0)
__HPML_SIMD_1__(__vneg2, "vsub2.u32.u32.u32", 0, __x)
__HPML_SIMD_1__(__vneg4, "vsub4.u32.u32.u32", 0, __x)
__HPML_SIMD_1__(__vnegss2, "vsub2.s32.s32.s32.sat", 0, __x)
__HPML_SIMD_1__(__vnegss4, "vsub4.s32.s32.s32.sat", 0, __x)
#undef __HPML_SIMD_1__

// Averages rounded down.
__HPML_DEVICE__ unsigned int __vhaddu2(unsigned int __x, unsigned int __y) {
  return (__x & __y) + (((__x ^ __y) >> 1) & 0x7fff7fffu);
}
__HPML_DEVICE__ unsigned int __vhaddu4(unsigned int __x, unsigned int __y) {
  return (__x & __y) + (((__x ^ __y) >> 1) & 0x7f7f7f7fu);
}
