// std::sin and its relatives in device code: the device overloads join the host's in namespace std, and integer
// arguments promote to double, as [cmath.syn] asks.
#pragma once

#include <type_traits>

#include "math_device.h"

#define __HPML_PROMOTE_1__(__name)                                                                   \
  template <class __T>                                                                               \
  __HPML_DEVICE__ std::enable_if_t<std::is_integral<__T>::value, double> __name(__T __x) {           \
    return ::__name(static_cast<double>(__x));                                                       \
  }
#define __HPML_PROMOTE_2__(__name)                                                                   \
  template <class __T, class __U>                                                                    \
  __HPML_DEVICE__ std::enable_if_t<std::is_arithmetic<__T>::value && std::is_arithmetic<__U>::value && \
                                       (!std::is_same<__T, __U>::value || std::is_integral<__T>::value), \
                                   double>                                                           \
  __name(__T __x, __U __y) {                                                                         \
    return ::__name(static_cast<double>(__x), static_cast<double>(__y));                             \
  }
__HPML_LIBDEVICE_1__(__HPML_PROMOTE_1__)
__HPML_BUILTINS_1__(__HPML_PROMOTE_1__)
__HPML_PROMOTE_1__(round)
__HPML_PROMOTE_1__(rsqrt)
__HPML_LIBDEVICE_2__(__HPML_PROMOTE_2__)
__HPML_BUILTINS_2__(__HPML_PROMOTE_2__)
#undef __HPML_PROMOTE_1__
#undef __HPML_PROMOTE_2__

#define __HPML_STD__(_)                                                                                              \
  _(acos) _(acosh) _(asin) _(asinh) _(atan) _(atanh) _(cbrt) _(cos) _(cosh) _(erf) _(erfc) _(exp) _(exp2) _(expm1)   \
  _(lgamma) _(log) _(log10) _(log1p) _(log2) _(logb) _(sin) _(sinh) _(tan) _(tanh) _(tgamma) _(atan2) _(fdim)        \
  _(fmod) _(hypot) _(nextafter) _(pow) _(remainder) _(ceil) _(fabs) _(floor) _(nearbyint) _(rint) _(sqrt) _(trunc)   \
  _(copysign) _(fmax) _(fmin) _(round) _(fma) _(frexp) _(modf) _(remquo) _(ldexp) _(scalbn) _(scalbln) _(ilogb)      \
  _(lround) _(llround) _(lrint) _(llrint) _(abs)
#define __HPML_STD_C__(_)                                                                                            \
  _(acosf) _(acoshf) _(asinf) _(asinhf) _(atanf) _(atanhf) _(cbrtf) _(cosf) _(coshf) _(erff) _(erfcf) _(expf)        \
  _(exp2f) _(expm1f) _(lgammaf) _(logf) _(log10f) _(log1pf) _(log2f) _(logbf) _(sinf) _(sinhf) _(tanf) _(tanhf)      \
  _(tgammaf) _(atan2f) _(fdimf) _(fmodf) _(hypotf) _(nextafterf) _(powf) _(remainderf) _(ceilf) _(fabsf) _(floorf)   \
  _(nearbyintf) _(rintf) _(sqrtf) _(truncf) _(copysignf) _(fmaxf) _(fminf) _(roundf) _(fmaf) _(frexpf) _(modff)      \
  _(remquof) _(ldexpf) _(scalbnf) _(ilogbf) _(lroundf) _(llroundf) _(lrintf) _(llrintf) _(nan) _(nanf) _(labs)       \
  _(llabs)
#define __HPML_USING__(__name) using ::__name;
namespace std {
__HPML_STD__(__HPML_USING__)
__HPML_STD_C__(__HPML_USING__)
}  // namespace std
#undef __HPML_USING__
#undef __HPML_STD__
#undef __HPML_STD_C__
