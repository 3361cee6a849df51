// Reads and writes of surfaces in device code, of whole elements as bits. x counts bytes.
#pragma once

#include "hpml/device_memory.h"
#include "hpml/texture_types.h"

#ifdef __cplusplus
#define __HPML_UNPACK__(...) __VA_ARGS__
// __read and __write for elements of every size; __mode says what happens outside of the surface.
#define __HPML_SURFACE_SIZE__(__size, __form, __geometry, __mode, __place, __parameters, __inputs, __values, __out, __in) \
  __HPML_DEVICE__ void __read(__bits<__size>& __r, cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters) {             \
    asm volatile("suld.b." __geometry "." __form "." __mode " {" __values "}, " __place ";"                             \
                 : __HPML_UNPACK__ __out                                                                                \
                 : [s] "l"(__s), __HPML_UNPACK__ __inputs                                                               \
                 : "memory");                                                                                           \
  }                                                                                                                     \
  __HPML_DEVICE__ void __write(const __bits<__size>& __r, cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters) {      \
    asm volatile("sust.b." __geometry "." __form "." __mode " " __place ", {" __values "};"                             \
                 :                                                                                                      \
                 : [s] "l"(__s), __HPML_UNPACK__ __inputs, __HPML_UNPACK__ __in                                         \
                 : "memory");                                                                                           \
  }
#define __HPML_SURFACE_BYTE__(__geometry, __mode, __place, __parameters, __inputs)                                      \
  __HPML_DEVICE__ void __read(__bits<1>& __r, cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters) {                  \
    unsigned short __wide;                                                                                              \
    asm volatile("suld.b." __geometry ".b8." __mode " {%[v]}, " __place ";"                                             \
                 : [v] "=h"(__wide)                                                                                     \
                 : [s] "l"(__s), __HPML_UNPACK__ __inputs                                                               \
                 : "memory");                                                                                           \
    __r.__v = static_cast<unsigned char>(__wide);                                                                       \
  }                                                                                                                     \
  __HPML_DEVICE__ void __write(const __bits<1>& __r, cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters) {           \
    const unsigned short __wide = __r.__v;                                                                              \
    asm volatile("sust.b." __geometry ".b8." __mode " " __place ", {%[v]};"                                             \
                 :                                                                                                      \
                 : [s] "l"(__s), __HPML_UNPACK__ __inputs, [v] "h"(__wide)                                              \
                 : "memory");                                                                                           \
  }
// The functions of one geometry and mode, in a namespace of their own.
#define __HPML_SURFACE_FORMS__(__space, __geometry, __mode, __place, __parameters, __inputs)                          \
  namespace __hpml {                                                                                                    \
  namespace __space {                                                                                                  \
  __HPML_SURFACE_BYTE__(__geometry, __mode, __place, __parameters, __inputs)                                            \
  __HPML_SURFACE_SIZE__(2, "b16", __geometry, __mode, __place, __parameters, __inputs, "%[v]", ([v] "=h"(__r.__v)),     \
                        ([v] "h"(__r.__v)))                                                                             \
  __HPML_SURFACE_SIZE__(4, "b32", __geometry, __mode, __place, __parameters, __inputs, "%[v]", ([v] "=r"(__r.__v)),     \
                        ([v] "r"(__r.__v)))                                                                             \
  __HPML_SURFACE_SIZE__(8, "b64", __geometry, __mode, __place, __parameters, __inputs, "%[v]", ([v] "=l"(__r.__v)),     \
                        ([v] "l"(__r.__v)))                                                                             \
  __HPML_SURFACE_SIZE__(16, "v2.b64", __geometry, __mode, __place, __parameters, __inputs, "%[v], %[w]",                \
                        ([v] "=l"(__r.__v), [w] "=l"(__r.__w)), ([v] "l"(__r.__v), [w] "l"(__r.__w)))                   \
  }                                                                                                                     \
  }
