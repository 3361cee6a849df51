// Mathematical functions that the simulator supplies under libdevice's names: __nv_<f> for double, __nv_<f>f for
// float. There is no libdevice on this path: clang leaves the calls as .extern .func in the PTX.
#pragma once

#include "../host_defines.h"

// One argument, one result of the same type.
#define __HPML_LIBDEVICE_1__(_)                                                                                    \
  _(acos) _(acosh) _(asin) _(asinh) _(atan) _(atanh) _(cbrt) _(cos) _(cosh) _(cospi) _(erf) _(erfc) _(erfcinv)    \
  _(erfcx) _(erfinv) _(exp) _(exp10) _(exp2) _(expm1) _(j0) _(j1) _(lgamma) _(log) _(log10) _(log1p) _(log2)      \
  _(logb) _(normcdf) _(normcdfinv) _(rcbrt) _(sin) _(sinh) _(sinpi) _(tan) _(tanh) _(tgamma) _(y0) _(y1)
// Two arguments of the result's type.
#define __HPML_LIBDEVICE_2__(_) _(atan2) _(fdim) _(fmod) _(hypot) _(nextafter) _(pow) _(remainder) _(rhypot)

#define __HPML_DECLARE_1__(__name)       \
  __device__ double __nv_##__name(double); \
  __device__ float __nv_##__name##f(float);
#define __HPML_DECLARE_2__(__name)               \
  __device__ double __nv_##__name(double, double); \
  __device__ float __nv_##__name##f(float, float);

extern "C" {
__HPML_LIBDEVICE_1__(__HPML_DECLARE_1__)
__HPML_LIBDEVICE_2__(__HPML_DECLARE_2__)
__device__ double __nv_round(double);
__device__ float __nv_roundf(float);
__device__ double __nv_rsqrt(double);
__device__ float __nv_rsqrtf(float);
__device__ double __nv_powi(double, int);
__device__ float __nv_powif(float, int);
__device__ double __nv_ldexp(double, int);
__device__ float __nv_ldexpf(float, int);
__device__ int __nv_ilogb(double);
__device__ int __nv_ilogbf(float);
__device__ double __nv_frexp(double, int*);
__device__ float __nv_frexpf(float, int*);
__device__ double __nv_modf(double, double*);
__device__ float __nv_modff(float, float*);
__device__ double __nv_remquo(double, double, int*);
__device__ float __nv_remquof(float, float, int*);
__device__ double __nv_nan(const signed char*);
__device__ float __nv_nanf(const signed char*);
__device__ double __nv_jn(int, double);
__device__ float __nv_jnf(int, float);
__device__ double __nv_yn(int, double);
__device__ float __nv_ynf(int, float);
__device__ void __nv_sincos(double, double*, double*);
__device__ void __nv_sincosf(float, float*, float*);
__device__ void __nv_sincospi(double, double*, double*);
__device__ void __nv_sincospif(float, float*, float*);
}
#undef __HPML_DECLARE_1__
#undef __HPML_DECLARE_2__
