#include "common/nn/baseline/batch_norm.hpp"

#include <algorithm>
#include <cmath>

#include "common/nn/thread_pool.hpp"

namespace hpml::nn::baseline {

namespace {

constexpr int64_t kChunkFloats = 4096;  // a piece of x that stays in the first cache while it is read twice

// Two rows of per-channel sums for each slice of the pixels.
class SliceSums {
 public:
  explicit SliceSums(int channels) : channels_(channels), sums_(Shape{kSlices, 2, 1, channels}) {}
  float* first(int slice) const { return sums_.data() + int64_t{slice} * 2 * channels_; }
  float* second(int slice) const { return first(slice) + channels_; }

 private:
  int channels_;
  Tensor sums_;
};

class ChannelBatchNorm : public BatchNorm {
 public:
  ChannelBatchNorm(Shape largest, ThreadPool& pool)
      : channels_(largest.c),
        sums_(largest.c),
        chunk_(Shape{kSlices, 2, 1, largest.c}),
        mean_(Shape{1, 1, 1, largest.c}),
        rstd_(Shape{1, 1, 1, largest.c}),
        scale_(Shape{1, 1, 1, largest.c}),
        shift_(Shape{1, 1, 1, largest.c}),
        pool_(pool) {}

  void forward(View<const float> x, const BatchNormParams& params, bool training, View<float> y) override {
    if (training) {
      pool_.run(kSlices, [&](int slice) { slice_statistics(x, slice); });
      merge_statistics(x, params);
    } else {
      for (int64_t c = 0; c < channels_; ++c) {
        const auto i = static_cast<size_t>(c);
        mean_.data()[c] = params.running_mean[i];
        rstd_.data()[c] = 1.0F / std::sqrt(params.running_var[i] + params.eps);
      }
    }
    for (int64_t c = 0; c < channels_; ++c) {
      scale_.data()[c] = params.gamma[static_cast<size_t>(c)] * rstd_.data()[c];
      shift_.data()[c] = params.beta[static_cast<size_t>(c)] - mean_.data()[c] * scale_.data()[c];
    }
    pool_.run(kSlices, [&](int slice) { apply(x, y, slice); });
  }

  void backward(View<const float> x, View<const float> dy, const BatchNormParams& params, View<float> dx,
                std::span<float> dgamma, std::span<float> dbeta) override {
    pool_.run(kSlices, [&](int slice) { slice_gradients(x, dy, slice); });
    std::copy_n(sums_.first(0), channels_, dbeta.data());
    std::copy_n(sums_.second(0), channels_, dgamma.data());
    for (int slice = 1; slice < kSlices; ++slice) {
      for (size_t c = 0; c < static_cast<size_t>(channels_); ++c) {
        dbeta[c] += sums_.first(slice)[c];
        dgamma[c] += sums_.second(slice)[c];
      }
    }
    if (!dx.empty()) {
      pool_.run(kSlices, [&](int slice) { slice_dx(x, dy, params, dx, dgamma, dbeta, slice); });
    }
  }

 private:
  Range pixels_of(View<const float> x, int slice) const { return part(x.size() / channels_, slice, kSlices); }

  // Mean and sum of squared deviations of a slice's pixels: chunk by chunk in two passes, merged by Chan, Golub,
  // LeVeque 1979, so nothing cancels.
  void slice_statistics(View<const float> x, int slice) {
    float *mean = sums_.first(slice), *m2 = sums_.second(slice);
    std::fill_n(mean, 2 * channels_, 0.0F);
    const Range pixels = pixels_of(x, slice);
    const int64_t step = std::max<int64_t>(1, kChunkFloats / channels_);
    for (int64_t p = pixels.begin; p < pixels.end; p += step) {
      const int64_t count = std::min(step, pixels.end - p);
      merge_chunk(x.data + p * channels_, count, p - pixels.begin, slice, mean, m2);
    }
  }

  void merge_chunk(const float* x, int64_t count, int64_t before, int slice, float* mean, float* m2) {
    float* own_mean = chunk_.data() + int64_t{slice} * 2 * channels_;
    float* own_m2 = own_mean + channels_;
    std::fill_n(own_mean, 2 * channels_, 0.0F);
    for (int64_t p = 0; p < count; ++p) {
      add_row(x + p * channels_, own_mean);
    }
    for (int64_t c = 0; c < channels_; ++c) {
      own_mean[c] /= static_cast<float>(count);
    }
    for (int64_t p = 0; p < count; ++p) {
      add_squares(x + p * channels_, own_mean, own_m2);
    }
    merge(mean, m2, static_cast<float>(before), own_mean, own_m2, static_cast<float>(count));
  }

  void add_row(const float* __restrict x, float* __restrict sum) const {
    for (int64_t c = 0; c < channels_; ++c) {
      sum[c] += x[c];
    }
  }
  void add_squares(const float* __restrict x, const float* __restrict mean, float* __restrict m2) const {
    for (int64_t c = 0; c < channels_; ++c) {
      const float deviation = x[c] - mean[c];
      m2[c] += deviation * deviation;
    }
  }

