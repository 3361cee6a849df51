// Small constructors of runtime structs.
#pragma once

#include "cuda_runtime_api.h"

__HPML_HOST__ struct cudaPitchedPtr make_cudaPitchedPtr(void* __p, size_t __pitch, size_t __xsize, size_t __ysize) {
  struct cudaPitchedPtr __r = {__p, __pitch, __xsize, __ysize};
  return __r;
}
__HPML_HOST__ struct cudaExtent make_cudaExtent(size_t __width, size_t __height, size_t __depth) {
  struct cudaExtent __r = {__width, __height, __depth};
  return __r;
}
__HPML_HOST__ struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z) {
  struct cudaPos __r = {__x, __y, __z};
  return __r;
}

#ifdef __cplusplus
// cudaCreateChannelDesc<float4>(): the bits of each channel, and how they are read.
#define __HPML_CHANNELS__(__type, __x, __y, __z, __w, __kind)                       \
  template <>                                                                       \
  __inline__ cudaChannelFormatDesc cudaCreateChannelDesc<__type>() {                \
    return cudaCreateChannelDesc(__x, __y, __z, __w, cudaChannelFormatKind##__kind); \
  }
#define __HPML_CHANNEL__(__scalar, __name, __bits, __kind)         \
  __HPML_CHANNELS__(__scalar, __bits, 0, 0, 0, __kind)             \
  __HPML_CHANNELS__(__name##1, __bits, 0, 0, 0, __kind)            \
  __HPML_CHANNELS__(__name##2, __bits, __bits, 0, 0, __kind)       \
  __HPML_CHANNELS__(__name##3, __bits, __bits, __bits, 0, __kind)  \
  __HPML_CHANNELS__(__name##4, __bits, __bits, __bits, __bits, __kind)

template <class __T>
__inline__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
__HPML_CHANNEL__(signed char, char, 8, Signed)
__HPML_CHANNEL__(unsigned char, uchar, 8, Unsigned)
__HPML_CHANNEL__(short, short, 16, Signed)
__HPML_CHANNEL__(unsigned short, ushort, 16, Unsigned)
__HPML_CHANNEL__(int, int, 32, Signed)
__HPML_CHANNEL__(unsigned int, uint, 32, Unsigned)
__HPML_CHANNEL__(float, float, 32, Float)
#undef __HPML_CHANNEL__
#undef __HPML_CHANNELS__
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#endif
