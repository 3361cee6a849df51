// Sobol's sequences in Gray-code order (Bratley and Fox, ACM TOMS Algorithm 659): number n is the sum modulo 2 of the
// direction numbers that the bits of n's Gray code choose.
#include "simulator/curand/directions.hpp"
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

// Written dimension by dimension: each call gives every dimension its next numbers.
class Sobol final : public Sequence {
 public:
  explicit Sobol(bool wide) : wide_(wide), directions_(direction_numbers(1)) {}
  void set_dimensions(unsigned dimensions) override { directions_ = direction_numbers(dimensions); }
  void begin(uint64_t, uint64_t offset) override { place_ = offset; }
  void bits(std::span<uint32_t> out) override {
    fill(out, [](uint64_t number) { return static_cast<uint32_t>(number >> 32U); });
  }
  void wide_bits(std::span<unsigned long long> out) override {
    fill(out, [](uint64_t number) { return static_cast<unsigned long long>(number); });
  }
  void uniform(std::span<float> out) override {
    fill(out, [](uint64_t number) { return to_float(static_cast<uint32_t>(number >> 32U)); });
  }
  void uniform(std::span<double> out) override {
    fill(out, [this](uint64_t number) { return share(number); });
  }
  void normal(std::span<float> out) override {
    fill(out, [](uint64_t number) {
      const auto bits = static_cast<uint32_t>(number >> 32U);
      const bool upper = bits >= 1U << 31U;  // where a float is too coarse to tell numbers near 1 apart
      const double below = normal_quantile(static_cast<double>(to_float(upper ? ~bits : bits)));
      return static_cast<float>(upper ? -below : below);
    });
  }
  void normal(std::span<double> out) override {
    fill(out, [this](uint64_t number) {
      return normal_quantile(wide_ ? share(number) : (static_cast<double>(number >> 32U) + 0.5) * 0x1p-32);
    });
  }

 private:
  double share(uint64_t number) const {
    return wide_ ? static_cast<double>(number >> 11U) * 0x1p-53 + 0x1p-54
                 : (static_cast<double>(number >> 32U) + 1) * 0x1p-32;
  }
  template <class T, class F>
  void fill(std::span<T> out, F f) {
    const size_t each = out.size() / directions_.size();
    for (size_t dimension = 0; dimension < directions_.size(); ++dimension) {
      for (size_t i = 0; i < each; ++i) {
        const uint64_t place = place_ + i, gray = place ^ place >> 1U;
        uint64_t number = 0;
        for (unsigned bit = 0; bit < 64 && gray >> bit != 0; ++bit) {
          number ^= (gray >> bit & 1U) != 0 ? directions_[dimension][bit] : 0;
        }
        out[dimension * each + i] = f(number);
      }
    }
    place_ += each;
  }

  bool wide_;
  std::vector<std::vector<uint64_t>> directions_;
  uint64_t place_ = 0;
};

}  // namespace

std::unique_ptr<Sequence> sobol32() { return std::make_unique<Sobol>(false); }
std::unique_ptr<Sequence> sobol64() { return std::make_unique<Sobol>(true); }

}  // namespace hpml::sim::curand
