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

TEST_P(ModelWithDropout, GradientsAreSlopesOfTheLoss) {
  Network network(GetParam(), 1);
  constexpr float kMove = 1e-2F;
  for (const Parameter& parameter : network.model.parameters()) {
    network.loss(7);
    const size_t at = parameter.value.size() / 2;
    const float gradient = parameter.gradient[at], kept = parameter.value[at];
    parameter.value[at] = kept + kMove;
    const double above = network.loss(7);
    parameter.value[at] = kept - kMove;
    const double below = network.loss(7);
    parameter.value[at] = kept;
    EXPECT_NEAR(gradient, (above - below) / (2 * kMove), 2e-4) << parameter.name;
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
