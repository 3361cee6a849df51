#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

constexpr size_t kChannels = 5;

struct Moments {
  double mean = 0, biased_variance = 0;
};
Moments moments(const Values& x, size_t channel) {
  Moments result;
  const double count = static_cast<double>(x.size()) / kChannels;
  for (size_t i = channel; i < x.size(); i += kChannels) {
    result.mean += x[i] / count;
  }
  for (size_t i = channel; i < x.size(); i += kChannels) {
    result.biased_variance += (x[i] - result.mean) * (x[i] - result.mean) / count;
  }
  return result;
}

TEST(BatchNorm, NormalisesWithTheBatchAndDifferentiatesThroughItsStatistics) {
  check_layer({"batch_norm", {}, {{4, 3, 3, kChannels}}, [](auto& in, auto& params) {
                 Values out = in[0];
                 for (size_t c = 0; c < kChannels; ++c) {
                   const Moments m = moments(in[0], c);
                   for (size_t i = c; i < out.size(); i += kChannels) {
                     out[i] = params[0][c] * (in[0][i] - m.mean) / std::sqrt(m.biased_variance + 1e-5) + params[1][c];
                   }
                 }
                 return out;
               }});
}

class BatchNormRunning : public ::testing::Test {
 protected:
  ThreadPool pool{2};
  std::unique_ptr<BatchNorm> norm = baseline_slots().batch_norm({4, 3, 3, kChannels}, pool);
  Tensor gamma{{1, 1, 1, kChannels}}, beta{{1, 1, 1, kChannels}}, mean{{1, 1, 1, kChannels}}, var{{1, 1, 1, kChannels}};
  BatchNormParams params{gamma.span(), beta.span(), mean.span(), var.span()};

  void SetUp() override {
    std::fill_n(gamma.data(), kChannels, 1.5F);
    std::fill_n(beta.data(), kChannels, 0.25F);
    std::fill_n(mean.data(), kChannels, 2.0F);
    std::fill_n(var.data(), kChannels, 3.0F);
  }
};

TEST_F(BatchNormRunning, StatisticsMoveATenthTowardsTheBatchWithTheUnbiasedVariance) {
  const Tensor x = random_tensor({4, 3, 3, kChannels}, "x"), y(x.shape());
  norm->forward(x.view(), params, true, y.view());
  const Values doubles(x.span().begin(), x.span().end());
  for (size_t c = 0; c < kChannels; ++c) {
    const Moments m = moments(doubles, c);
    EXPECT_NEAR(mean.data()[c], 0.9 * 2 + 0.1 * m.mean, 1e-6);
    EXPECT_NEAR(var.data()[c], 0.9 * 3 + 0.1 * m.biased_variance * 36 / 35, 1e-6);
  }
}

TEST_F(BatchNormRunning, InferenceUsesTheRunningStatisticsAndLeavesThem) {
  const Tensor x = random_tensor({4, 3, 3, kChannels}, "x"), y(x.shape());
  norm->forward(x.view(), params, false, y.view());
  for (int64_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(y.data()[i], 1.5 * (x.data()[i] - 2) / std::sqrt(3 + 1e-5) + 0.25, 1e-5);
  }
  EXPECT_EQ(mean.data()[0], 2.0F);
  EXPECT_EQ(var.data()[0], 3.0F);
}

// A mean a thousand times larger than the deviation: sums of squares would lose the variance.
TEST_F(BatchNormRunning, KeepsTheVarianceOfValuesFarFromZero) {
  const Tensor x = random_tensor({4, 3, 3, kChannels}, "x"), y(x.shape());
  const Values doubles(x.span().begin(), x.span().end());
  for (float& value : x.span()) {
    value += 1000;
  }
  norm->forward(x.view(), params, true, y.view());
  for (size_t c = 0; c < kChannels; ++c) {
    EXPECT_NEAR(var.data()[c], 0.9 * 3 + 0.1 * moments(doubles, c).biased_variance * 36 / 35, 1e-3);
  }
}

TEST_F(BatchNormRunning, BackwardMayWriteOntoItsGradient) {
  const Tensor x = random_tensor({4, 3, 3, kChannels}, "x"), y(x.shape());
  const Tensor dy = random_tensor(x.shape(), "dy"), dx(x.shape());
  std::vector<float> dgamma(kChannels), dbeta(kChannels);
  norm->forward(x.view(), params, true, y.view());
  norm->backward(x.view(), dy.view(), params, dx.view(), dgamma, dbeta);
  norm->backward(x.view(), dy.view(), params, dy.view(), dgamma, dbeta);
  EXPECT_EQ(values(dx.view()), values(dy.view()));
}

}  // namespace
}  // namespace hpml::nn
