#pragma once
// What the tests of this folder share.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/random.hpp"
#include "common/nn/tensor.hpp"
#include "common/nn/train/network.hpp"

namespace hpml::nn {

// Normal numbers, the same for the same purpose and shape.
inline Tensor random_tensor(Shape shape, std::string_view purpose) {
  Tensor tensor(shape);
  Random random(1, stream_id(purpose));
  for (float& value : tensor.span()) {
    value = static_cast<float>(random.next_normal());
  }
  return tensor;
}

inline BasicTensor<double> as_double(const Tensor& tensor) {
  BasicTensor<double> result(tensor.shape());
  std::copy(tensor.span().begin(), tensor.span().end(), result.data());
  return result;
}

inline std::vector<float> values(View<const float> view) { return {view.data, view.data + view.size()}; }

// g_n of Higham, Accuracy and Stability of Numerical Algorithms, section 3.1: a sum of n products of floats differs
// from the exact one by at most g_n times the sum of the absolute products, in whatever order it is made.
inline double sum_error_bound(int64_t n) {
  const double nu = static_cast<double>(n) * 0x1p-24;
  return nu / (1 - nu);
}

// Every value lies within bound * magnitude (both computed in double) of the exact one.
inline ::testing::AssertionResult within(View<const float> got, const BasicTensor<double>& exact,
                                         const BasicTensor<double>& magnitude, double bound) {
  for (int64_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(got[i] - exact.data()[i]);
    if (!(error <= bound * magnitude.data()[i])) {
      return ::testing::AssertionFailure() << "element " << i << " is " << got[i] << ", exactly " << exact.data()[i]
                                           << ", allowed error " << bound * magnitude.data()[i];
    }
  }
  return ::testing::AssertionSuccess();
}

inline Network build_network(Graph graph, const NetworkOptions& options, const Slots& slots, ThreadPool& pool) {
  auto network = Network::build(std::move(graph), options, slots, pool);
  HPML_CHECK(network.ok(), network.error().to_string());
  return std::move(network).value();
}

}  // namespace hpml::nn
