// Softmax regression on synthetic data: 64 features, 10 classes, 640 weights (2560 bytes). Losses are computed by the
// judges, from the weights that a run leaves (judges/lab4_softmax.py).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hpml {

inline constexpr std::size_t kFeatures = 64, kClasses = 10, kWeightCount = kFeatures * kClasses;

// Samples with labels.
struct Shard {
  std::vector<float> features;  // kFeatures per sample
  std::vector<int> labels;
  std::size_t size() const { return labels.size(); }
};

// `count` samples that depend on `seed` alone. All seeds share one rule for the labels.
Shard make_shard(std::uint64_t seed, std::size_t count);

class Model {
 public:
  std::span<float> weights() { return weights_; }
  std::span<const float> weights() const { return weights_; }

  // Mean gradient of the loss over samples first, first + 1, ... (count of them, modulo the shard's size) at these
  // weights. `gradient` has kWeightCount elements.
  void batch_gradient(const Shard& shard, std::size_t first, std::size_t count, std::span<float> gradient) const;

 private:
  std::array<float, kWeightCount> weights_{};
};

}  // namespace hpml
