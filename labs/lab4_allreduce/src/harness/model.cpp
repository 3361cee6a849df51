#include "model.h"

#include <algorithm>
#include <cmath>

#include "data.h"

namespace hpml {

namespace {

constexpr std::uint64_t kRuleSeed = 4;  // of the rule that all labels follow
constexpr double kNoise = 0.5;          // standard deviation of a score's noise, in those of the score

// Uniform numbers in [0, 1), one after the other.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : seed_(harness::mixed_bits(seed)) {}
  double next() { return static_cast<double>(harness::mixed_bits(seed_ + count_++) >> 11) * 0x1p-53; }
  // Sum of four uniform numbers, mean 0 and variance 1: near enough to a normal distribution, and the same everywhere,
  // which std::normal_distribution is not.
  double bell() { return (next() + next() + next() + next() - 2) * std::sqrt(3.0); }

 private:
  std::uint64_t seed_, count_ = 0;
};

// e^x from additions and multiplications alone: library functions differ between machines in the last bit.
double exponential(double x) {
  constexpr double kLog2 = 0.69314718055994530942;
  const double power = std::floor(x / kLog2 + 0.5);
  const double rest = x - power * kLog2;
  double sum = 1;
  for (int k = 14; k > 0; --k) {
    sum = 1 + rest / k * sum;
  }
  return std::ldexp(sum, static_cast<int>(std::max(power, -1000.0)));
}

using Scores = std::array<double, kClasses>;

Scores scores_of(std::span<const float> weights, const float* features) {
  Scores scores{};
  for (std::size_t k = 0; k < kClasses; ++k) {
    for (std::size_t j = 0; j < kFeatures; ++j) {
      scores[k] += static_cast<double>(weights[k * kFeatures + j]) * features[j];
    }
  }
  return scores;
}

// Softmax in place.
void normalise(Scores& scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) {
    score = exponential(score - largest);
    sum += score;
  }
  for (double& score : scores) {
    score /= sum;
  }
}

}  // namespace

Shard make_shard(std::uint64_t seed, std::size_t count) {
  Uniform rule(kRuleSeed);
  std::vector<float> truth(kWeightCount);
  for (float& weight : truth) {
    weight = static_cast<float>(rule.bell());
  }
  Uniform random(seed + 1000);
  Shard shard;
  shard.features.resize(count * kFeatures);
  shard.labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    float* features = &shard.features[i * kFeatures];
    for (std::size_t j = 0; j < kFeatures; ++j) {
      features[j] = static_cast<float>(random.bell());
    }
    Scores scores = scores_of(truth, features);
    for (double& score : scores) {
      score += kNoise * std::sqrt(static_cast<double>(kFeatures)) * random.bell();
    }
    shard.labels[i] = static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
  return shard;
}

void Model::batch_gradient(const Shard& shard, std::size_t first, std::size_t count, std::span<float> gradient) const {
  std::array<double, kWeightCount> sum{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sample = (first + i) % shard.size();
    const float* features = &shard.features[sample * kFeatures];
    Scores scores = scores_of(weights_, features);
    normalise(scores);
    scores[static_cast<std::size_t>(shard.labels[sample])] -= 1;
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (std::size_t j = 0; j < kFeatures; ++j) {
        sum[k * kFeatures + j] += scores[k] * features[j];
      }
    }
  }
  for (std::size_t i = 0; i < kWeightCount; ++i) {
    gradient[i] = static_cast<float>(sum[i] / static_cast<double>(count));
  }
}

}  // namespace hpml
