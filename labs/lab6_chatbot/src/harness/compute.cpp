#include "harness/compute.hpp"

#include "common/nn/baseline/slots.hpp"
#include "common/nn/random.hpp"

namespace lab6 {

PoolCompute::PoolCompute(int threads) : pool_(threads), matmul_(hpml::nn::baseline_slots().matmul) {}

void PoolCompute::multiply(const Product& shape, const float* a, const float* b, float* c) {
  ++products_;
  macs_ += shape.rows * shape.columns * shape.depth;
  matmul_({.m = shape.rows,
           .n = shape.columns,
           .k = shape.depth,
           .transpose_a = shape.transpose_a,
           .transpose_b = shape.transpose_b,
           .accumulate = shape.accumulate},
          a, b, c, pool_);
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
