#pragma once
// What cuBLASLt's descriptors hold. They may lie in memory of the program (cublasLt...Init), so they own nothing and
// fit in the sizes that NVIDIA's header gives.
#include <cstdint>

namespace hpml::sim::cublaslt {

enum Order : int32_t { kColumns = 0, kRows = 1 };  // cublasLtOrder_t

struct Layout {      // cublasLtMatrixLayout_t
  int32_t type = 0;  // cudaDataType
  int32_t order = kColumns;
  uint64_t rows = 0, columns = 0;
  int64_t leading = 0;
  int32_t batch = 1;
  int64_t stride = 0;  // elements from one matrix of a batch to the next

  int64_t at(int64_t row, int64_t column) const {
    return order == kRows ? row * leading + column : column * leading + row;
  }
};
static_assert(sizeof(Layout) <= 8 * sizeof(uint64_t));

enum Epilogue : int32_t { kDefault = 1, kRelu = 2, kBias = 4, kGelu = 32 };  // flags of cublasLtEpilogue_t

struct Matmul {  // cublasLtMatmulDesc_t
  int32_t compute = 0, scale_type = 0;
  int32_t pointer_mode = 0;
  int32_t transpose_a = 0, transpose_b = 0;
  int32_t epilogue = kDefault;
  const void* bias = nullptr;
  int32_t bias_type = -1;  // that of D
};
static_assert(sizeof(Matmul) <= 32 * sizeof(uint64_t));

struct Preference {  // cublasLtMatmulPreference_t
  uint64_t workspace = 0;
};

}  // namespace hpml::sim::cublaslt
