// Barriers, fences and control of a thread. __syncthreads() itself is built into clang.
#pragma once

#include "../host_defines.h"

__HPML_DEVICE__ int __syncthreads_count(int __p) { return __nvvm_bar0_popc(__p); }
__HPML_DEVICE__ int __syncthreads_and(int __p) { return __nvvm_bar0_and(__p); }
__HPML_DEVICE__ int __syncthreads_or(int __p) { return __nvvm_bar0_or(__p); }
__HPML_DEVICE__ void __syncwarp(unsigned int __mask = 0xffffffffu) { __nvvm_bar_warp_sync(__mask); }

__HPML_DEVICE__ void __threadfence_block() { __nvvm_membar_cta(); }
__HPML_DEVICE__ void __threadfence() { __nvvm_membar_gl(); }
__HPML_DEVICE__ void __threadfence_system() { __nvvm_membar_sys(); }

__HPML_DEVICE__ void __nanosleep(unsigned int __ns) { asm volatile("nanosleep.u32 %0;" ::"r"(__ns)); }
__HPML_DEVICE__ void __trap() { asm volatile("trap;"); }
__HPML_DEVICE__ void __brkpt() { asm volatile("brkpt;"); }
__HPML_DEVICE__ void __prof_trigger(int) {}
