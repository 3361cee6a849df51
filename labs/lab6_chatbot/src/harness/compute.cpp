#include "harness/compute.hpp"

#include "common/nn/gemm/isa.hpp"
#include "common/nn/gemm/matmul.hpp"
#include "common/nn/random.hpp"

namespace lab6 {

PoolCompute::PoolCompute(int threads) : pool_(threads), isa_(*hpml::nn::gemm::isas_here().front()) {}

void PoolCompute::multiply(const Product& shape, const float* a, const float* b, float* c) {
  ++products_;
  macs_ += shape.rows * shape.columns * shape.depth;
  const hpml::nn::MatMul product{.m = shape.rows,
                                 .n = shape.columns,
                                 .k = shape.depth,
                                 .transpose_a = shape.transpose_a,
                                 .transpose_b = shape.transpose_b,
                                 .accumulate = shape.accumulate};
  hpml::nn::gemm::matmul(isa_, product, a, b, c, pool_);
}

void PoolCompute::run(int tasks, void (*call)(void* context, int task), void* context) {
  pool_.run(tasks, [&](int i) { call(context, i); });
}

double uniform(uint64_t seed, std::string_view stream, uint64_t index) {
  return hpml::nn::Random(seed, hpml::nn::stream_id(stream)).uniform(index);
}

std::vector<int> epoch_order(int n, uint64_t seed, int epoch) {
  return hpml::nn::permutation(n, seed, hpml::nn::stream_id("epoch", static_cast<uint64_t>(epoch)));
}

}  // namespace lab6
