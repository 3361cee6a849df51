// Sobol's sequence of one dimension in Gray-code order (Bratley and Fox, ACM TOMS Algorithm 659): number n is the Gray
// code of n with its bits reversed.
#include "simulator/curand/distribution.hpp"
#include "simulator/curand/sequence.hpp"

namespace hpml::sim::curand {

double normal_quantile(double p) {
  if (p > 0.5) {
    return -normal_quantile(1 - p);
  }
  // Abramowitz and Stegun 26.2.23, then Newton's steps on the distribution.
  const double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int i = 0; i < 4; ++i) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    x -= (std::erfc(-x / std::numbers::sqrt2) / 2 - p) / density;
  }
  return x;
}

namespace {

class Sobol final : public Sequence {
 public:
  void begin(uint64_t, uint64_t offset) override { place_ = static_cast<uint32_t>(offset); }
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
      one = (static_cast<double>(next()) + 1) * 0x1p-32;
    }
  }
  void normal(std::span<float> out) override {
    for (float& one : out) {
      const uint32_t bits = next();
      const bool upper = bits >= 1U << 31U;  // where a float is too coarse to tell numbers near 1 apart
      const double below = normal_quantile(static_cast<double>(to_float(upper ? ~bits : bits)));
      one = static_cast<float>(upper ? -below : below);
    }
  }
  void normal(std::span<double> out) override {
    for (double& one : out) {
      one = normal_quantile((static_cast<double>(next()) + 0.5) * 0x1p-32);
    }
  }

 private:
  uint32_t next() {
    const uint32_t gray = place_ ^ place_ >> 1U;
    ++place_;
    uint32_t reversed = 0;
    for (uint32_t bit = 0; bit < 32; ++bit) {
      reversed |= (gray >> bit & 1U) << (31 - bit);
    }
    return reversed;
  }

  uint32_t place_ = 0;
};

}  // namespace

std::unique_ptr<Sequence> sobol32() { return std::make_unique<Sobol>(); }

}  // namespace hpml::sim::curand
