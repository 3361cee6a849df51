#pragma once
// How far the blocks of an SM get in the same time, by age: the issue policy may prefer the older ones.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace hpml::sim::timing {

class Pace {
 public:
  // `steps`: instructions per warp of a block that has `older` older ones beside it.
  void add(size_t older, double steps) {
    if (sums_.size() <= older) {
      sums_.resize(older + 1);
    }
    sums_[older].steps += steps;
    ++sums_[older].blocks;
  }
  // In any unit, above 0; who has more older blocks beside it than any that was measured goes like the last of these.
  double of(size_t older) const {
    constexpr double kLeast = 0.05;  // of the fastest: nobody is left behind for good
    double fastest = 0;
    for (const Sum& sum : sums_) {
      fastest = std::max(fastest, sum.mean());
    }
    const double own = sums_.empty() ? 0 : sums_[std::min(older, sums_.size() - 1)].mean();
    return fastest == 0 ? 1 : std::max(own / fastest, kLeast);
  }

 private:
  struct Sum {
    double steps = 0;
    int blocks = 0;
    double mean() const { return blocks == 0 ? 0 : steps / blocks; }
  };
  std::vector<Sum> sums_;
};

}  // namespace hpml::sim::timing
