#include <gtest/gtest.h>

#include "common/nn/baseline/kernels/naive.hpp"
#include "common/nn/tests/nn_testing.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {
namespace {

BasicTensor<double> exact(const MatMul& shape, const Tensor& a, const Tensor& b, const Tensor& c, bool absolute) {
  BasicTensor<double> wide_a = as_double(a), wide_b = as_double(b), result = as_double(c);
  for (const auto* tensor : {&wide_a, &wide_b, &result}) {
    for (double& value : tensor->span()) {
      value = absolute ? std::abs(value) : value;
    }
  }
  baseline::naive_matmul<double>(shape, wide_a.data(), wide_b.data(), result.data());
  return result;
}

void check(const Slots& slots, const MatMul& shape) {
  SCOPED_TRACE(::testing::Message() << shape.m << "x" << shape.n << "x" << shape.k << " transposed "
                                    << shape.transpose_a << shape.transpose_b << " accumulate " << shape.accumulate);
  const auto matrix = [](int64_t elements, std::string_view purpose) {
    return random_tensor({1, 1, 1, static_cast<int>(elements)}, purpose);
  };
  const Tensor a = matrix(shape.m * shape.k, "a"), b = matrix(shape.k * shape.n, "b");
  std::vector<float> first;
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    const Tensor c = matrix(shape.m * shape.n, "c");
    const auto expected = exact(shape, a, b, c, false), size = exact(shape, a, b, c, true);
    slots.matmul(shape, a.data(), b.data(), c.data(), pool);
    EXPECT_TRUE(within(c.view(), expected, size, sum_error_bound(shape.k + 1)));
    if (first.empty()) {
      first = values(c.view());
    }
    EXPECT_EQ(first, values(c.view()));
  }
}

TEST(MatMul, StaysWithinTheErrorBoundOnEveryInstructionSetAndEveryNumberOfThreads) {
  for (const std::string_view isa : instruction_sets()) {
    SCOPED_TRACE(isa);
    const Slots slots = baseline_slots(Kernel::direct, isa);
    for (int form = 0; form < 8; ++form) {
      MatMul shape{.transpose_a = (form & 1) != 0, .transpose_b = (form & 2) != 0, .accumulate = (form & 4) != 0};
      for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {7, 70, 3}, {100, 17, 33}, {13, 64, 600}}) {
        shape.m = m;
        shape.n = n;
        shape.k = k;
        check(slots, shape);
      }
    }
  }
}

TEST(MatMul, AnEmptySumIsZero) {
  ThreadPool pool(1);
  float c[2] = {5, 6};
  baseline_slots().matmul({.m = 1, .n = 2, .k = 0}, nullptr, nullptr, c, pool);
  EXPECT_EQ(c[0], 0);
  EXPECT_EQ(c[1], 0);
}

}  // namespace
}  // namespace hpml::nn
