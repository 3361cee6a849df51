#include "common/nn/baseline/optimizers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/slots.hpp"

namespace hpml::nn {
namespace {

// theta_0 = (1, -1), gradient = h (theta - m), h = (1, 10), m = (0.5, -0.25), lr 0.1, momentum 0.9, weight decay 5e-4.
// The double values of all but Adadelta equal LibTorch 1.13's to 12 digits.
struct Golden {
  OptimizerKind kind;
  int step;
  std::array<double, 2> exact;   // to 12 decimals
  std::array<uint32_t, 2> bits;  // of the float trace without fused multiply-add
};
const Golden kGoldens[] = {
    {OptimizerKind::sgd, 2, {0.859862502500, 0.425057497500}, {0x3f5c1ff3, 0x3ed9a124}},
    {OptimizerKind::sgd, 20, {0.672123549382, 0.046889214380}, {0x3f2c1049, 0x3d400ee4}},
    {OptimizerKind::nesterov, 2, {0.787346584025, -0.250085384025}, {0x3f498f8c, 0xbe800b32}},
    {OptimizerKind::nesterov, 20, {0.559708848758, -0.249987500625}, {0x3f0f4915, 0xbe7ffcba}},
    {OptimizerKind::adagrad, 2, {0.837525738982, -0.834506850267}, {0x3f566816, 0xbf55a23d}},
    {OptimizerKind::adagrad, 20, {0.539492735778, -0.430808417688}, {0x3f0a1c32, 0xbedc92e9}},
    {OptimizerKind::adadelta, 2, {0.999359439546, -0.999359394269}, {0x3f7fd605, 0xbf7fd605}},
    {OptimizerKind::adadelta, 20, {0.993047117493, -0.993035494127}, {0x3f7e3856, 0xbf7e3795}},
    {OptimizerKind::adam, 2, {0.801186435508, -0.800625566224}, {0x3f4d1a8e, 0xbf4cf5cc}},
    {OptimizerKind::adam, 20, {0.552753101517, -0.089830114615}, {0x3f0d8139, 0xbdb7f8e0}},
};

template <class T>
std::array<T, 2> trace(OptimizerKind kind, int steps) {
  ThreadPool pool(1);
  const auto optimizer = baseline::make_optimizer<T>({.kind = kind}, pool);
  std::array<T, 2> theta = {1, -1}, gradient{};
  const std::array<T, 2> h = {1, 10}, m = {T{0.5}, T{-0.25}};
  const BasicParam<T> param{"theta", theta, gradient};
  for (int i = 0; i < steps; ++i) {
    for (size_t j = 0; j < 2; ++j) {
      gradient[j] = h[j] * (theta[j] - m[j]);
    }
    optimizer->step({&param, 1});
  }
  return theta;
}

TEST(Optimizers, FollowTheGoldenTracesInDoubleAndToTheBitInFloat) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(::testing::Message() << "kind " << static_cast<int>(golden.kind) << ", step " << golden.step);
    const auto exact = trace<double>(golden.kind, golden.step);
    const auto single = trace<float>(golden.kind, golden.step);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(exact[i], golden.exact[i], 1e-12);
      EXPECT_EQ(std::bit_cast<uint32_t>(single[i]), golden.bits[i]);
    }
  }
}

TEST(Optimizers, KeepOneOrTwoMomentsPerElement) {
  ThreadPool pool(1);
  std::vector<float> theta(100), gradient(100);
  const Param param{"theta", theta, gradient};
  const auto bytes = [&](OptimizerKind kind) {
    const auto optimizer = baseline_slots().optimizer({.kind = kind}, pool);
    optimizer->step({&param, 1});
    return optimizer->state_bytes();
  };
  EXPECT_EQ(bytes(OptimizerKind::sgd), 400U);
  EXPECT_EQ(bytes(OptimizerKind::nesterov), 400U);
  EXPECT_EQ(bytes(OptimizerKind::adagrad), 400U);
  EXPECT_EQ(bytes(OptimizerKind::adadelta), 800U);
  EXPECT_EQ(bytes(OptimizerKind::adam), 800U);
}

}  // namespace
}  // namespace hpml::nn
