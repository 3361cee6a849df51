// Device definitions of the C mathematical functions over libdevice.h and clang's builtins. A builtin is used where
// one PTX instruction does the work (sqrt.rn, abs, fma.rn, cvt.rmi, min, max, ...).
#pragma once

#include "libdevice.h"

#define __HPML_FORWARD_1__(__name)                                                    \
  __HPML_DEVICE__ double __name(double __x) { return __nv_##__name(__x); }            \
  __HPML_DEVICE__ float __name##f(float __x) { return __nv_##__name##f(__x); }        \
  __HPML_DEVICE__ float __name(float __x) { return __nv_##__name##f(__x); }
#define __HPML_FORWARD_2__(__name)                                                                      \
  __HPML_DEVICE__ double __name(double __x, double __y) { return __nv_##__name(__x, __y); }             \
  __HPML_DEVICE__ float __name##f(float __x, float __y) { return __nv_##__name##f(__x, __y); }          \
  __HPML_DEVICE__ float __name(float __x, float __y) { return __nv_##__name##f(__x, __y); }
#define __HPML_BUILTIN_1__(__name)                                                    \
  __HPML_DEVICE__ double __name(double __x) { return __builtin_##__name(__x); }       \
  __HPML_DEVICE__ float __name##f(float __x) { return __builtin_##__name##f(__x); }   \
  __HPML_DEVICE__ float __name(float __x) { return __builtin_##__name##f(__x); }
#define __HPML_BUILTIN_2__(__name)                                                                      \
  __HPML_DEVICE__ double __name(double __x, double __y) { return __builtin_##__name(__x, __y); }        \
  __HPML_DEVICE__ float __name##f(float __x, float __y) { return __builtin_##__name##f(__x, __y); }     \
  __HPML_DEVICE__ float __name(float __x, float __y) { return __builtin_##__name##f(__x, __y); }

#define __HPML_BUILTINS_1__(_) _(ceil) _(fabs) _(floor) _(nearbyint) _(rint) _(sqrt) _(trunc)
#define __HPML_BUILTINS_2__(_) _(copysign) _(fmax) _(fmin)

__HPML_LIBDEVICE_1__(__HPML_FORWARD_1__)
__HPML_LIBDEVICE_2__(__HPML_FORWARD_2__)
__HPML_BUILTINS_1__(__HPML_BUILTIN_1__)
__HPML_BUILTINS_2__(__HPML_BUILTIN_2__)
__HPML_FORWARD_1__(round)
__HPML_FORWARD_1__(rsqrt)
#undef __HPML_FORWARD_1__
#undef __HPML_FORWARD_2__
#undef __HPML_BUILTIN_1__
#undef __HPML_BUILTIN_2__

// The functions whose arguments are not all of one type. __t is the type, __s the suffix of its C name.
#define __HPML_MIXED__(__t, __s, __ov)                                                                                 \
  __HPML_DEVICE__ __t fma##__ov(__t __x, __t __y, __t __z) { return __builtin_fma##__s(__x, __y, __z); }               \
  __HPML_DEVICE__ __t frexp##__ov(__t __x, int* __e) { return __nv_frexp##__s(__x, __e); }                             \
  __HPML_DEVICE__ __t modf##__ov(__t __x, __t* __i) { return __nv_modf##__s(__x, __i); }                               \
  __HPML_DEVICE__ __t remquo##__ov(__t __x, __t __y, int* __q) { return __nv_remquo##__s(__x, __y, __q); }             \
  __HPML_DEVICE__ __t ldexp##__ov(__t __x, int __e) { return __nv_ldexp##__s(__x, __e); }                              \
  __HPML_DEVICE__ __t scalbn##__ov(__t __x, int __e) { return __nv_ldexp##__s(__x, __e); }                             \
  __HPML_DEVICE__ __t scalbln##__ov(__t __x, long __e) {                                                               \
    return __nv_ldexp##__s(__x, __e > 100000 ? 100000 : __e < -100000 ? -100000 : static_cast<int>(__e));              \
  }                                                                                                                    \
  __HPML_DEVICE__ int ilogb##__ov(__t __x) { return __nv_ilogb##__s(__x); }                                            \
  __HPML_DEVICE__ long lround##__ov(__t __x) { return static_cast<long>(__nv_round##__s(__x)); }                       \
  __HPML_DEVICE__ long long llround##__ov(__t __x) { return static_cast<long long>(__nv_round##__s(__x)); }            \
  __HPML_DEVICE__ long lrint##__ov(__t __x) { return static_cast<long>(__builtin_rint##__s(__x)); }                    \
  __HPML_DEVICE__ long long llrint##__ov(__t __x) { return static_cast<long long>(__builtin_rint##__s(__x)); }
__HPML_MIXED__(double, , )
__HPML_MIXED__(float, f, f)
__HPML_MIXED__(float, f, )
#undef __HPML_MIXED__

#define __HPML_MIXED_C__(__t, __s)                                                                              \
  __HPML_DEVICE__ void sincos##__s(__t __x, __t* __sin, __t* __cos) { __nv_sincos##__s(__x, __sin, __cos); }     \
  __HPML_DEVICE__ void sincospi##__s(__t __x, __t* __sin, __t* __cos) { __nv_sincospi##__s(__x, __sin, __cos); } \
  __HPML_DEVICE__ __t jn##__s(int __n, __t __x) { return __nv_jn##__s(__n, __x); }                               \
  __HPML_DEVICE__ __t yn##__s(int __n, __t __x) { return __nv_yn##__s(__n, __x); }                               \
  __HPML_DEVICE__ __t nan##__s(const char* __tag) {                                                              \
    return __nv_nan##__s(reinterpret_cast<const signed char*>(__tag));                                           \
  }                                                                                                              \
  __HPML_DEVICE__ __t norm3d##__s(__t __x, __t __y, __t __z) {                                                   \
    return __nv_hypot##__s(__nv_hypot##__s(__x, __y), __z);                                                      \
  }                                                                                                              \
  __HPML_DEVICE__ __t norm4d##__s(__t __x, __t __y, __t __z, __t __w) {                                          \
    return __nv_hypot##__s(__nv_hypot##__s(__x, __y), __nv_hypot##__s(__z, __w));                                \
  }                                                                                                              \
  __HPML_DEVICE__ __t rnorm3d##__s(__t __x, __t __y, __t __z) { return 1 / norm3d##__s(__x, __y, __z); }         \
  __HPML_DEVICE__ __t rnorm4d##__s(__t __x, __t __y, __t __z, __t __w) {                                         \
    return 1 / norm4d##__s(__x, __y, __z, __w);                                                                  \
  }
__HPML_MIXED_C__(double, )
__HPML_MIXED_C__(float, f)
#undef __HPML_MIXED_C__
__HPML_DEVICE__ void sincos(float __x, float* __sin, float* __cos) { __nv_sincosf(__x, __sin, __cos); }
__HPML_DEVICE__ void sincospi(float __x, float* __sin, float* __cos) { __nv_sincospif(__x, __sin, __cos); }

__HPML_DEVICE__ float pow(float __x, int __y) { return __nv_powif(__x, __y); }
__HPML_DEVICE__ double pow(double __x, int __y) { return __nv_powi(__x, __y); }
__HPML_DEVICE__ float fdividef(float __x, float __y) { return __x / __y; }

// Names of the C library's own for what <math.h> has macros for; libcu++ calls them.
#define __HPML_CLASSES__(__t)                                                        \
  __HPML_DEVICE__ int __isnan(__t __x) { return __x != __x; }                        \
  __HPML_DEVICE__ int __isinf(__t __x) { return __x == __x && __x - __x != 0; }      \
  __HPML_DEVICE__ int __finite(__t __x) { return __x - __x == 0; }                   \
  __HPML_DEVICE__ int __signbit(__t __x) { return __builtin_signbit(__x) != 0; }
__HPML_CLASSES__(double)
__HPML_CLASSES__(float)
#undef __HPML_CLASSES__

__HPML_DEVICE__ int abs(int __x) { return __x < 0 ? -__x : __x; }
__HPML_DEVICE__ long abs(long __x) { return __x < 0 ? -__x : __x; }
__HPML_DEVICE__ long long abs(long long __x) { return __x < 0 ? -__x : __x; }
__HPML_DEVICE__ float abs(float __x) { return __builtin_fabsf(__x); }
__HPML_DEVICE__ double abs(double __x) { return __builtin_fabs(__x); }
__HPML_DEVICE__ long labs(long __x) { return __x < 0 ? -__x : __x; }
__HPML_DEVICE__ long long llabs(long long __x) { return __x < 0 ? -__x : __x; }
