// C7: batch normalisation (Ioffe, Szegedy 2015).
#include <cmath>

#include "lab2.hpp"

namespace lab2 {

namespace {

// Mean and sum of squared deviations of every channel, in double: two passes, so nothing cancels.
void statistics(int64_t pixels, size_t channels, const float* x, std::vector<double>& mean,
                std::vector<double>& squares) {
  mean.assign(channels, 0.0);
  squares.assign(channels, 0.0);
  for (int64_t p = 0; p < pixels; ++p) {
    const float* row = x + p * static_cast<int64_t>(channels);
    for (size_t c = 0; c < channels; ++c) {
      mean[c] += row[c];
    }
  }
  for (double& value : mean) {
    value /= static_cast<double>(pixels);
  }
  for (int64_t p = 0; p < pixels; ++p) {
    const float* row = x + p * static_cast<int64_t>(channels);
    for (size_t c = 0; c < channels; ++c) {
      const double deviation = row[c] - mean[c];
      squares[c] += deviation * deviation;
    }
  }
}

}  // namespace

void batch_norm_forward(BatchNorm& norm, int64_t pixels, const float* x, bool training, float* y) {
  const auto channels = static_cast<size_t>(norm.channels);
  norm.mean.resize(channels);
  norm.rstd.resize(channels);
  if (training) {
    std::vector<double> mean, squares;
    statistics(pixels, channels, x, mean, squares);
    const auto n = static_cast<double>(pixels);
    for (size_t c = 0; c < channels; ++c) {
      norm.mean[c] = static_cast<float>(mean[c]);
      norm.rstd[c] = static_cast<float>(1.0 / std::sqrt(squares[c] / n + norm.eps));
      const auto unbiased = static_cast<float>(pixels > 1 ? squares[c] / (n - 1) : 0.0);
      norm.running_mean[c] = (1 - norm.momentum) * norm.running_mean[c] + norm.momentum * norm.mean[c];
      norm.running_var[c] = (1 - norm.momentum) * norm.running_var[c] + norm.momentum * unbiased;
    }
  }
  std::vector<float> scale(channels), shift(channels);
  for (size_t c = 0; c < channels; ++c) {
    const float mean = training ? norm.mean[c] : norm.running_mean[c];
    const float rstd = training ? norm.rstd[c] : 1.0F / std::sqrt(norm.running_var[c] + norm.eps);
    scale[c] = norm.gamma[c] * rstd;
    shift[c] = norm.beta[c] - mean * scale[c];
  }
  for (int64_t p = 0; p < pixels; ++p) {
    const float* from = x + p * norm.channels;
    float* to = y + p * norm.channels;
    for (size_t c = 0; c < channels; ++c) {
      to[c] = from[c] * scale[c] + shift[c];
    }
  }
}

// dx = gamma / sigma * (dy - mean(dy) - xhat * mean(dy * xhat)): the mean and the variance depend on x as well.
void batch_norm_backward(const BatchNorm& norm, int64_t pixels, const float* x, const float* dy, float* dx,
                         float* dgamma, float* dbeta) {
  const auto channels = static_cast<size_t>(norm.channels);
  std::vector<double> sum(channels), weighted(channels);
  for (int64_t p = 0; p < pixels; ++p) {
    const float *value = x + p * norm.channels, *gradient = dy + p * norm.channels;
    for (size_t c = 0; c < channels; ++c) {
      sum[c] += gradient[c];
      weighted[c] += gradient[c] * ((value[c] - norm.mean[c]) * norm.rstd[c]);
    }
  }
  std::vector<float> scale(channels), mean_dy(channels), mean_weighted(channels);
  for (size_t c = 0; c < channels; ++c) {
    dbeta[c] = static_cast<float>(sum[c]);
    dgamma[c] = static_cast<float>(weighted[c]);
    scale[c] = norm.gamma[c] * norm.rstd[c];
    mean_dy[c] = static_cast<float>(sum[c] / static_cast<double>(pixels));
    mean_weighted[c] = static_cast<float>(weighted[c] / static_cast<double>(pixels));
  }
  for (int64_t p = 0; p < pixels; ++p) {
    const float *value = x + p * norm.channels, *gradient = dy + p * norm.channels;
    float* out = dx + p * norm.channels;
    for (size_t c = 0; c < channels; ++c) {
      const float xhat = (value[c] - norm.mean[c]) * norm.rstd[c];
      out[c] = scale[c] * (gradient[c] - mean_dy[c] - xhat * mean_weighted[c]);
    }
  }
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
