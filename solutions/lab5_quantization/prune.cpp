// P1: masks that say which weights stay.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
namespace {

// How many of n to prune.
std::size_t count_of(double fraction, std::size_t n) {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw std::invalid_argument("a fraction lies between 0 and 1");
  }
  return static_cast<std::size_t>(std::floor(fraction * static_cast<double>(n)));
}

// Places of the `count` smallest values, ties by place.
template <class T>
std::vector<std::size_t> smallest(const std::vector<T>& values, std::size_t count) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  order.resize(count);
  return order;
}

int64_t pruned(const Sensitivity& layer, std::span<const double> fractions, std::size_t level) {
  return static_cast<int64_t>(count_of(fractions[level], static_cast<std::size_t>(layer.weights)));
}

}  // namespace

Mask magnitude_mask(std::span<const float> w, double fraction) { return global_mask({w}, fraction)[0]; }

std::vector<Mask> global_mask(const Layers& layers, double fraction) {
  std::vector<float> magnitudes;
  for (const std::span<const float> w : layers) {
    for (const float value : w) {
      magnitudes.push_back(std::fabs(value));
    }
  }
  Mask all(magnitudes.size(), 1);
  for (const std::size_t i : smallest(magnitudes, count_of(fraction, all.size()))) {
    all[i] = 0;
  }
  std::vector<Mask> masks;
  auto from = all.begin();
  for (const std::span<const float> w : layers) {
    const auto to = from + static_cast<std::ptrdiff_t>(w.size());
    masks.emplace_back(from, to);
    from = to;
  }
  return masks;
}

Mask two_of_four_mask(std::span<const float> w, int ci, int co) {
  if (ci % 4 != 0) {
    throw std::invalid_argument("2:4 needs a multiple of four input channels, not " + std::to_string(ci));
  }
  Mask keep(w.size(), 1);
  const auto step = static_cast<std::size_t>(co);  // from an input channel to the next
  for (std::size_t row = 0; row < w.size(); row += 4 * step) {
    for (std::size_t column = 0; column < step; ++column) {
      std::vector<float> four;
      for (std::size_t i = 0; i < 4; ++i) {
        four.push_back(-std::fabs(w[row + i * step + column]));
      }
      const std::vector<std::size_t> order = smallest(four, 4);
      keep[row + order[2] * step + column] = keep[row + order[3] * step + column] = 0;
    }
  }
  return keep;
}

void apply_mask(std::span<float> w, std::span<const uint8_t> keep) {
  for (std::size_t i = 0; i < w.size(); ++i) {
    w[i] = keep[i] != 0 ? w[i] : 0.0F;
  }
}

void channel_masks(const BlockShape& shape, std::span<const float> conv1, double fraction, const BlockMasks& masks) {
  const auto mid = static_cast<std::size_t>(shape.mid), co = static_cast<std::size_t>(shape.co);
  std::vector<double> norms(mid);
  for (std::size_t i = 0; i < conv1.size(); ++i) {
    norms[i % mid] += std::fabs(double{conv1[i]});
  }
  std::ranges::fill(masks.norm, uint8_t{1});
  for (const std::size_t channel : smallest(norms, count_of(fraction, mid))) {
    masks.norm[channel] = 0;
  }
  for (std::size_t i = 0; i < masks.conv1.size(); ++i) {
    masks.conv1[i] = masks.norm[i % mid];
  }
  for (std::size_t i = 0; i < masks.conv2.size(); ++i) {
    masks.conv2[i] = masks.norm[i / co % mid];
  }
}

int64_t two_of_four_bits(int64_t weights, int bits) { return weights / 4 * (2 * bits + 2 * 2); }

std::vector<int> allocate(std::span<const Sensitivity> layers, std::span<const double> fractions, int64_t budget) {
  std::vector<int> levels(layers.size());
  int64_t done = 0;
  while (done < budget) {
    std::size_t best = layers.size();
    double least = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const auto level = static_cast<std::size_t>(levels[i]);
      if (level + 1 == fractions.size()) {
        continue;
      }
      const int64_t more = pruned(layers[i], fractions, level + 1) - pruned(layers[i], fractions, level);
      const double cost = (layers[i].accuracy[level] - layers[i].accuracy[level + 1]) / static_cast<double>(more);
      if (best == layers.size() || cost < least) {
        best = i;
        least = cost;
      }
    }
    if (best == layers.size()) {
      throw std::invalid_argument("all layers at their last level prune " + std::to_string(done) + " weights, not " +
                                  std::to_string(budget));
    }
    const auto level = static_cast<std::size_t>(levels[best]++);
    done += pruned(layers[best], fractions, level + 1) - pruned(layers[best], fractions, level);
  }
  return levels;
}
// END STUDENT

}  // namespace lab5
// HPML-CANARY-5e0c71f3b8a94d26
