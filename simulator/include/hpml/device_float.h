// Floating-point intrinsics: correctly rounded operations in the four modes, and the fast approximations.
// CUDA spells the modes rn rz ru rd, PTX rn rz rp rm. Inline PTX keeps the compiler from fusing them.
#pragma once

#include "../host_defines.h"

#define __HPML_FLOAT_1__(__t, __c, __name, __ptx)              \
  __HPML_DEVICE__ __t __name(__t __x) {                        \
    __t __d;                                                   \
    asm(__ptx " %0, %1;" : "=" __c(__d) : __c(__x));           \
    return __d;                                                \
  }
#define __HPML_FLOAT_2__(__t, __c, __name, __ptx)                        \
  __HPML_DEVICE__ __t __name(__t __x, __t __y) {                         \
    __t __d;                                                             \
    asm(__ptx " %0, %1, %2;" : "=" __c(__d) : __c(__x), __c(__y));       \
    return __d;                                                          \
  }
#define __HPML_FLOAT_3__(__t, __c, __name, __ptx)                                      \
  __HPML_DEVICE__ __t __name(__t __x, __t __y, __t __z) {                              \
    __t __d;                                                                           \
    asm(__ptx " %0, %1, %2, %3;" : "=" __c(__d) : __c(__x), __c(__y), __c(__z));       \
    return __d;                                                                        \
  }
#define __HPML_ROUNDED__(__m, __p)                                  \
  __HPML_FLOAT_2__(float, "f", __fadd_##__m, "add." __p ".f32")     \
  __HPML_FLOAT_2__(float, "f", __fsub_##__m, "sub." __p ".f32")     \
  __HPML_FLOAT_2__(float, "f", __fmul_##__m, "mul." __p ".f32")     \
  __HPML_FLOAT_2__(float, "f", __fdiv_##__m, "div." __p ".f32")     \
  __HPML_FLOAT_1__(float, "f", __frcp_##__m, "rcp." __p ".f32")     \
  __HPML_FLOAT_1__(float, "f", __fsqrt_##__m, "sqrt." __p ".f32")   \
  __HPML_FLOAT_3__(float, "f", __fmaf_##__m, "fma." __p ".f32")     \
  __HPML_FLOAT_2__(double, "d", __dadd_##__m, "add." __p ".f64")    \
  __HPML_FLOAT_2__(double, "d", __dsub_##__m, "sub." __p ".f64")    \
  __HPML_FLOAT_2__(double, "d", __dmul_##__m, "mul." __p ".f64")    \
  __HPML_FLOAT_2__(double, "d", __ddiv_##__m, "div." __p ".f64")    \
  __HPML_FLOAT_1__(double, "d", __drcp_##__m, "rcp." __p ".f64")    \
  __HPML_FLOAT_1__(double, "d", __dsqrt_##__m, "sqrt." __p ".f64")  \
  __HPML_FLOAT_3__(double, "d", __fma_##__m, "fma." __p ".f64")
__HPML_ROUNDED__(rn, "rn")
__HPML_ROUNDED__(rz, "rz")
__HPML_ROUNDED__(ru, "rp")
__HPML_ROUNDED__(rd, "rm")
#undef __HPML_ROUNDED__

__HPML_FLOAT_1__(float, "f", __frsqrt_rn, "rsqrt.approx.f32")
__HPML_FLOAT_1__(float, "f", __sinf, "sin.approx.f32")
__HPML_FLOAT_1__(float, "f", __cosf, "cos.approx.f32")
__HPML_FLOAT_1__(float, "f", __log2f, "lg2.approx.f32")
__HPML_FLOAT_1__(float, "f", __exp2f_approx, "ex2.approx.f32")
__HPML_FLOAT_1__(float, "f", __saturatef, "cvt.sat.f32.f32")
__HPML_FLOAT_2__(float, "f", __fdividef, "div.approx.f32")
#undef __HPML_FLOAT_1__
#undef __HPML_FLOAT_2__
#undef __HPML_FLOAT_3__

// The guide defines these through the base-2 approximations.
__HPML_DEVICE__ float __expf(float __x) { return __exp2f_approx(__x * 1.44269504088896340736f); }
__HPML_DEVICE__ float __exp10f(float __x) { return __exp2f_approx(__x * 3.32192809488736234787f); }
__HPML_DEVICE__ float __logf(float __x) { return __log2f(__x) * 0.693147180559945309417f; }
__HPML_DEVICE__ float __log10f(float __x) { return __log2f(__x) * 0.301029995663981195214f; }
__HPML_DEVICE__ float __powf(float __x, float __y) { return __exp2f_approx(__y * __log2f(__x)); }
__HPML_DEVICE__ float __tanf(float __x) { return __fdividef(__sinf(__x), __cosf(__x)); }
__HPML_DEVICE__ void __sincosf(float __x, float* __sin, float* __cos) {
  *__sin = __sinf(__x);
  *__cos = __cosf(__x);
}
