// What CUDA adds to the C library on both sides: min and max without std::, rsqrt, sinpi, cospi.
#pragma once

#include <math.h>

#include "../host_defines.h"

#define __HPML_MIN_MAX__(__t)                                                         \
  __HPML_BOTH__ constexpr __t min(__t __x, __t __y) { return __y < __x ? __y : __x; } \
  __HPML_BOTH__ constexpr __t max(__t __x, __t __y) { return __x < __y ? __y : __x; }
__HPML_MIN_MAX__(int)
__HPML_MIN_MAX__(unsigned int)
__HPML_MIN_MAX__(long)
__HPML_MIN_MAX__(unsigned long)
__HPML_MIN_MAX__(long long)
__HPML_MIN_MAX__(unsigned long long)
#undef __HPML_MIN_MAX__

// Mixed arguments follow the usual arithmetic conversions, as in C.
#define __HPML_MIN_MAX__(__r, __a, __b)                                                                   \
  __HPML_BOTH__ constexpr __r min(__a __x, __b __y) { return min(static_cast<__r>(__x), static_cast<__r>(__y)); } \
  __HPML_BOTH__ constexpr __r max(__a __x, __b __y) { return max(static_cast<__r>(__x), static_cast<__r>(__y)); }
__HPML_MIN_MAX__(unsigned int, int, unsigned int)
__HPML_MIN_MAX__(unsigned int, unsigned int, int)
__HPML_MIN_MAX__(unsigned long, long, unsigned long)
__HPML_MIN_MAX__(unsigned long, unsigned long, long)
__HPML_MIN_MAX__(unsigned long long, long long, unsigned long long)
__HPML_MIN_MAX__(unsigned long long, unsigned long long, long long)
#undef __HPML_MIN_MAX__

#define __HPML_MIN_MAX__(__r, __a, __b, __s)                                              \
  __HPML_BOTH__ __r min(__a __x, __b __y) { return __builtin_fmin##__s(__x, __y); }       \
  __HPML_BOTH__ __r max(__a __x, __b __y) { return __builtin_fmax##__s(__x, __y); }
__HPML_MIN_MAX__(float, float, float, f)
__HPML_MIN_MAX__(double, double, double, )
__HPML_MIN_MAX__(double, float, double, )
__HPML_MIN_MAX__(double, double, float, )
#undef __HPML_MIN_MAX__

__HPML_HOST__ double rsqrt(double __x) { return 1.0 / ::sqrt(__x); }
__HPML_HOST__ float rsqrtf(float __x) { return static_cast<float>(1.0 / ::sqrt(static_cast<double>(__x))); }
__HPML_HOST__ double sinpi(double __x) { return ::sin(::fmod(__x, 2.0) * 3.14159265358979323846); }
__HPML_HOST__ float sinpif(float __x) { return static_cast<float>(sinpi(static_cast<double>(__x))); }
__HPML_HOST__ double cospi(double __x) { return ::cos(::fmod(__x, 2.0) * 3.14159265358979323846); }
__HPML_HOST__ float cospif(float __x) { return static_cast<float>(cospi(static_cast<double>(__x))); }