#define __HPML_SURFACE__(__name, __geometry, __place, __parameters, __arguments, __inputs)                              \
  __HPML_SURFACE_FORMS__(__name##_zero, __geometry, "zero", __place, __parameters, __inputs)                           \
  __HPML_SURFACE_FORMS__(__name##_clamp, __geometry, "clamp", __place, __parameters, __inputs)                         \
  __HPML_SURFACE_FORMS__(__name##_trap, __geometry, "trap", __place, __parameters, __inputs)                           \
  template <class __t>                                                                                                  \
  __HPML_DEVICE__ __t __name##read(cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters,                               \
                                   cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                             \
    __hpml::__bits<sizeof(__t)> __r;                                                                                    \
    if (__mode == cudaBoundaryModeZero) {                                                                               \
      __hpml::__name##_zero::__read(__r, __s, __HPML_UNPACK__ __arguments);                                             \
    } else if (__mode == cudaBoundaryModeClamp) {                                                                       \
      __hpml::__name##_clamp::__read(__r, __s, __HPML_UNPACK__ __arguments);                                            \
    } else {                                                                                                            \
      __hpml::__name##_trap::__read(__r, __s, __HPML_UNPACK__ __arguments);                                             \
    }                                                                                                                   \
    return __builtin_bit_cast(__t, __r);                                                                                \
  }                                                                                                                     \
  template <class __t>                                                                                                  \
  __HPML_DEVICE__ void __name##read(__t* __to, cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters,                   \
                                    cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                            \
    *__to = __name##read<__t>(__s, __HPML_UNPACK__ __arguments, __mode);                                                \
  }                                                                                                                     \
  template <class __t>                                                                                                  \
  __HPML_DEVICE__ void __name##write(__t __value, cudaSurfaceObject_t __s, __HPML_UNPACK__ __parameters,                \
                                     cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                           \
    const auto __r = __builtin_bit_cast(__hpml::__bits<sizeof(__t)>, __value);                                          \
    if (__mode == cudaBoundaryModeZero) {                                                                               \
      __hpml::__name##_zero::__write(__r, __s, __HPML_UNPACK__ __arguments);                                            \
    } else if (__mode == cudaBoundaryModeClamp) {                                                                       \
      __hpml::__name##_clamp::__write(__r, __s, __HPML_UNPACK__ __arguments);                                           \
    } else {                                                                                                            \
      __hpml::__name##_trap::__write(__r, __s, __HPML_UNPACK__ __arguments);                                            \
    }                                                                                                                   \
  }

__HPML_SURFACE__(surf1D, "1d", "[%[s], {%[x]}]", (int __x), (__x), ([x] "r"(__x)))
__HPML_SURFACE__(surf2D, "2d", "[%[s], {%[x], %[y]}]", (int __x, int __y), (__x, __y), ([x] "r"(__x), [y] "r"(__y)))
__HPML_SURFACE__(surf3D, "3d", "[%[s], {%[x], %[y], %[z], %[z]}]", (int __x, int __y, int __z), (__x, __y, __z),
                 ([x] "r"(__x), [y] "r"(__y), [z] "r"(__z)))
__HPML_SURFACE__(surf1DLayered, "a1d", "[%[s], {%[l], %[x]}]", (int __x, int __layer), (__x, __layer),
                 ([x] "r"(__x), [l] "r"(__layer)))
__HPML_SURFACE__(surf2DLayered, "a2d", "[%[s], {%[l], %[x], %[y], %[y]}]", (int __x, int __y, int __layer),
                 (__x, __y, __layer), ([x] "r"(__x), [y] "r"(__y), [l] "r"(__layer)))
#undef __HPML_SURFACE__
#undef __HPML_SURFACE_FORMS__
#undef __HPML_SURFACE_BYTE__
#undef __HPML_SURFACE_SIZE__
#undef __HPML_UNPACK__
#endif
