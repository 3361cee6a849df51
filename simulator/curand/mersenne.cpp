// The Mersenne Twister in its authors' order (Matsumoto and Nishimura, ACM TOMACS 8, 1998). NVIDIA's library writes the
// numbers of 8192 places of the sequence in turns, so that after the first one they are others.
#include <random>

#include "simulator/curand/distribution.hpp"
#include "simulator/curand/sequence.hpp"

namespace hpml::sim::curand {
namespace {

class Mersenne final : public Sequence {
 public:
  void begin(uint64_t seed, uint64_t offset) override {
    engine_.seed(static_cast<uint32_t>(seed ^ seed >> 32U));
    engine_.discard(offset);
  }
  void bits(std::span<uint32_t> out) override {
    for (uint32_t& one : out) {
      one = next();
    }
  }
  void uniform(std::span<float> out) override {
    for (float& one : out) {
      one = to_float(next());
    }
  }
  void uniform(std::span<double> out) override {
    for (double& one : out) {
      one = next_double();
    }
  }
  void normal(std::span<float> out) override {
    for (size_t i = 0; i + 1 < out.size(); i += 2) {
      const uint32_t x = next(), y = next();
      const auto [first, second] = box_muller(x, y);
      out[i] = first;
      out[i + 1] = second;
    }
  }
  void normal(std::span<double> out) override {
    for (size_t i = 0; i + 1 < out.size(); i += 2) {
      const double u = next_double(), turn = next_double();
      const auto [first, second] = box_muller(u, turn);
      out[i] = first;
      out[i + 1] = second;
    }
  }

 private:
  uint32_t next() { return static_cast<uint32_t>(engine_()); }
  double next_double() {
    const uint32_t low = next(), high = next();
    return to_double(low, high);
  }

  std::mt19937 engine_;
};

}  // namespace

std::unique_ptr<Sequence> mersenne_twister() { return std::make_unique<Mersenne>(); }

}  // namespace hpml::sim::curand
