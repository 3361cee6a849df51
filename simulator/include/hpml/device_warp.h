// Warp-level functions: shuffles, votes, matches, reductions over the lanes of a mask.
#pragma once

#include "../host_defines.h"

// The last operand of PTX shfl packs the sub-warp width and the clamp lane: ((32 - width) << 8) | 31, with clamp 0 for
// the up form (PTX ISA, "shfl.sync").
#define __HPML_SHFL_32__(__t, __name, __builtin, __clamp)                                          \
  __HPML_DEVICE__ __t __name(unsigned int __mask, __t __value, int __lane, int __width = 32) {     \
    return __builtin_bit_cast(__t, __builtin(__mask, __builtin_bit_cast(int, __value), __lane,     \
                                             ((32 - __width) << 8) | __clamp));                    \
  }
#define __HPML_SHFL_64__(__t, __name)                                                                     \
  __HPML_DEVICE__ __t __name(unsigned int __mask, __t __value, int __lane, int __width = 32) {            \
    const unsigned long long __bits = __builtin_bit_cast(unsigned long long, __value);                    \
    const unsigned int __low = __name(__mask, static_cast<unsigned int>(__bits), __lane, __width);        \
    const unsigned int __high = __name(__mask, static_cast<unsigned int>(__bits >> 32), __lane, __width); \
    return __builtin_bit_cast(__t, (static_cast<unsigned long long>(__high) << 32) | __low);              \
  }
#define __HPML_SHFL__(__name, __builtin, __clamp)             \
  __HPML_SHFL_32__(int, __name, __builtin, __clamp)           \
  __HPML_SHFL_32__(unsigned int, __name, __builtin, __clamp)  \
  __HPML_SHFL_32__(float, __name, __builtin, __clamp)         \
  __HPML_SHFL_64__(long, __name)                              \
  __HPML_SHFL_64__(unsigned long, __name)                     \
  __HPML_SHFL_64__(long long, __name)                         \
  __HPML_SHFL_64__(unsigned long long, __name)                \
  __HPML_SHFL_64__(double, __name)
__HPML_SHFL__(__shfl_sync, __nvvm_shfl_sync_idx_i32, 31)
__HPML_SHFL__(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0)
__HPML_SHFL__(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 31)
__HPML_SHFL__(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 31)
#undef __HPML_SHFL__
#undef __HPML_SHFL_32__
#undef __HPML_SHFL_64__

__HPML_DEVICE__ int __all_sync(unsigned int __mask, int __p) { return __nvvm_vote_all_sync(__mask, __p); }
__HPML_DEVICE__ int __any_sync(unsigned int __mask, int __p) { return __nvvm_vote_any_sync(__mask, __p); }
__HPML_DEVICE__ int __uni_sync(unsigned int __mask, int __p) { return __nvvm_vote_uni_sync(__mask, __p); }
__HPML_DEVICE__ unsigned int __ballot_sync(unsigned int __mask, int __p) {
  return __nvvm_vote_ballot_sync(__mask, __p);
}
__HPML_DEVICE__ unsigned int __activemask() {
  unsigned int __mask;
  asm volatile("activemask.b32 %0;" : "=r"(__mask));
  return __mask;
}

#define __HPML_MATCH__(__t, __bits, __int)                                                           \
  __HPML_DEVICE__ unsigned int __match_any_sync(unsigned int __mask, __t __value) {                  \
    return __nvvm_match_any_sync_##__bits(__mask, __builtin_bit_cast(__int, __value));               \
  }                                                                                                  \
  __HPML_DEVICE__ unsigned int __match_all_sync(unsigned int __mask, __t __value, int* __all) {      \
    return __nvvm_match_all_sync_##__bits##p(__mask, __builtin_bit_cast(__int, __value), __all);     \
  }
__HPML_MATCH__(int, i32, unsigned int)
__HPML_MATCH__(unsigned int, i32, unsigned int)
__HPML_MATCH__(float, i32, unsigned int)
__HPML_MATCH__(long, i64, long long)
__HPML_MATCH__(unsigned long, i64, long long)
__HPML_MATCH__(long long, i64, long long)
__HPML_MATCH__(unsigned long long, i64, long long)
__HPML_MATCH__(double, i64, long long)
#undef __HPML_MATCH__

// redux.sync needs compute capability 8.0; below it the lanes of the mask are visited one by one.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define __HPML_REDUCE__(__t, __name, __op, __type, __combine)                                              \
  __HPML_DEVICE__ __t __name(unsigned int __mask, __t __value) {                                           \
    __t __result;                                                                                          \
    asm volatile("redux.sync." #__op "." #__type " %0, %1, %2;" : "=r"(__result) : "r"(__value), "r"(__mask)); \
    return __result;                                                                                       \
  }
#else
#define __HPML_REDUCE__(__t, __name, __op, __type, __combine)                                    \
  __HPML_DEVICE__ __t __name(unsigned int __mask, __t __value) {                                 \
    unsigned int __rest = __mask;                                                                \
    __t __a = __shfl_sync(__mask, __value, __builtin_ctz(__rest));                               \
    for (__rest &= __rest - 1; __rest != 0; __rest &= __rest - 1) {                              \
      const __t __b = __shfl_sync(__mask, __value, __builtin_ctz(__rest));                       \
      __a = __combine;                                                                           \
    }                                                                                            \
    return __a;                                                                                  \
  }
#endif
__HPML_REDUCE__(int, __reduce_add_sync, add, s32, static_cast<int>(static_cast<unsigned int>(__a) + __b))
__HPML_REDUCE__(int, __reduce_min_sync, min, s32, __b < __a ? __b : __a)
__HPML_REDUCE__(int, __reduce_max_sync, max, s32, __a < __b ? __b : __a)
__HPML_REDUCE__(unsigned int, __reduce_add_sync, add, u32, __a + __b)
__HPML_REDUCE__(unsigned int, __reduce_min_sync, min, u32, __b < __a ? __b : __a)
__HPML_REDUCE__(unsigned int, __reduce_max_sync, max, u32, __a < __b ? __b : __a)
__HPML_REDUCE__(unsigned int, __reduce_and_sync, and, b32, (__a & __b))
__HPML_REDUCE__(unsigned int, __reduce_or_sync, or, b32, (__a | __b))
__HPML_REDUCE__(unsigned int, __reduce_xor_sync, xor, b32, (__a ^ __b))
#undef __HPML_REDUCE__
