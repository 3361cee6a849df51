// M3: masked loss, teacher forcing, clipping.
#include <algorithm>
#include <cmath>

#include "fast_math.hpp"
#include "lab6.hpp"

namespace lab6 {

namespace {

constexpr int kLanes = 16;

float largest(const float* values, int n) {
  float lanes[kLanes];
  std::fill_n(lanes, kLanes, values[0]);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = std::max(lanes[lane], values[i + lane]);
    }
  }
  for (; i < n; ++i) {
    lanes[0] = std::max(lanes[0], values[i]);
  }
  return *std::max_element(lanes, lanes + kLanes);
}

// Sum of exp(values - shift); the terms are kept in `terms` unless it is null.
float exp_sum(const float* values, int n, float shift, float* terms) {
  float lanes[kLanes] = {};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const float term = fast_exp(values[i + lane] - shift);
      lanes[lane] += term;
      if (terms != nullptr) {
        terms[i + lane] = term;
      }
    }
  }
  for (; i < n; ++i) {
    const float term = fast_exp(values[i] - shift);
    lanes[0] += term;
    if (terms != nullptr) {
      terms[i] = term;
    }
  }
  float sum = 0;
  for (const float lane : lanes) {
    sum += lane;
  }
  return sum;
}

}  // namespace

Loss masked_loss(int rows, int vocabulary, const float* logits, const int32_t* targets, const float* mask,
                 float* row_losses, float* d_logits, Compute& compute) {
  Loss loss;
  for (int row = 0; row < rows; ++row) {
    loss.tokens += mask[row] != 0;
  }
  const float scale = loss.tokens == 0 ? 0.0F : 1.0F / static_cast<float>(loss.tokens);
  compute.parallel(rows, [&](int row) {
    const float* own = logits + int64_t{row} * vocabulary;
    float* d_own = d_logits == nullptr ? nullptr : d_logits + int64_t{row} * vocabulary;
    if (mask[row] == 0) {
      row_losses[row] = 0;
      if (d_own != nullptr) {
        std::fill_n(d_own, vocabulary, 0.0F);
      }
      return;
    }
    const float shift = largest(own, vocabulary), right = own[targets[row]];
    const float sum = exp_sum(own, vocabulary, shift, d_own);
    row_losses[row] = std::log(sum) + shift - right;
    if (d_own != nullptr) {
      for (int i = 0; i < vocabulary; ++i) {
        d_own[i] *= scale / sum;
      }
      d_own[targets[row]] -= scale;
    }
  });
  for (int row = 0; row < rows; ++row) {  // in this order: padding adds nothing, not even a rounding
    loss.sum += mask[row] == 0 ? 0.0 : static_cast<double>(row_losses[row]);
  }
  return loss;
}

bool use_teacher(double ratio, uint64_t seed, int64_t step) {
  return uniform(seed, "teacher", static_cast<uint64_t>(step)) < ratio;
}

double clip_gradients(std::span<const std::span<float>> gradients, std::optional<double> limit) {
  double squares = 0;
  for (const std::span<float> gradient : gradients) {
    double lanes[kLanes] = {};
    size_t i = 0;
    for (; i + kLanes <= gradient.size(); i += kLanes) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] += static_cast<double>(gradient[i + lane]) * static_cast<double>(gradient[i + lane]);
      }
    }
    for (; i < gradient.size(); ++i) {
      lanes[0] += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
    }
    for (const double lane : lanes) {
      squares += lane;
    }
  }
  const double norm = std::sqrt(squares);
  const double factor = limit ? std::min(1.0, *limit / (norm + 1e-6)) : 1.0;
  if (factor != 1.0) {
    for (const std::span<float> gradient : gradients) {
      for (float& value : gradient) {
        value *= static_cast<float>(factor);
      }
    }
  }
  return norm;
}

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
