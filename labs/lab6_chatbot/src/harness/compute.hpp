#pragma once
// The Compute of the given programs: common/nn's threads and matrix product. Records what it multiplies.
#include <memory>

#include "common/nn/gemm/isa.hpp"
#include "common/nn/thread_pool.hpp"
#include "lab6.hpp"

namespace lab6 {

class PoolCompute : public Compute {
 public:
  explicit PoolCompute(int threads);
  void multiply(const Product& shape, const float* a, const float* b, float* c) override;

  int64_t products() const { return products_; }  // calls of multiply() so far
  int64_t macs() const { return macs_; }          // multiplications in them

 protected:
  void run(int tasks, void (*call)(void* context, int task), void* context) override;

 private:
  hpml::nn::ThreadPool pool_;
  const hpml::nn::gemm::Isa& isa_;
  int64_t products_ = 0, macs_ = 0;
};

}  // namespace lab6
