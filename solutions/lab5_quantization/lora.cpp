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

std::vector<float> outer(std::span<const double> rows, std::span<const double> columns, double scale) {
  std::vector<float> product;
  for (const double row : rows) {
    for (const double column : columns) {
      product.push_back(static_cast<float>(scale * row * column));
    }
  }
  return product;
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

Lora make_lora(int in, int out, int rank, double alpha, std::span<const float> w, uint64_t seed) {
  if (rank < 1 || w.size() != size(in) * size(out)) {
    throw std::invalid_argument("a rank of at least 1 and a matrix of out x in are needed");
  }
  Lora layer{in, out, rank, alpha, {w.begin(), w.end()}, {}, std::vector<float>(size(out) * size(rank))};
  for (std::size_t i = 0; i < size(rank) * size(in); ++i) {
    layer.a.push_back(static_cast<float>(number(seed, i) / std::sqrt(in)));
  }
  return layer;
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

LoraGradient lora_backward(const Lora& layer, std::span<const float> x, std::span<const float> dy) {
  const std::vector<double> input = wide(x), output = wide(dy);
  return {outer(times(output, layer.b), input, scale_of(layer)), outer(output, times(layer.a, input), scale_of(layer))};
}

void lora_step(Lora& layer, const LoraGradient& gradient, double lr) {
  const auto descend = [lr](std::vector<float>& values, const std::vector<float>& by) {
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

Nf4 nf4_quantize(std::span<const float> w) {
  Nf4 q{.n = static_cast<int64_t>(w.size()), .codes = std::vector<uint8_t>((w.size() + 1) / 2), .scales = {}, .steps = {}, .units = {}};
  for (std::size_t first = 0; first < w.size(); first += kNf4Block) {
    const std::span<const float> block = w.subspan(first, std::min<std::size_t>(kNf4Block, w.size() - first));
    const float scale = largest(block);
    q.scales.push_back(scale);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const uint8_t code = nearest(scale > 0 ? block[i] / scale : 0.0F);
      q.codes[(first + i) / 2] |= static_cast<uint8_t>(code << (i % 2 * 4));
    }
  }
  return q;
}

void nf4_quantize_scales(Nf4& q) {
  const std::span<const float> scales = q.scales;
  for (std::size_t first = 0; first < scales.size(); first += kScaleBlock) {
    const std::span<const float> block = scales.subspan(first, std::min<std::size_t>(kScaleBlock, scales.size() - first));
    const float unit = largest(block) / 255;
    q.units.push_back(unit);
    for (const float scale : block) {
      q.steps.push_back(unit > 0 ? static_cast<uint8_t>(std::nearbyintf(scale / unit)) : 0);
    }
  }
  q.scales.clear();
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
