// fake_quant forward SEED N SCALE ZERO QMIN QMAX: y, mask, dx. fake_quant weights SEED ROWS CO BITS: y, mask.
#include "harness/check.hpp"
#include "lab5.hpp"

int main(int argc, char** argv) {
  const check::Words words(argc, argv);
  const uint64_t seed = words.seed(1);
  check::Results results;
  if (words.command() == "forward") {
    const int64_t n = words.integer(2);
    const auto scale = static_cast<float>(words.real(3));
    const int zero = words.number(4), qmin = words.number(5), qmax = words.number(6);
    std::vector<float> x = check::values(seed, 0, n), y(x.size(), 7.0F), dx = check::values(seed, 1, n);
    // Values on and beside the limits: the half step behind them still rounds to them.
    for (int64_t i = 0; i + 8 <= n && i < 64; i += 8) {
      const auto step = static_cast<float>(i / 8) * 0.25F;
      x[static_cast<size_t>(i)] = scale * (static_cast<float>(qmin - zero) - step);
      x[static_cast<size_t>(i) + 1] = scale * (static_cast<float>(qmax - zero) + step);
    }
    std::vector<uint8_t> mask(x.size(), 7);
    fake_quant_forward(n, x.data(), scale, zero, qmin, qmax, y.data(), mask.data());
    fake_quant_backward(n, mask.data(), dx.data(), dx.data());
    results.write(y);
    results.write(mask);
    results.write(dx);
  } else if (words.command() == "weights") {
    const int64_t n = words.integer(2) * words.integer(3);
    const int co = words.number(3);
    const std::vector<float> w = check::values(seed, 0, n), factor = check::values(seed, 1, co);
    std::vector<float> scales = check::values(seed, 2, co), y(w.size(), 7.0F), factors(factor);
    std::vector<uint8_t> mask(w.size(), 7);
    for (float& scale : scales) {
      scale = 0.01F + 0.2F * scale * scale;
    }
    factors.back() = 0;
    fake_quant_weights(n, co, w.data(), factors.data(), scales.data(), words.number(4), y.data(), mask.data());
    results.write(y);
    results.write(mask);
  } else {
    check::fail("usage: fake_quant forward|weights NUMBER...");
  }
  return 0;
}
