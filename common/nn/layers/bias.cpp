#include "common/nn/layers/bias.hpp"

#include <algorithm>

namespace hpml::nn {

void Bias::add(const float* bias, View<float> y) {
  const int64_t channels = y.shape.c, pixels = y.size() / channels;
  pool_.run(kSlices, [&](int slice) {
    const Range range = part(pixels, slice, kSlices);
    for (int64_t p = range.begin; p < range.end; ++p) {
      for (int64_t c = 0; c < channels; ++c) {
        y.data[p * channels + c] += bias[c];
      }
    }
  });
}

void Bias::gradient(View<const float> dy, float* gradient) {
  const int64_t channels = dy.shape.c, pixels = dy.size() / channels;
  pool_.run(kSlices, [&](int slice) {
    float* sum = partial_.data() + slice * channels;
    std::fill_n(sum, channels, 0.0F);
    const Range range = part(pixels, slice, kSlices);
    for (int64_t p = range.begin; p < range.end; ++p) {
      for (int64_t c = 0; c < channels; ++c) {
        sum[c] += dy.data[p * channels + c];
      }
    }
  });
  std::copy_n(partial_.data(), channels, gradient);
  for (int slice = 1; slice < kSlices; ++slice) {
    for (int64_t c = 0; c < channels; ++c) {
      gradient[c] += partial_.data()[slice * channels + c];
    }
  }
}

}  // namespace hpml::nn
