// Matrix products by a warp (nvcuda::wmma): fragments, and the wmma instructions of the PTX ISA that load, multiply and
// store them. Which lane holds which element is the hardware's business; PTX says only how many each holds.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)
namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

// In whatever way the elements are spread over the lanes, each lane has its own array of them.
template <class __Element, int __Count>
struct __hpml_elements {
  enum { num_elements = __Count, num_storage_elements = __Count };
  typedef __Element element_type;
  typedef __Element storage_element_type;
  __Element x[__Count];
};

template <class __Use, int __M, int __N, int __K, class __T, class __Layout = void>
class fragment;

#define __HPML_FRAGMENT__(__use, __m, __n, __k, __t, __element, __count)                                              \
  template <>                                                                                                         \
  class fragment<__use, __m, __n, __k, __t, row_major> : public __hpml_elements<__element, __count> {};               \
  template <>                                                                                                         \
  class fragment<__use, __m, __n, __k, __t, col_major> : public __hpml_elements<__element, __count> {};
#define __HPML_ACCUMULATOR__(__m, __n, __k, __t, __count) \
  template <>                                             \
  class fragment<accumulator, __m, __n, __k, __t> : public __hpml_elements<__t, __count> {};

// Registers of an asm statement: constraint and array, by how many there are.
#define __HPML_R1__(__c, __r) __c(__r[0])
#define __HPML_R2__(__c, __r) __c(__r[0]), __c(__r[1])
#define __HPML_R4__(__c, __r) __HPML_R2__(__c, __r), __c(__r[2]), __c(__r[3])
#define __HPML_R8__(__c, __r) __HPML_R4__(__c, __r), __c(__r[4]), __c(__r[5]), __c(__r[6]), __c(__r[7])
#define __HPML_N1_0__ "{%0}"
#define __HPML_N2_0__ "{%0, %1}"
#define __HPML_N4_0__ "{%0, %1, %2, %3}"
#define __HPML_N8_0__ "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define __HPML_ADDRESS_1__ " [%1], %2;"
#define __HPML_ADDRESS_2__ " [%2], %3;"
#define __HPML_ADDRESS_4__ " [%4], %5;"
#define __HPML_ADDRESS_8__ " [%8], %9;"
#define __HPML_STORED_1__ " [%1], {%0}, %2;"
#define __HPML_STORED_2__ " [%2], {%0, %1}, %3;"
#define __HPML_STORED_4__ " [%4], {%0, %1, %2, %3}, %5;"
#define __HPML_STORED_8__ " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"

