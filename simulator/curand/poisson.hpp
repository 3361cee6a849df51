#pragma once
// Poisson numbers: the inverse of the distribution, of one uniform number each.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "simulator/curand/distribution.hpp"

namespace hpml::sim::curand {

class Poisson {
 public:
  explicit Poisson(double mean) : mean_(mean) {
    if (mean > kMostTabled) {
      return;
    }
    double chance = std::exp(-mean), below = chance;  // of 0
    for (uint32_t k = 1; below < 1 - 0x1p-52 && (chance > 0x1p-60 || k <= mean); ++k) {
      below_.push_back(below);
      chance *= mean / k;
      below += chance;
    }
  }
  // share: above 0, at most 1.
  uint32_t operator()(double share) const {
    if (mean_ > kMostTabled) {  // nearly normal
      const double number = mean_ + std::sqrt(mean_) * normal_quantile(std::min(share, 1 - 0x1p-53));
      return number > 0 ? static_cast<uint32_t>(std::floor(number + 0.5)) : 0;
    }
    return static_cast<uint32_t>(std::lower_bound(below_.begin(), below_.end(), share) - below_.begin());
  }

 private:
  static constexpr double kMostTabled = 700;  // exp(-mean) is no smaller normal number
  double mean_;
  std::vector<double> below_;  // the share of numbers that are at most k
};

}  // namespace hpml::sim::curand