  // Statistics of `before` and `count` values become those of both.
  void merge(float* __restrict mean, float* __restrict m2, float before, const float* __restrict other_mean,
             const float* __restrict other_m2, float count) const {
    const float share = count / (before + count), between = before * share;
    for (int64_t c = 0; c < channels_; ++c) {
      const float delta = other_mean[c] - mean[c];
      mean[c] += delta * share;
      m2[c] += other_m2[c] + delta * delta * between;
    }
  }

  void merge_statistics(View<const float> x, const BatchNormParams& params) {
    const int64_t pixels = x.size() / channels_;
    float *mean = sums_.first(0), *m2 = sums_.second(0);
    int64_t before = pixels_of(x, 0).size();
    for (int slice = 1; slice < kSlices; ++slice) {
      if (const int64_t count = pixels_of(x, slice).size(); count > 0) {
        merge(mean, m2, static_cast<float>(before), sums_.first(slice), sums_.second(slice), static_cast<float>(count));
        before += count;
      }
    }
    const auto n = static_cast<float>(pixels);
    for (int64_t c = 0; c < channels_; ++c) {
      const auto i = static_cast<size_t>(c);
      mean_.data()[c] = mean[c];
      rstd_.data()[c] = 1.0F / std::sqrt(m2[c] / n + params.eps);
      const float unbiased = pixels > 1 ? m2[c] / (n - 1) : 0;
      params.running_mean[i] = (1 - params.momentum) * params.running_mean[i] + params.momentum * mean[c];
      params.running_var[i] = (1 - params.momentum) * params.running_var[i] + params.momentum * unbiased;
    }
  }

  void apply(View<const float> x, View<float> y, int slice) const {
    const Range pixels = pixels_of(x, slice);
    const float* __restrict scale = scale_.data(), * __restrict shift = shift_.data();
    for (int64_t p = pixels.begin; p < pixels.end; ++p) {
      const float* __restrict from = x.data + p * channels_;
      float* __restrict to = y.data + p * channels_;
      for (int64_t c = 0; c < channels_; ++c) {
        to[c] = from[c] * scale[c] + shift[c];
      }
    }
  }

  // Sums over a slice of dy and of dy * xhat.
  void slice_gradients(View<const float> x, View<const float> dy, int slice) {
    float* __restrict sum = sums_.first(slice), * __restrict weighted = sums_.second(slice);
    const float* __restrict mean = mean_.data(), * __restrict rstd = rstd_.data();
    std::fill_n(sum, 2 * channels_, 0.0F);
    const Range pixels = pixels_of(x, slice);
    for (int64_t p = pixels.begin; p < pixels.end; ++p) {
      const float* __restrict value = x.data + p * channels_, * __restrict gradient = dy.data + p * channels_;
      for (int64_t c = 0; c < channels_; ++c) {
        sum[c] += gradient[c];
        weighted[c] += gradient[c] * ((value[c] - mean[c]) * rstd[c]);
      }
    }
  }

  // dx = gamma / sigma (dy - sum dy / M - xhat sum(dy xhat) / M) = dy * scale + x * by_x + constant.
  void slice_dx(View<const float> x, View<const float> dy, const BatchNormParams& params, View<float> dx,
                std::span<const float> dgamma, std::span<const float> dbeta, int slice) const {
    float* by_x = chunk_.data() + int64_t{slice} * 2 * channels_;
    float* constant = by_x + channels_;
    const auto pixels = static_cast<float>(x.size() / channels_);
    for (int64_t c = 0; c < channels_; ++c) {
      const auto i = static_cast<size_t>(c);
      const float scale = params.gamma[i] * rstd_.data()[c];
      by_x[c] = -scale * rstd_.data()[c] * dgamma[i] / pixels;
      constant[c] = -scale * dbeta[i] / pixels - mean_.data()[c] * by_x[c];
    }
    const Range range = pixels_of(x, slice);
    for (int64_t p = range.begin; p < range.end; ++p) {
      if (dx.data != dy.data) {
        std::copy_n(dy.data + p * channels_, channels_, dx.data + p * channels_);
      }
      dx_row(x.data + p * channels_, by_x, constant, dx.data + p * channels_);
    }
  }

  // dx holds dy and becomes the gradient.
  void dx_row(const float* __restrict x, const float* __restrict by_x, const float* __restrict constant,
              float* __restrict dx) const {
    const float* __restrict scale = scale_.data();
    for (int64_t c = 0; c < channels_; ++c) {
      dx[c] = dx[c] * scale[c] + x[c] * by_x[c] + constant[c];
    }
  }

  int64_t channels_;
  SliceSums sums_;
  Tensor chunk_;          // two rows per slice, for the slice's own use
  Tensor mean_, rstd_;    // of the last batch
  Tensor scale_, shift_;  // y = x * scale + shift
  ThreadPool& pool_;
};

}  // namespace

std::unique_ptr<BatchNorm> make_batch_norm(Shape largest, ThreadPool& pool) {
  return std::make_unique<ChannelBatchNorm>(largest, pool);
}

}  // namespace hpml::nn::baseline
