#pragma once
// Matrix products: C = alpha op(A) op(B) + beta C, column-major, one or many.
#include "simulator/cublas/entry.hpp"

namespace hpml::sim::cublas {

struct Operand {
  Element type = Element::f32;
  bool transposed = false;
  const void* data = nullptr;  // as the program named it
  int64_t leading = 0;
  int64_t stride = 0;                 // elements from one matrix of a batch to the next
  const void* const* list = nullptr;  // or pointers to them, in device memory
};

struct Product {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  Operand a, b, c;
  Element scalars = Element::f32;  // of alpha and beta
  const void* alpha = nullptr;
  const void* beta = nullptr;
  bool tensor_cores = false;
  bool operations_known = true;  // false: a cublasOperation_t that does not exist
};

// Checks, launches, and writes the result. Errors as cublasGemmEx.
Status multiply(const Call& call, const Product& product);

using libraries::element_of;

}  // namespace hpml::sim::cublas
