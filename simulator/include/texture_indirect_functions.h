// Reads of textures in device code: PTX gives four values of 32 bits, of which an element takes what it has.
#pragma once

#include "hpml/texture_types.h"
#include "vector_functions.h"

#ifdef __cplusplus
namespace __hpml {
// The type of the four values that PTX reads for an element.
template <class __s>
struct __texel {
  typedef uint4 __four;
};
template <>
struct __texel<float> {
  typedef float4 __four;
};
template <>
struct __texel<char> {
  typedef int4 __four;
};
template <>
struct __texel<signed char> {
  typedef int4 __four;
};
template <>
struct __texel<short> {
  typedef int4 __four;
};
template <>
struct __texel<int> {
  typedef int4 __four;
};
template <>
struct __texel<long> {
  typedef int4 __four;
};

// An element out of the four values.
template <class __t>
struct __element {
  typedef typename __texel<__t>::__four __four;
  __HPML_DEVICE__ __t __of(const __four& __v) { return static_cast<__t>(__v.x); }
};
#define __HPML_ELEMENTS__(__base, __s)                                                                        \
  template <>                                                                                                 \
  struct __element<__base##1> {                                                                               \
    typedef __texel<__s>::__four __four;                                                                      \
    __HPML_DEVICE__ __base##1 __of(const __four& __v) { return {static_cast<__s>(__v.x)}; }            \
  };                                                                                                          \
  template <>                                                                                                 \
  struct __element<__base##2> {                                                                               \
    typedef __texel<__s>::__four __four;                                                                      \
    __HPML_DEVICE__ __base##2 __of(const __four& __v) {                                                \
      return {static_cast<__s>(__v.x), static_cast<__s>(__v.y)};                                              \
    }                                                                                                         \
  };                                                                                                          \
  template <>                                                                                                 \
  struct __element<__base##4> {                                                                               \
    typedef __texel<__s>::__four __four;                                                                      \
    __HPML_DEVICE__ __base##4 __of(const __four& __v) {                                                \
      return {static_cast<__s>(__v.x), static_cast<__s>(__v.y), static_cast<__s>(__v.z), static_cast<__s>(__v.w)}; \
    }                                                                                                         \
  };
__HPML_ELEMENTS__(char, signed char)
__HPML_ELEMENTS__(uchar, unsigned char)
__HPML_ELEMENTS__(short, short)
__HPML_ELEMENTS__(ushort, unsigned short)
__HPML_ELEMENTS__(int, int)
__HPML_ELEMENTS__(uint, unsigned int)
__HPML_ELEMENTS__(float, float)
#undef __HPML_ELEMENTS__
}  // namespace __hpml

#define __HPML_UNPACK__(...) __VA_ARGS__
// __name(object, parameters): one PTX instruction, __before.TYPE.__after; __inputs bind its operands from %5 on.
#define __HPML_FOUR__(__name, __four, __type, __letter, __before, __after, __parameters, __inputs)                \
  __HPML_DEVICE__ void __name(__four& __r, cudaTextureObject_t __object, __HPML_UNPACK__ __parameters) {          \
    asm volatile(__before "." __type "." __after                                                                  \
                 : "=" __letter(__r.x), "=" __letter(__r.y), "=" __letter(__r.z), "=" __letter(__r.w)             \
                 : "l"(__object), __HPML_UNPACK__ __inputs);                                                      \
  }
