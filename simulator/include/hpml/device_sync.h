// Barriers, fences and control of a thread.
//
// They are assembly with a memory clobber and not clang's builtins: LLVM believes that an intrinsic which calls nothing
// back cannot change a variable whose address is never taken, and moves loads of such a __shared__ variable over its
// barriers. That holds for the __syncthreads() built into clang, too, which therefore hides behind a macro.
#pragma once

#include "../host_defines.h"

__HPML_DEVICE__ void __hpml_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() __hpml_syncthreads()

__HPML_DEVICE__ int __syncthreads_count(int __p) {
  int __n;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(__n) : "r"(__p) : "memory");
  return __n;
}
#define __HPML_BAR_RED__(__name, __op)                                                                             \
  __HPML_DEVICE__ int __name(int __p) {                                                                            \
    int __r;                                                                                                       \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." __op ".pred q, 0, p; selp.s32 %0, 1, 0, q; }" \
                 : "=r"(__r)                                                                                       \
                 : "r"(__p)                                                                                        \
                 : "memory");                                                                                      \
    return __r;                                                                                                    \
  }
__HPML_BAR_RED__(__syncthreads_and, "and")
__HPML_BAR_RED__(__syncthreads_or, "or")
#undef __HPML_BAR_RED__
__HPML_DEVICE__ void __syncwarp(unsigned int __mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(__mask) : "memory");
}

// Barrier 0 where the lanes of a warp may come to it apart (cooperative groups).
__HPML_DEVICE__ void __hpml_barrier_sync() { asm volatile("barrier.sync 0;" ::: "memory"); }

__HPML_DEVICE__ void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
__HPML_DEVICE__ void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
__HPML_DEVICE__ void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

__HPML_DEVICE__ void __nanosleep(unsigned int __ns) { asm volatile("nanosleep.u32 %0;" ::"r"(__ns)); }
__HPML_DEVICE__ void __trap() { asm volatile("trap;"); }
__HPML_DEVICE__ void __brkpt() { asm volatile("brkpt;"); }
__HPML_DEVICE__ void __prof_trigger(int) {}
