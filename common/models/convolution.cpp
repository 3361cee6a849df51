#include "common/models/convolution.hpp"

#include <algorithm>
#include <cmath>

namespace hpml::models {

int64_t window_positions(int64_t width, int64_t filter, int64_t stride, int64_t padding) {
  return (width + 2 * padding - filter) / stride + 1;
}

int64_t out_width(const Convolution& layer) {
  return window_positions(layer.width, layer.filter, layer.stride, layer.padding);
}

int64_t parameters(const Convolution& layer) {
  return (layer.filter * layer.filter * layer.in_channels + (layer.bias ? 1 : 0)) * layer.out_channels;
}

int64_t macs(const Convolution& layer) {
  const int64_t out = out_width(layer);
  return out * out * layer.out_channels * layer.filter * layer.filter * layer.in_channels;
}

int64_t fully_connected_parameters(int64_t inputs, int64_t outputs, bool bias) {
  return (inputs + (bias ? 1 : 0)) * outputs;
}

int64_t receptive_field(const std::vector<Window>& layers) {
  int64_t field = 1, step = 1;
  for (const Window& layer : layers) {
    field += (layer.filter - 1) * step;
    step *= layer.stride;
  }
  return field;
}

Unrolled im2col(int64_t width, int64_t filter) {
  const int64_t out = window_positions(width, filter, 1, 0);
  return {.rows = out * out, .sparse_columns = width * width, .dense_columns = filter * filter};
}

int64_t winograd_multiplications(int64_t outputs, int64_t taps) { return outputs + taps - 1; }

std::vector<double> pool(const std::vector<double>& image, int64_t window, Pool kind) {
  const auto width = static_cast<int64_t>(std::lround(std::sqrt(static_cast<double>(image.size()))));
  const int64_t out = window_positions(width, window, 1, 0);
  std::vector<double> result;
  for (int64_t at = 0; at < out * out; ++at) {
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t k = 0; k < window * window; ++k) {
      const double value = image[static_cast<size_t>((at / out + k / window) * width + at % out + k % window)];
      largest = std::max(largest, value);
      sum += value;
    }
    result.push_back(kind == Pool::max ? largest : sum / static_cast<double>(window * window));
  }
  return result;
}

}  // namespace hpml::models
