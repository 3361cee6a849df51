// The Mersenne Twister in its authors' order (Matsumoto and Nishimura, ACM TOMACS 8, 1998). NVIDIA's library
// interleaves 8192 places of the sequence, so its numbers differ from the second one on.
#include <random>

#include "simulator/curand/lanes.hpp"

namespace hpml::sim::curand {
namespace {

class Mersenne {
 public:
  static constexpr size_t kLanes = 1;
  static std::vector<Mersenne> lanes(uint64_t seed, uint64_t steps, uint64_t) {
    Mersenne lane;
    lane.engine_.seed(static_cast<uint32_t>(seed ^ seed >> 32U));
    lane.engine_.discard(steps);
    return {lane};
  }
  uint32_t bits() { return static_cast<uint32_t>(engine_()); }
  float uniform() { return to_float(bits()); }
  double fine() {
    const uint32_t low = bits();
    return to_double(low, bits());
  }

 private:
  std::mt19937 engine_;
};

}  // namespace

std::unique_ptr<Sequence> mersenne_twister() { return std::make_unique<LaneSequence<Mersenne>>(); }

}  // namespace hpml::sim::curand
