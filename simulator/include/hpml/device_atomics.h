// Atomic functions in three scopes: atomicAdd (device), atomicAdd_block, atomicAdd_system.
// clang's builtins (rather than inline PTX) let the compiler find the address space: atom.shared instead of atom.
#pragma once

#include "../host_defines.h"

// __t: type, __op: CUDA name, __b: builtin's operation, __k: builtin's type suffix
#define __HPML_ATOMIC__(__t, __op, __b, __k)                                             \
  __HPML_DEVICE__ __t atomic##__op(__t* __p, __t __v) {                                  \
    return (__t)__nvvm_atom_##__b##_gen_##__k((__HPML_AS_##__k*)__p, __v);               \
  }                                                                                      \
  __HPML_DEVICE__ __t atomic##__op##_block(__t* __p, __t __v) {                          \
    return (__t)__nvvm_atom_cta_##__b##_gen_##__k((__HPML_AS_##__k*)__p, __v);           \
  }                                                                                      \
  __HPML_DEVICE__ __t atomic##__op##_system(__t* __p, __t __v) {                         \
    return (__t)__nvvm_atom_sys_##__b##_gen_##__k((__HPML_AS_##__k*)__p, __v);           \
  }
#define __HPML_AS_i int
#define __HPML_AS_ui unsigned int
#define __HPML_AS_ll long long
#define __HPML_AS_ull unsigned long long
#define __HPML_AS_f float
#define __HPML_AS_d double

__HPML_ATOMIC__(int, Add, add, i)
__HPML_ATOMIC__(unsigned int, Add, add, i)
__HPML_ATOMIC__(unsigned long long, Add, add, ll)
__HPML_ATOMIC__(float, Add, add, f)
__HPML_ATOMIC__(double, Add, add, d)
__HPML_ATOMIC__(int, Exch, xchg, i)
__HPML_ATOMIC__(unsigned int, Exch, xchg, i)
__HPML_ATOMIC__(unsigned long long, Exch, xchg, ll)
__HPML_ATOMIC__(int, Min, min, i)
__HPML_ATOMIC__(unsigned int, Min, min, ui)
__HPML_ATOMIC__(long long, Min, min, ll)
__HPML_ATOMIC__(unsigned long long, Min, min, ull)
__HPML_ATOMIC__(int, Max, max, i)
__HPML_ATOMIC__(unsigned int, Max, max, ui)
__HPML_ATOMIC__(long long, Max, max, ll)
__HPML_ATOMIC__(unsigned long long, Max, max, ull)
__HPML_ATOMIC__(int, And, and, i)
__HPML_ATOMIC__(unsigned int, And, and, i)
__HPML_ATOMIC__(long long, And, and, ll)
__HPML_ATOMIC__(unsigned long long, And, and, ll)
__HPML_ATOMIC__(int, Or, or, i)
__HPML_ATOMIC__(unsigned int, Or, or, i)
__HPML_ATOMIC__(long long, Or, or, ll)
__HPML_ATOMIC__(unsigned long long, Or, or, ll)
__HPML_ATOMIC__(int, Xor, xor, i)
__HPML_ATOMIC__(unsigned int, Xor, xor, i)
__HPML_ATOMIC__(long long, Xor, xor, ll)
__HPML_ATOMIC__(unsigned long long, Xor, xor, ll)
__HPML_ATOMIC__(unsigned int, Inc, inc, ui)
__HPML_ATOMIC__(unsigned int, Dec, dec, ui)
#undef __HPML_ATOMIC__

#define __HPML_CAS__(__name, __builtin, __t, __as)                               \
  __HPML_DEVICE__ __t __name(__t* __p, __t __compare, __t __v) {                 \
    return (__t)__builtin((__as*)__p, __compare, __v);                           \
  }
__HPML_CAS__(atomicCAS, __nvvm_atom_cas_gen_i, int, int)
__HPML_CAS__(atomicCAS, __nvvm_atom_cas_gen_i, unsigned int, int)
__HPML_CAS__(atomicCAS, __nvvm_atom_cas_gen_ll, unsigned long long, long long)
__HPML_CAS__(atomicCAS_block, __nvvm_atom_cta_cas_gen_i, int, int)
__HPML_CAS__(atomicCAS_block, __nvvm_atom_cta_cas_gen_i, unsigned int, int)
__HPML_CAS__(atomicCAS_block, __nvvm_atom_cta_cas_gen_ll, unsigned long long, long long)
__HPML_CAS__(atomicCAS_system, __nvvm_atom_sys_cas_gen_i, int, int)
__HPML_CAS__(atomicCAS_system, __nvvm_atom_sys_cas_gen_i, unsigned int, int)
__HPML_CAS__(atomicCAS_system, __nvvm_atom_sys_cas_gen_ll, unsigned long long, long long)
#undef __HPML_CAS__

#define __HPML_DERIVED__(__suffix)                                                                        \
  __HPML_DEVICE__ int atomicSub##__suffix(int* __p, int __v) {                                            \
    return atomicAdd##__suffix(__p, static_cast<int>(0u - static_cast<unsigned int>(__v)));               \
  }                                                                                                       \
  __HPML_DEVICE__ unsigned int atomicSub##__suffix(unsigned int* __p, unsigned int __v) {                 \
    return atomicAdd##__suffix(__p, 0u - __v);                                                            \
  }                                                                                                       \
  __HPML_DEVICE__ float atomicExch##__suffix(float* __p, float __v) {                                     \
    return __builtin_bit_cast(                                                                            \
        float, atomicExch##__suffix(reinterpret_cast<int*>(__p), __builtin_bit_cast(int, __v)));          \
  }
__HPML_DERIVED__()
__HPML_DERIVED__(_block)
__HPML_DERIVED__(_system)
#undef __HPML_DERIVED__
#undef __HPML_AS_i
#undef __HPML_AS_ui
#undef __HPML_AS_ll
#undef __HPML_AS_ull
#undef __HPML_AS_f
#undef __HPML_AS_d

__HPML_DEVICE__ unsigned short atomicCAS(unsigned short* __p, unsigned short __compare, unsigned short __v) {
  unsigned short __old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(__old) : "l"(__p), "h"(__compare), "h"(__v) : "memory");
  return __old;
}
