#pragma once
// Generators of which many copies, far apart in one sequence, take turns: number n comes from copy n mod their number.
#include <cstddef>
#include <vector>

#include "simulator/curand/distribution.hpp"
#include "simulator/curand/sequence.hpp"

namespace hpml::sim::curand {

// Lane: bits(), uniform(), fine() (in double), normal(), fine_normal(); each takes as many steps of its own as it
// needs. Lanes: a function (seed, steps, more) that makes all of them, `steps` on, the first `more` one step further.
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
    pairs(out, [](Lane& lane) { return lane.normal(); });
  }
  void normal(std::span<double> out) override {
    pairs(out, [](Lane& lane) { return lane.fine_normal(); });
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
