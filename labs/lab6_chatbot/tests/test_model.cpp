// The network's gradients are the slopes of its loss, with dropout too; what is dropped depends on the step alone.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/compute.hpp"
#include "harness/dropout.hpp"
#include "harness/model.hpp"
#include "harness/step.hpp"

namespace lab6 {
namespace {

constexpr int kWords = 12, kSteps = 5;

struct Network {
  PoolCompute compute;
  Chatbot model;
  Batch batch = random_batch(kWords, 3, kSteps);

  Network(double dropout, int threads)
      : compute(threads),
        model({.vocabulary = kWords, .hidden = 6, .batch = 3, .steps = kSteps, .dropout = dropout}, 1, compute) {}
  double loss(int64_t step) { return model.compute_gradients(batch, true, step).mean(); }
};

class ModelWithDropout : public testing::TestWithParam<double> {};

// Along its gradient a parameter changes the loss by the gradient's length.
TEST_P(ModelWithDropout, GradientsAreSlopesOfTheLoss) {
  Network network(GetParam(), 1);
  for (const Parameter& parameter : network.model.parameters()) {
    network.loss(7);
    const std::vector<float> kept(parameter.value.begin(), parameter.value.end());
    const std::vector<float> gradient(parameter.gradient.begin(), parameter.gradient.end());
    double squares = 0;
    for (const float one : gradient) {
      squares += double{one} * one;
    }
    const double length = std::sqrt(squares);
    ASSERT_GT(length, 0) << parameter.name;
    const auto loss_at = [&](double distance) {
      for (size_t i = 0; i < kept.size(); ++i) {
        parameter.value[i] = kept[i] + static_cast<float>(distance * gradient[i] / length);
      }
      return network.loss(7);
    };
    constexpr double kMove = 1e-2;
    const double slope = (loss_at(kMove) - loss_at(-kMove)) / (2 * kMove);
    loss_at(0);
    EXPECT_NEAR(slope, length, 0.01 * length + 2e-5) << parameter.name;
  }
}
INSTANTIATE_TEST_SUITE_P(Rates, ModelWithDropout, testing::Values(0.0, 0.4));

TEST(Model, DropsOtherValuesInEachStepAndTheSameOnesOnAnyNumberOfThreads) {
  Network one(0.4, 1), two(0.4, 2), none(0, 1);
  EXPECT_EQ(one.loss(3), two.loss(3));
  EXPECT_NE(one.loss(3), one.loss(4));
  EXPECT_EQ(none.loss(3), none.loss(4));
  EXPECT_EQ(one.model.compute_loss(one.batch, true).mean(), none.loss(3));  // dropout is for training alone
}

TEST(Model, DropsTheShareThatIsAskedForAndKeepsTheMean) {
  Dropout dropout(0.1, 5);
  dropout.start(11);
  std::vector<float> row(64);
  int dropped = 0;
  double sum = 0;
  constexpr int kRows = 4000;
  for (int i = 0; i < kRows; ++i) {
    std::fill(row.begin(), row.end(), 1.0F);
    dropout.apply(Dropout::inputs, i, 64, row.data());
    for (const float value : row) {
      dropped += value == 0;
      sum += value;
    }
  }
  const double n = 64.0 * kRows;
  EXPECT_NEAR(dropped / n, 0.1, 4 * std::sqrt(0.09 / n));  // four standard deviations
  EXPECT_NEAR(sum / n, 1, 4 * std::sqrt(0.09 / n) / 0.9);
}

}  // namespace
}  // namespace lab6
