// The C library in device code: printf, malloc, assert, memory, time.
// Names and signatures are those that the simulator supplies to PTX (vprintf, __assertfail, malloc, free).
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../host_defines.h"

extern "C" {
// clang packs the arguments and calls vprintf.
__device__ int printf(const char*, ...);
__device__ void* malloc(size_t) __attribute__((malloc));
__device__ void free(void*);
__device__ void __assertfail(const char* __message, const char* __file, unsigned int __line, const char* __function,
                             size_t __char_size) __attribute__((noreturn));
// What glibc's assert() calls.
__device__ static inline void __assert_fail(const char* __message, const char* __file, unsigned int __line,
                                            const char* __function) {
  __assertfail(__message, __file, __line, __function, sizeof(char));
}
}

__HPML_DEVICE__ void* memcpy(void* __dst, const void* __src, size_t __n) { return __builtin_memcpy(__dst, __src, __n); }
__HPML_DEVICE__ void* memmove(void* __dst, const void* __src, size_t __n) {
  return __builtin_memmove(__dst, __src, __n);
}
__HPML_DEVICE__ void* memset(void* __dst, int __value, size_t __n) { return __builtin_memset(__dst, __value, __n); }

__HPML_DEVICE__ clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
__HPML_DEVICE__ long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
