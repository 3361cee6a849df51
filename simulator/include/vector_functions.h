// make_int2(x, y) and its relatives, on both sides.
#pragma once

#include "vector_types.h"

#ifdef __cplusplus
#define __HPML_MAKE__(__elem, __name)                                                                       \
  __HPML_BOTH__ constexpr __name##1 make_##__name##1(__elem __x) { return __name##1{__x}; }                 \
  __HPML_BOTH__ constexpr __name##2 make_##__name##2(__elem __x, __elem __y) { return __name##2{__x, __y}; } \
  __HPML_BOTH__ constexpr __name##3 make_##__name##3(__elem __x, __elem __y, __elem __z) {                  \
    return __name##3{__x, __y, __z};                                                                        \
  }                                                                                                         \
  __HPML_BOTH__ constexpr __name##4 make_##__name##4(__elem __x, __elem __y, __elem __z, __elem __w) {      \
    return __name##4{__x, __y, __z, __w};                                                                   \
  }

__HPML_MAKE__(signed char, char)
__HPML_MAKE__(unsigned char, uchar)
__HPML_MAKE__(short, short)
__HPML_MAKE__(unsigned short, ushort)
__HPML_MAKE__(int, int)
__HPML_MAKE__(unsigned int, uint)
__HPML_MAKE__(long int, long)
__HPML_MAKE__(unsigned long int, ulong)
__HPML_MAKE__(long long int, longlong)
__HPML_MAKE__(unsigned long long int, ulonglong)
__HPML_MAKE__(float, float)
__HPML_MAKE__(double, double)
#undef __HPML_MAKE__
#endif
