#pragma once
// Generators that interleave many subsequences: of N lanes, far apart in one sequence, lane n mod N gives number n.
#include <cstddef>
#include <vector>

#include "simulator/curand/distribution.hpp"
#include "simulator/curand/sequence.hpp"

namespace hpml::sim::curand {

// Lane: bits(), uniform() and fine() (in double) each take as many steps as they need; kLanes is how many lanes there
// are, and lanes(seed, steps, more) makes them, `steps` on, the first `more` one step further.
template <class Lane>
class LaneSequence final : public Sequence {
 public:
  void begin(uint64_t seed, uint64_t offset) override {
    lanes_ = Lane::lanes(seed, offset / Lane::kLanes, offset % Lane::kLanes);
    next_ = offset % Lane::kLanes;
  }
  void bits(std::span<uint32_t> out) override {
    each(out, [](Lane& lane) { return lane.bits(); });
  }
  void uniform(std::span<float> out) override {
    each(out, [](Lane& lane) { return lane.uniform(); });
  }
  void uniform(std::span<double> out) override {
    each(out, [](Lane& lane) { return lane.fine(); });
  }
  void normal(std::span<float> out) override {
    pairs(out, [](Lane& lane) {
      const uint32_t x = lane.bits();
      return box_muller(x, lane.bits());
    });
  }
  void normal(std::span<double> out) override {
    pairs(out, [](Lane& lane) {
      const double u = lane.fine();
      return box_muller(u, lane.fine());
    });
  }

 private:
  Lane& turn() {
    Lane& lane = lanes_[next_];
    next_ = next_ + 1 < Lane::kLanes ? next_ + 1 : 0;
    return lane;
  }
  template <class T, class Draw>
  void each(std::span<T> out, Draw draw) {
    for (T& one : out) {
      one = draw(turn());
    }
  }
  template <class T, class Draw>
  void pairs(std::span<T> out, Draw draw) {
    for (size_t i = 0; i + 1 < out.size(); i += 2) {
      const Pair<T> two = draw(turn());
      out[i] = two.first;
      out[i + 1] = two.second;
    }
  }

  std::vector<Lane> lanes_;
  size_t next_ = 0;
};

}  // namespace hpml::sim::curand
