// M2: attention of the decoder's outputs over the encoder's.
//
// A sequence's queries and keys are small (about ten of each), so every task takes whole sequences, and works through
// them with dot products and scaled additions of rows.
#include <algorithm>

#include "fast_math.hpp"
#include "lab6.hpp"

namespace lab6 {

namespace {

constexpr int kLanes = 16;  // partial sums of a dot product: as many as a vector holds

float dot(const float* __restrict a, const float* __restrict b, int n) {
  float sums[kLanes] = {};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      sums[lane] += a[i + lane] * b[i + lane];
    }
  }
  for (; i < n; ++i) {
    sums[0] += a[i] * b[i];
  }
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) {
      sums[lane] += sums[lane + half];
    }
  }
  return sums[0];
}

void add_scaled(float factor, const float* __restrict x, int n, float* __restrict sums) {
  for (int i = 0; i < n; ++i) {
    sums[i] += factor * x[i];
  }
}

// Scores become weights; those of padding are 0, as exp(-infinity) is.
void softmax(float* weights, int keys, int length) {
  const float largest = *std::max_element(weights, weights + length);
  float sum = 0;
  for (int k = 0; k < length; ++k) {
    weights[k] = fast_exp(weights[k] - largest);
    sum += weights[k];
  }
  for (int k = 0; k < length; ++k) {
    weights[k] /= sum;
  }
  std::fill(weights + length, weights + keys, 0.0F);
}

}  // namespace

void attention_forward(const AttentionShape& shape, const float* query, const float* keys, const int32_t* lengths,
                       const float* w, float* projected, float* weights, float* context, Compute& compute) {
  const auto [queries, key_count, batch, hidden] = shape;
  if (w != nullptr) {
    compute.multiply({.rows = int64_t{queries} * batch, .columns = hidden, .depth = hidden}, query, w, projected);
    query = projected;
  }
  compute.parallel(batch, [&](int b) {
    for (int q = 0; q < queries; ++q) {
      const int64_t row = int64_t{q} * batch + b;
      float* own = weights + row * key_count;
      for (int k = 0; k < lengths[b]; ++k) {
        own[k] = dot(query + row * hidden, keys + (int64_t{k} * batch + b) * hidden, hidden);
      }
      softmax(own, key_count, lengths[b]);
      float* sums = context + row * hidden;
      std::fill_n(sums, hidden, 0.0F);
      for (int k = 0; k < lengths[b]; ++k) {
        add_scaled(own[k], keys + (int64_t{k} * batch + b) * hidden, hidden, sums);
      }
    }
  });
}

void attention_backward(const AttentionShape& shape, const float* query, const float* keys, const int32_t* lengths,
                        const float* w, float* projected, const float* weights, const float* d_context, float* d_query,
                        float* d_keys, float* d_w, Compute& compute) {
  const auto [queries, key_count, batch, hidden] = shape;
  const float* asked = w == nullptr ? query : projected;
  compute.parallel(batch, [&](int b) {
    for (int q = 0; q < queries; ++q) {
      const int64_t row = int64_t{q} * batch + b;
      const float* own = weights + row * key_count;
      const float* d_sums = d_context + row * hidden;
      // The softmax's gradient: d_score_k = a_k (d_a_k - sum over j of a_j d_a_j), and that sum is d_context . context.
      float mean = 0;
      for (int k = 0; k < lengths[b]; ++k) {
        mean += own[k] * dot(d_sums, keys + (int64_t{k} * batch + b) * hidden, hidden);
      }
      float* d_own = d_query + row * hidden;
      std::fill_n(d_own, hidden, 0.0F);
      for (int k = 0; k < lengths[b]; ++k) {
        const int64_t key = (int64_t{k} * batch + b) * hidden;
        const float d_score = own[k] * (dot(d_sums, keys + key, hidden) - mean);
        add_scaled(d_score, keys + key, hidden, d_own);
        add_scaled(own[k], d_sums, hidden, d_keys + key);
        add_scaled(d_score, asked + row * hidden, hidden, d_keys + key);
      }
    }
  });
  if (w != nullptr) {
    const int64_t rows = int64_t{queries} * batch;
    compute.multiply({.rows = hidden, .columns = hidden, .depth = rows, .transpose_a = true, .accumulate = true}, query,
                     d_query, d_w);
    compute.multiply({.rows = rows, .columns = hidden, .depth = hidden, .transpose_b = true}, d_query, w, projected);
    std::copy_n(projected, rows * hidden, d_query);
  }
}

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
