// P3: low-rank adapters (LoRA), and the 4-bit type of QLoRA.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
namespace {

std::size_t size(int n) { return static_cast<std::size_t>(n); }

// matrix (rows x x.size()) times x
std::vector<double> times(std::span<const float> matrix, std::span<const double> x) {
  std::vector<double> y(matrix.size() / x.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    y[i / x.size()] += double{matrix[i]} * x[i % x.size()];
  }
  return y;
}

// x times matrix (x.size() x columns)
std::vector<double> times(std::span<const double> x, std::span<const float> matrix) {
  const std::size_t columns = matrix.size() / x.size();
  std::vector<double> y(columns);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    y[i % columns] += x[i / columns] * double{matrix[i]};
  }
  return y;
}

void outer(std::span<const double> rows, std::span<const double> columns, double scale, std::span<float> product) {
  for (std::size_t i = 0; i < product.size(); ++i) {
    product[i] = static_cast<float>(scale * rows[i / columns.size()] * columns[i % columns.size()]);
  }
}

std::vector<double> wide(std::span<const float> x) { return {x.begin(), x.end()}; }
double scale_of(const Lora& layer) { return layer.alpha / layer.rank; }

// A number in [-1, 1): the top bits of a multiplicative hash (Knuth).
double number(uint64_t seed, uint64_t i) {
  const uint64_t mixed = (seed * 2654435761U + i + 1) * 0x9E3779B97F4A7C15U;
  return static_cast<double>((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9U >> 11) / (uint64_t{1} << 52) - 1;
}

constexpr std::array<float, 16> kLevels = {-1.0F,       -0.6961928F, -0.5250731F, -0.3949175F, -0.2844414F, -0.1847734F,
                                           -0.0910500F, 0.0F,        0.0795803F,  0.1609302F,  0.2461123F,  0.3379152F,
                                           0.4407098F,  0.5626170F,  0.7229568F,  1.0F};

uint8_t nearest(float x) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < kLevels.size(); ++i) {
    best = std::fabs(x - kLevels[i]) < std::fabs(x - kLevels[best]) ? i : best;
  }
  return static_cast<uint8_t>(best);
}

float largest(std::span<const float> x) {
  float most = 0;
  for (const float value : x) {
    most = std::max(most, std::fabs(value));
  }
  return most;
}

}  // namespace

void lora_start(const Lora& layer, uint64_t seed) {
  for (std::size_t i = 0; i < layer.a.size(); ++i) {
    layer.a[i] = static_cast<float>(number(seed, i) / std::sqrt(layer.in));
  }
  std::ranges::fill(layer.b, 0.0F);
}

std::vector<float> lora_forward(const Lora& layer, std::span<const float> x) {
  const std::vector<double> input = wide(x), y = times(layer.w, input), thin = times(layer.a, input);
  const std::vector<double> added = times(layer.b, thin);
  std::vector<float> result;
  for (std::size_t i = 0; i < y.size(); ++i) {
    result.push_back(static_cast<float>(y[i] + scale_of(layer) * added[i]));
  }
  return result;
}

void lora_backward(const Lora& layer, std::span<const float> x, std::span<const float> dy, const LoraGradient& gradient) {
  const std::vector<double> input = wide(x), output = wide(dy);
  outer(times(output, layer.b), input, scale_of(layer), gradient.a);
  outer(output, times(layer.a, input), scale_of(layer), gradient.b);
}

void lora_step(const Lora& layer, const LoraGradient& gradient, double lr) {
  const auto descend = [lr](std::span<float> values, std::span<const float> by) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] -= static_cast<float>(lr * by[i]);
    }
  };
  descend(layer.a, gradient.a);
  descend(layer.b, gradient.b);
}

std::vector<float> lora_merge(const Lora& layer) {
  std::vector<float> merged;
  for (std::size_t row = 0; row < size(layer.out); ++row) {
    const std::span<const float> thin(layer.b.data() + row * size(layer.rank), size(layer.rank));
    const std::vector<double> added = times(wide(thin), layer.a);
    for (std::size_t i = 0; i < added.size(); ++i) {
      merged.push_back(static_cast<float>(layer.w[row * size(layer.in) + i] + scale_of(layer) * added[i]));
    }
  }
  return merged;
}

int64_t lora_trainable(const Lora& layer) { return int64_t{layer.rank} * (layer.in + layer.out); }

void nf4_quantize(std::span<const float> w, const Nf4& q) {
  std::ranges::fill(q.codes, uint8_t{0});
  for (std::size_t first = 0; first < w.size(); first += kNf4Block) {
    const std::span<const float> block = w.subspan(first, std::min<std::size_t>(kNf4Block, w.size() - first));
    const float scale = largest(block);
    q.scales[first / kNf4Block] = scale;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const uint8_t code = nearest(scale > 0 ? block[i] / scale : 0.0F);
      q.codes[(first + i) / 2] |= static_cast<uint8_t>(code << (i % 2 * 4));
    }
  }
}

void nf4_quantize_scales(std::span<const float> scales, const Nf4& q) {
  for (std::size_t first = 0; first < scales.size(); first += kScaleBlock) {
    const std::span<const float> block = scales.subspan(first, std::min<std::size_t>(kScaleBlock, scales.size() - first));
    const float unit = largest(block) / 255;
    q.units[first / kScaleBlock] = unit;
    for (std::size_t i = 0; i < block.size(); ++i) {
      q.steps[first + i] = unit > 0 ? static_cast<uint8_t>(std::nearbyintf(block[i] / unit)) : 0;
    }
  }
}

std::vector<float> nf4_dequantize(const Nf4& q) {
  std::vector<float> w;
  for (std::size_t i = 0; i < static_cast<std::size_t>(q.n); ++i) {
    const std::size_t block = i / kNf4Block;
    const float scale =
        q.scales.empty() ? static_cast<float>(q.steps[block]) * q.units[block / kScaleBlock] : q.scales[block];
    w.push_back(kLevels[q.codes[i / 2] >> (i % 2 * 4) & 15] * scale);
  }
  return w;
}

double nf4_bits_per_weight(const Nf4& q) {
  const std::size_t bits = 32 * (q.scales.size() + q.units.size()) + 8 * q.steps.size();
  return 4 + static_cast<double>(bits) / static_cast<double>(q.n);
}
// END STUDENT

}  // namespace lab5
// HPML-CANARY-5e0c71f3b8a94d26
