#pragma once
// Blocked matrix product: the columns are cut into blocks as wide as a tile; each block packs pieces of b into a panel
// and runs tiles of rows over it. The sum of every element is made in the same order whatever the number of threads.
#include "common/nn/gemm/isa.hpp"
#include "common/nn/slots.hpp"

namespace hpml::nn::gemm {

void matmul(const Isa& isa, const MatMul& shape, const float* a, const float* b, float* c, ThreadPool& pool);

}  // namespace hpml::nn::gemm