// __which: a, b; __word: the type of a register; __c: its constraint; __n: how many a lane has.
#define __HPML_LOAD_PART__(__which, __layout, __m, __n, __k, __t, __memory, __ptx, __word, __c, __count)             \
  __HPML_DEVICE__ void load_matrix_sync(fragment<matrix_##__which, __m, __n, __k, __t, __layout##_major>& __f,       \
                                        const __memory* __p, unsigned int __stride) {                                \
    __word* __r = reinterpret_cast<__word*>(__f.x);                                                                   \
    asm volatile("wmma.load." #__which ".sync.aligned." #__layout ".m" #__m "n" #__n "k" #__k "." __ptx " "           \
                 __HPML_N##__count##_0__ "," __HPML_ADDRESS_##__count##__                                            \
                 : __HPML_R##__count##__("=" __c, __r) : "l"(__p), "r"(__stride) : "memory");                        \
  }
#define __HPML_LOADS_OF_PART__(__which, __m, __n, __k, __t, __memory, __ptx, __word, __c, __count)                   \
  __HPML_LOAD_PART__(__which, row, __m, __n, __k, __t, __memory, __ptx, __word, __c, __count)                        \
  __HPML_LOAD_PART__(__which, col, __m, __n, __k, __t, __memory, __ptx, __word, __c, __count)
#define __HPML_MOVE_SUM__(__layout, __m, __n, __k, __t, __ptx, __word, __c, __count)                                 \
  asm volatile("wmma.load.c.sync.aligned." #__layout ".m" #__m "n" #__n "k" #__k "." __ptx " "                        \
               __HPML_N##__count##_0__ "," __HPML_ADDRESS_##__count##__                                              \
               : __HPML_R##__count##__("=" __c, __r) : "l"(__p), "r"(__stride) : "memory")
#define __HPML_STORE_SUM__(__layout, __m, __n, __k, __t, __ptx, __word, __c, __count)                                \
  asm volatile("wmma.store.d.sync.aligned." #__layout ".m" #__m "n" #__n "k" #__k "." __ptx                           \
               __HPML_STORED_##__count##__                                                                           \
               :: __HPML_R##__count##__(__c, __r), "l"(__p), "r"(__stride) : "memory")
#define __HPML_SUM__(__m, __n, __k, __t, __ptx, __word, __c, __count, __elements)                                    \
  __HPML_ACCUMULATOR__(__m, __n, __k, __t, __elements)                                                                \
  __HPML_DEVICE__ void load_matrix_sync(fragment<accumulator, __m, __n, __k, __t>& __f, const __t* __p,              \
                                        unsigned int __stride, layout_t __layout) {                                  \
    __word* __r = reinterpret_cast<__word*>(__f.x);                                                                   \
    if (__layout == mem_row_major) {                                                                                  \
      __HPML_MOVE_SUM__(row, __m, __n, __k, __t, __ptx, __word, __c, __count);                                       \
    } else {                                                                                                          \
      __HPML_MOVE_SUM__(col, __m, __n, __k, __t, __ptx, __word, __c, __count);                                       \
    }                                                                                                                 \
  }                                                                                                                   \
  __HPML_DEVICE__ void store_matrix_sync(__t* __p, const fragment<accumulator, __m, __n, __k, __t>& __f,             \
                                         unsigned int __stride, layout_t __layout) {                                 \
    const __word* __r = reinterpret_cast<const __word*>(__f.x);                                                       \
    if (__layout == mem_row_major) {                                                                                  \
      __HPML_STORE_SUM__(row, __m, __n, __k, __t, __ptx, __word, __c, __count);                                      \
    } else {                                                                                                          \
      __HPML_STORE_SUM__(col, __m, __n, __k, __t, __ptx, __word, __c, __count);                                      \
    }                                                                                                                 \
  }

// The numbers of operands after __d of the result: __a of A, __b of B, then those of C.
#define __HPML_OPERANDS_8_8_8_8__ \
  __HPML_N8_0__ ", {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, " \
  "{%24, %25, %26, %27, %28, %29, %30, %31}"
#define __HPML_OPERANDS_4_8_8_8__ \
  __HPML_N4_0__ ", {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, " \
  "{%20, %21, %22, %23, %24, %25, %26, %27}"
#define __HPML_OPERANDS_8_8_8_4__ \
  __HPML_N8_0__ ", {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, " \
  "{%24, %25, %26, %27}"
#define __HPML_OPERANDS_4_8_8_4__ \
  __HPML_N4_0__ ", {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23}"
#define __HPML_OPERANDS_8_4_4_8__ \
  __HPML_N8_0__ ", {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}"
#define __HPML_OPERANDS_8_2_8_8__ \
  __HPML_N8_0__ ", {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25}"
#define __HPML_OPERANDS_8_8_2_8__ \
  __HPML_N8_0__ ", {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25}"
#define __HPML_OPERANDS_8_2_2_8__ \
  __HPML_N8_0__ ", {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}"
#define __HPML_OPERANDS_8_4_1_8__ \
  __HPML_N8_0__ ", {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, %18, %19, %20}"
#define __HPML_OPERANDS_8_1_4_8__ \
  __HPML_N8_0__ ", {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20}"
#define __HPML_OPERANDS_2_1_1_2__ __HPML_N2_0__ ", {%2}, {%3}, {%4, %5}"

// __types: what follows the shape in the instruction; d, a, b, c: their registers.
#define __HPML_PRODUCT__(__la, __lb, __m, __n, __k, __t, __dt, __ct, __types, __d, __a, __b, __c, __dw, __dc, \
                         __cw, __cc, __w, __wc)                                                                        \
  __HPML_DEVICE__ void mma_sync(fragment<accumulator, __m, __n, __k, __dt>& __fd,                                     \
                                const fragment<matrix_a, __m, __n, __k, __t, __la##_major>& __fa,                     \
                                const fragment<matrix_b, __m, __n, __k, __t, __lb##_major>& __fb,                     \
                                const fragment<accumulator, __m, __n, __k, __ct>& __fc) {                             \
    __dw* __rd = reinterpret_cast<__dw*>(__fd.x);                                                                      \
    const __w* __ra = reinterpret_cast<const __w*>(__fa.x);                                                            \
    const __w* __rb = reinterpret_cast<const __w*>(__fb.x);                                                            \
    const __cw* __rc = reinterpret_cast<const __cw*>(__fc.x);                                                          \
    asm volatile("wmma.mma.sync.aligned." #__la "." #__lb ".m" #__m "n" #__n "k" #__k "." __types " "         \
                 __HPML_OPERANDS_##__d##_##__a##_##__b##_##__c##__ ";"                                                \
                 : __HPML_R##__d##__("=" __dc, __rd)                                                                  \
                 : __HPML_R##__a##__(__wc, __ra), __HPML_R##__b##__(__wc, __rb), __HPML_R##__c##__(__cc, __rc));      \
  }
#define __HPML_PRODUCTS__(...)              \
  __HPML_PRODUCT__(row, row, __VA_ARGS__)   \
  __HPML_PRODUCT__(row, col, __VA_ARGS__)   \
  __HPML_PRODUCT__(col, row, __VA_ARGS__)   \
  __HPML_PRODUCT__(col, col, __VA_ARGS__)

// Halves: sums in half or in float, any of the four combinations.
#define __HPML_HALVES__(__m, __n)                                                                                      \
  __HPML_FRAGMENT__(matrix_a, __m, __n, 16, __half, __half, 16)                                                       \
  __HPML_FRAGMENT__(matrix_b, __m, __n, 16, __half, __half, 16)                                                       \
  __HPML_LOADS_OF_PART__(a, __m, __n, 16, __half, __half, "f16", unsigned int, "r", 8)                                \
  __HPML_LOADS_OF_PART__(b, __m, __n, 16, __half, __half, "f16", unsigned int, "r", 8)                                \
  __HPML_SUM__(__m, __n, 16, __half, "f16", unsigned int, "r", 4, 8)                                                  \
  __HPML_SUM__(__m, __n, 16, float, "f32", float, "f", 8, 8)                                                          \
  __HPML_PRODUCTS__(__m, __n, 16, __half, float, float, "f32.f32", 8, 8, 8, 8, float, "f", float, "f",             \
                    unsigned int, "r")                                                                                 \
  __HPML_PRODUCTS__(__m, __n, 16, __half, __half, __half, "f16.f16", 4, 8, 8, 4, unsigned int, "r", unsigned int, \
                    "r", unsigned int, "r")                                                                            \
  __HPML_PRODUCTS__(__m, __n, 16, __half, __half, float, "f16.f32", 4, 8, 8, 8, unsigned int, "r", float, "f",     \
                    unsigned int, "r")                                                                                 \
  __HPML_PRODUCTS__(__m, __n, 16, __half, float, __half, "f32.f16", 8, 8, 8, 4, float, "f", unsigned int, "r",     \
                    unsigned int, "r")
__HPML_HALVES__(16, 16)
__HPML_HALVES__(32, 8)
__HPML_HALVES__(8, 32)

// Bytes, with sums in int.
#define __HPML_BYTES__(__m, __n, __t, __ptx, __a, __b, __ea, __eb)                                                     \
  __HPML_FRAGMENT__(matrix_a, __m, __n, 16, __t, __t, __ea)                                                           \
  __HPML_FRAGMENT__(matrix_b, __m, __n, 16, __t, __t, __eb)                                                           \
  __HPML_LOADS_OF_PART__(a, __m, __n, 16, __t, __t, __ptx, unsigned int, "r", __a)                                    \
  __HPML_LOADS_OF_PART__(b, __m, __n, 16, __t, __t, __ptx, unsigned int, "r", __b)                                    \
  __HPML_PRODUCTS__(__m, __n, 16, __t, int, int, "s32." __ptx "." __ptx ".s32", 8, __a, __b, 8, int, "r", int,     \
                    "r", unsigned int, "r")
__HPML_SUM__(16, 16, 16, int, "s32", int, "r", 8, 8)
__HPML_SUM__(32, 8, 16, int, "s32", int, "r", 8, 8)
__HPML_SUM__(8, 32, 16, int, "s32", int, "r", 8, 8)
__HPML_BYTES__(16, 16, signed char, "s8", 2, 2, 8, 8)
__HPML_BYTES__(16, 16, unsigned char, "u8", 2, 2, 8, 8)
__HPML_BYTES__(32, 8, signed char, "s8", 4, 1, 16, 4)
__HPML_BYTES__(32, 8, unsigned char, "u8", 4, 1, 16, 4)
__HPML_BYTES__(8, 32, signed char, "s8", 1, 4, 4, 16)
__HPML_BYTES__(8, 32, unsigned char, "u8", 1, 4, 4, 16)

// bfloat16, tf32 and double, from compute capability 8.0.
#define __HPML_BFLOATS__(__m, __n, __a, __b, __ea, __eb)                                                               \
  __HPML_FRAGMENT__(matrix_a, __m, __n, 16, __nv_bfloat16, __nv_bfloat16, __ea)                                       \
  __HPML_FRAGMENT__(matrix_b, __m, __n, 16, __nv_bfloat16, __nv_bfloat16, __eb)                                       \
  __HPML_LOADS_OF_PART__(a, __m, __n, 16, __nv_bfloat16, __nv_bfloat16, "bf16", unsigned int, "r", __a)               \
  __HPML_LOADS_OF_PART__(b, __m, __n, 16, __nv_bfloat16, __nv_bfloat16, "bf16", unsigned int, "r", __b)               \
  __HPML_PRODUCTS__(__m, __n, 16, __nv_bfloat16, float, float, "f32.bf16.bf16.f32", 8, __a, __b, 8, float, "f",    \
                    float, "f", unsigned int, "r")
__HPML_BFLOATS__(16, 16, 4, 4, 8, 8)
__HPML_BFLOATS__(32, 8, 8, 2, 16, 4)
__HPML_BFLOATS__(8, 32, 2, 8, 4, 16)

__HPML_FRAGMENT__(matrix_a, 16, 16, 8, precision::tf32, float, 4)
__HPML_FRAGMENT__(matrix_b, 16, 16, 8, precision::tf32, float, 4)
__HPML_LOADS_OF_PART__(a, 16, 16, 8, precision::tf32, float, "tf32", unsigned int, "r", 4)
__HPML_LOADS_OF_PART__(b, 16, 16, 8, precision::tf32, float, "tf32", unsigned int, "r", 4)
__HPML_SUM__(16, 16, 8, float, "f32", float, "f", 8, 8)
__HPML_PRODUCTS__(16, 16, 8, precision::tf32, float, float, "f32.tf32.tf32.f32", 8, 4, 4, 8, float, "f", float, "f",
                  unsigned int, "r")
__HPML_DEVICE__ float __float_to_tf32(float __value) {
  unsigned int __bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(__bits) : "f"(__value));
  return __builtin_bit_cast(float, __bits);
}

__HPML_FRAGMENT__(matrix_a, 8, 8, 4, double, double, 1)
__HPML_FRAGMENT__(matrix_b, 8, 8, 4, double, double, 1)
__HPML_LOADS_OF_PART__(a, 8, 8, 4, double, double, "f64", double, "d", 1)
__HPML_LOADS_OF_PART__(b, 8, 8, 4, double, double, "f64", double, "d", 1)
__HPML_SUM__(8, 8, 4, double, "f64", double, "d", 2, 2)
__HPML_PRODUCTS__(8, 8, 4, double, double, double, "f64.f64.f64.f64", 2, 1, 1, 2, double, "d", double, "d", double,
                  "d")

// Numbers of four bits and of one: A by rows, B by columns.
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental
#define __HPML_PRODUCT_OF_BITS__(__name, __k, __t, __words, __types)                                                   \
  __HPML_DEVICE__ void __name(fragment<accumulator, 8, 8, __k, int>& __fd,                                             \
                              const fragment<matrix_a, 8, 8, __k, __t, row_major>& __fa,                               \
                              const fragment<matrix_b, 8, 8, __k, __t, col_major>& __fb,                               \
                              const fragment<accumulator, 8, 8, __k, int>& __fc) {                                     \
    asm volatile("wmma.mma" __words ".sync.aligned.row.col.m8n8k" #__k "." __types " " __HPML_OPERANDS_2_1_1_2__ ";"   \
                 : "=r"(__fd.x[0]), "=r"(__fd.x[1])                                                                    \
                 : "r"(__fa.x[0]), "r"(__fb.x[0]), "r"(__fc.x[0]), "r"(__fc.x[1]));                                    \
  }
#define __HPML_BITS__(__k, __t, __ptx)                                                    \
  __HPML_FRAGMENT__(matrix_a, 8, 8, __k, __t, int, 1)                                     \
  __HPML_FRAGMENT__(matrix_b, 8, 8, __k, __t, int, 1)                                     \
  __HPML_LOAD_PART__(a, row, 8, 8, __k, __t, void, __ptx, unsigned int, "r", 1)           \
  __HPML_LOAD_PART__(b, col, 8, 8, __k, __t, void, __ptx, unsigned int, "r", 1)
__HPML_BITS__(32, experimental::precision::s4, "s4")
__HPML_BITS__(32, experimental::precision::u4, "u4")
__HPML_BITS__(128, experimental::precision::b1, "b1")
__HPML_SUM__(8, 8, 32, int, "s32", int, "r", 2, 2)
__HPML_SUM__(8, 8, 128, int, "s32", int, "r", 2, 2)
__HPML_PRODUCT_OF_BITS__(mma_sync, 32, experimental::precision::s4, "", "s32.s4.s4.s32")
__HPML_PRODUCT_OF_BITS__(mma_sync, 32, experimental::precision::u4, "", "s32.u4.u4.s32")
__HPML_PRODUCT_OF_BITS__(__hpml_xor_popc, 128, experimental::precision::b1, ".xor.popc", "s32.b1.b1.s32")
__HPML_PRODUCT_OF_BITS__(__hpml_and_popc, 128, experimental::precision::b1, ".and.popc", "s32.b1.b1.s32")
#undef __HPML_BITS__
#undef __HPML_PRODUCT_OF_BITS__
// `__op` is a constant.
__HPML_DEVICE__ void bmma_sync(fragment<accumulator, 8, 8, 128, int>& __d,
                               const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& __a,
                               const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& __b,
                               const fragment<accumulator, 8, 8, 128, int>& __c,
                               experimental::bmmaBitOp __op = experimental::bmmaBitOpXOR,
                               experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (__op == experimental::bmmaBitOpAND) {
    __hpml_and_popc(__d, __a, __b, __c);
  } else {
    __hpml_xor_popc(__d, __a, __b, __c);
  }
}

template <class __Use, int __M, int __N, int __K, class __T, class __Layout, class __V>
__HPML_DEVICE__ void fill_fragment(fragment<__Use, __M, __N, __K, __T, __Layout>& __f, const __V& __value) {
  typedef typename fragment<__Use, __M, __N, __K, __T, __Layout>::element_type __Element;
  for (int __i = 0; __i < __f.num_elements; ++__i) {
    __f.x[__i] = static_cast<__Element>(__value);
  }
}

}  // namespace wmma
}  // namespace nvcuda
#endif
