// P3: PALEO (Qi, Sparks, Talwalkar 2017): time of a layer from its work, its bytes and a platform's peaks.
#include <algorithm>
#include <cmath>

#include "lab2.hpp"

namespace lab2 {

PaleoTime paleo(int64_t macs, int64_t bytes, const Device& device, double ppp) {
  const double flop = 2.0 * static_cast<double>(macs);
  return {std::max(1.0 / device.clock, flop / (device.peak * ppp)), static_cast<double>(bytes) / device.bandwidth};
}

// With x = 1 / ppp the model is linear, t_i = a_i x + m_i, so the best x has a closed form.
Fit fit_ppp(std::span<const Layer> layers, const Device& device) {
  double products = 0, squares = 0, mean = 0;
  for (const Layer& layer : layers) {
    const double a = 2.0 * static_cast<double>(layer.macs) / device.peak;
    products += a * (layer.measured_s - static_cast<double>(layer.bytes) / device.bandwidth);
    squares += a * a;
    mean += layer.measured_s / static_cast<double>(layers.size());
  }
  const double x = products / squares;
  Fit fit{.ppp = 1 / x};
  double residual = 0, total = 0, largest = -1;
  for (size_t i = 0; i < layers.size(); ++i) {
    const double predicted = 2.0 * static_cast<double>(layers[i].macs) / device.peak * x +
                             static_cast<double>(layers[i].bytes) / device.bandwidth;
    const double error = layers[i].measured_s - predicted;
    residual += error * error;
    total += (layers[i].measured_s - mean) * (layers[i].measured_s - mean);
    if (std::abs(error) > largest) {
      largest = std::abs(error);
      fit.worst = static_cast<int>(i);
    }
  }
  fit.r2 = 1 - residual / total;
  return fit;
}

double exchange_s(Exchange kind, int n, int64_t bytes, double bandwidth) {
  const double one = static_cast<double>(bytes) / bandwidth, rounds = std::ceil(std::log2(n));
  switch (kind) {
    case Exchange::one_to_all: return 2.0 * (n - 1) * one;
    case Exchange::tree: return 2 * rounds * one;
    case Exchange::butterfly: return rounds * one;
    case Exchange::ring: return 2.0 * (n - 1) / n * one;
  }
  return 0;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
