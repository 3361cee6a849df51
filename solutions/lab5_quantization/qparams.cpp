// E1 and E2: scales, zero points, rounding; weights per tensor and per channel. HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab5.hpp"

namespace lab5 {

QParams choose_qparams(std::string_view tensor, double lo, double hi, const QType& type) {
  if (!std::isfinite(lo) || !std::isfinite(hi) || lo > hi) {
    throw std::invalid_argument(std::string(tensor) + ": limits " + std::to_string(lo) + " and " + std::to_string(hi) +
                                " are no range");
  }
  const double low = std::min(lo, 0.0), high = std::max(hi, 0.0);
  QParams p{1.0F, 0, type.qmin, type.qmax};
  if (low == high) {
    return p;
  }
  if (type.symmetric) {
    p.scale = static_cast<float>(std::max(-low, high) / type.qmax);
    return p;
  }
  p.scale = static_cast<float>((high - low) / (type.qmax - type.qmin));
  const double zero = std::nearbyint(type.qmin - low / double{p.scale});
  p.zero = static_cast<int32_t>(std::clamp<double>(zero, type.qmin, type.qmax));
  return p;
}

int32_t quantize(float x, const QParams& p) {
  if (std::isnan(x)) {
    return p.zero;
  }
  const double q = double{std::nearbyint(x / p.scale)} + p.zero;
  return static_cast<int32_t>(std::clamp<double>(q, p.qmin, p.qmax));
}

float dequantize(int32_t q, const QParams& p) { return p.scale * static_cast<float>(q - p.zero); }

WeightStatistics weight_statistics(std::span<const float> w) {
  double sum = 0;
  for (const float x : w) {
    sum += x;
  }
  const double n = static_cast<double>(w.size()), mean = sum / n;
  double squares = 0;
  for (const float x : w) {
    squares += (x - mean) * (x - mean);
  }
  const auto [min, max] = std::ranges::minmax(w);
  return {min, max, mean, std::sqrt(squares / n)};
}

std::vector<int64_t> histogram(std::span<const float> x, float lo, float hi, int bins) {
  std::vector<int64_t> counts(static_cast<size_t>(bins));
  const double width = (double{hi} - lo) / bins;
  for (const float value : x) {
    if (value >= lo && value <= hi) {
      const auto bin = static_cast<int64_t>((value - double{lo}) / width);
      ++counts[static_cast<size_t>(std::min<int64_t>(bin, bins - 1))];
    }
  }
  return counts;
}

QuantizedWeights quantize_weights(std::span<const float> w, int co, int bits, bool per_channel) {
  const QType type = narrow_type(bits);
  const auto channels = static_cast<size_t>(co);
  std::vector<float> largest(per_channel ? channels : 1);
  for (size_t i = 0; i < w.size(); ++i) {
    float& most = largest[per_channel ? i % channels : 0];
    most = std::max(most, std::fabs(w[i]));
  }
  std::vector<QParams> params;
  QuantizedWeights result;
  for (const float most : largest) {
    params.push_back(choose_qparams("weights", -most, most, type));
    result.scales.push_back(params.back().scale);
  }
  for (size_t i = 0; i < w.size(); ++i) {
    result.q.push_back(static_cast<int8_t>(quantize(w[i], params[per_channel ? i % channels : 0])));
  }
  return result;
}

std::vector<float> dequantize_weights(const QuantizedWeights& w, int co) {
  std::vector<float> values;
  for (size_t i = 0; i < w.q.size(); ++i) {
    const float scale = w.scales.size() == 1 ? w.scales[0] : w.scales[i % static_cast<size_t>(co)];
    values.push_back(scale * static_cast<float>(w.q[i]));
  }
  return values;
}

double sqnr_db(std::span<const float> x, std::span<const float> approximation) {
  double signal = 0, noise = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double error = double{x[i]} - approximation[i];
    signal += double{x[i]} * x[i];
    noise += error * error;
  }
  return noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

}  // namespace lab5
