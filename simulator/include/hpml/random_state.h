// What the states of all pseudorandom generators have at their end: the second number of a pair of normal ones, which
// are made two at a time.
#pragma once

#include <cuda_runtime.h>

// Of boxmuller_flag: what boxmuller_extra holds.
#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

#define __HPML_KEPT_NORMAL__    \
  int boxmuller_flag;           \
  int boxmuller_flag_double;    \
  float boxmuller_extra;        \
  double boxmuller_extra_double

template <class __state>
__HPML_DEVICE__ void __hpml_forget_normal(__state* __s) {
  __s->boxmuller_flag = 0;
  __s->boxmuller_flag_double = 0;
  __s->boxmuller_extra = 0;
  __s->boxmuller_extra_double = 0;
}