#define __HPML_READ__(__name, __before, __after, __parameters, __arguments, __inputs)                             \
  namespace __hpml {                                                                                              \
  __HPML_FOUR__(__name##_four, float4, "f32", "f", __before, __after, __parameters, __inputs)                     \
  __HPML_FOUR__(__name##_four, int4, "s32", "r", __before, __after, __parameters, __inputs)                       \
  __HPML_FOUR__(__name##_four, uint4, "u32", "r", __before, __after, __parameters, __inputs)                      \
  }                                                                                                               \
  template <class __t>                                                                                            \
  __HPML_DEVICE__ __t __name(cudaTextureObject_t __object, __HPML_UNPACK__ __parameters) {                        \
    typename __hpml::__element<__t>::__four __r;                                                                  \
    __hpml::__name##_four(__r, __object, __HPML_UNPACK__ __arguments);                                            \
    return __hpml::__element<__t>::__of(__r);                                                                     \
  }                                                                                                               \
  template <class __t>                                                                                            \
  __HPML_DEVICE__ void __name(__t* __to, cudaTextureObject_t __object, __HPML_UNPACK__ __parameters) {            \
    *__to = __name<__t>(__object, __HPML_UNPACK__ __arguments);                                                   \
  }

__HPML_READ__(tex1Dfetch, "tex.1d.v4", "s32 {%0, %1, %2, %3}, [%4, {%5}];", (int __x), (__x), ("r"(__x)))
__HPML_READ__(tex1D, "tex.1d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5}];", (float __x), (__x), ("f"(__x)))
__HPML_READ__(tex2D, "tex.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float __x, float __y), (__x, __y),
              ("f"(__x), "f"(__y)))
__HPML_READ__(tex3D, "tex.3d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", (float __x, float __y, float __z),
              (__x, __y, __z), ("f"(__x), "f"(__y), "f"(__z)))
__HPML_READ__(tex1DLayered, "tex.a1d.v4", "f32 {%0, %1, %2, %3}, [%4, {%6, %5}];", (float __x, int __layer),
              (__x, __layer), ("f"(__x), "r"(__layer)))
__HPML_READ__(tex2DLayered, "tex.a2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%7, %5, %6, %6}];",
              (float __x, float __y, int __layer), (__x, __y, __layer), ("f"(__x), "f"(__y), "r"(__layer)))
__HPML_READ__(texCubemap, "tex.cube.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];",
              (float __x, float __y, float __z), (__x, __y, __z), ("f"(__x), "f"(__y), "f"(__z)))
__HPML_READ__(tex1DLod, "tex.level.1d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5}], %6;", (float __x, float __level),
              (__x, __level), ("f"(__x), "f"(__level)))
__HPML_READ__(tex2DLod, "tex.level.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;",
              (float __x, float __y, float __level), (__x, __y, __level), ("f"(__x), "f"(__y), "f"(__level)))
__HPML_READ__(tex3DLod, "tex.level.3d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8;",
              (float __x, float __y, float __z, float __level), (__x, __y, __z, __level),
              ("f"(__x), "f"(__y), "f"(__z), "f"(__level)))
__HPML_READ__(tex1DGrad, "tex.grad.1d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5}], {%6}, {%7};",
              (float __x, float __dx, float __dy), (__x, __dx, __dy), ("f"(__x), "f"(__dx), "f"(__dy)))
__HPML_READ__(tex2DGrad, "tex.grad.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}], {%7, %8}, {%9, %10};",
              (float __x, float __y, float2 __dx, float2 __dy), (__x, __y, __dx, __dy),
              ("f"(__x), "f"(__y), "f"(__dx.x), "f"(__dx.y), "f"(__dy.x), "f"(__dy.y)))
__HPML_READ__(__hpml_gather_r, "tld4.r.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float __x, float __y),
              (__x, __y), ("f"(__x), "f"(__y)))
__HPML_READ__(__hpml_gather_g, "tld4.g.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float __x, float __y),
              (__x, __y), ("f"(__x), "f"(__y)))
__HPML_READ__(__hpml_gather_b, "tld4.b.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float __x, float __y),
              (__x, __y), ("f"(__x), "f"(__y)))
__HPML_READ__(__hpml_gather_a, "tld4.a.2d.v4", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", (float __x, float __y),
              (__x, __y), ("f"(__x), "f"(__y)))
#undef __HPML_READ__
#undef __HPML_FOUR__
#undef __HPML_UNPACK__

template <class __t>
__HPML_DEVICE__ __t tex2Dgather(cudaTextureObject_t __object, float __x, float __y, int __component = 0) {
  switch (__component) {
    case 1: return __hpml_gather_g<__t>(__object, __x, __y);
    case 2: return __hpml_gather_b<__t>(__object, __x, __y);
    case 3: return __hpml_gather_a<__t>(__object, __x, __y);
    default: return __hpml_gather_r<__t>(__object, __x, __y);
  }
}
#endif
