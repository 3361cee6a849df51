#include "networks/quantize.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hpml::lab5 {

namespace {

constexpr size_t kBins = 2048;

struct Bin {
  float centre;
  double count;
};

// Few values stand for themselves, many for the bins of a histogram.
std::vector<Bin> bins_of(std::span<const float> x, const Limits& all) {
  std::vector<Bin> bins;
  if (x.size() <= kBins) {
    std::ranges::transform(x, std::back_inserter(bins), [](float v) { return Bin{v, 1}; });
    return bins;
  }
  const double width = (double{all.hi} - all.lo) / kBins;
  for (size_t i = 0; i < kBins; ++i) {
    bins.push_back({static_cast<float>(all.lo + (static_cast<double>(i) + 0.5) * width), 0});
  }
  for (const float v : x) {
    bins[std::min(static_cast<size_t>((v - double{all.lo}) / width), kBins - 1)].count += 1;
  }
  std::erase_if(bins, [](const Bin& bin) { return bin.count == 0; });
  return bins;
}

}  // namespace

Integers unsigned_integers(int bits) { return {0, (1 << bits) - 1, false}; }
Integers narrow_integers(int bits) { return {-(1 << (bits - 1)) + 1, (1 << (bits - 1)) - 1, true}; }

int32_t Scale::integer(float x) const {
  const double q = std::isnan(x) ? zero : double{std::nearbyint(x / scale)} + zero;
  return static_cast<int32_t>(std::clamp<double>(q, type.qmin, type.qmax));
}

float Scale::nearest(float x) const { return scale * static_cast<float>(integer(x) - zero); }

Scale scale_for(float lo, float hi, const Integers& type) {
  const double low = std::min(lo, 0.0F), high = std::max(hi, 0.0F);
  if (low == high) {
    return {1.0F, 0, type};
  }
  if (type.symmetric) {
    return {static_cast<float>(std::max(-low, high) / type.qmax), 0, type};
  }
  const auto scale = static_cast<float>((high - low) / (type.qmax - type.qmin));
  const double zero = std::clamp<double>(std::nearbyint(type.qmin - low / double{scale}), type.qmin, type.qmax);
  return {scale, static_cast<int32_t>(zero), type};
}

Limits min_max(std::span<const float> x) {
  return {*std::ranges::min_element(x), *std::ranges::max_element(x)};
}

Limits least_squares(std::span<const float> x, const Integers& type) {
  const Limits all = min_max(x);
  if (all.lo == all.hi) {
    return all;
  }
  const std::vector<Bin> bins = bins_of(x, all);
  Limits best = all;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 5; i <= 100; ++i) {
    const Limits limits{static_cast<float>(double{all.lo} * i / 100), static_cast<float>(double{all.hi} * i / 100)};
    const Scale scale = scale_for(limits.lo, limits.hi, type);
    double sum = 0;
    for (const Bin& bin : bins) {
      const double error = double{bin.centre} - scale.nearest(bin.centre);
      sum += bin.count * error * error;
    }
    if (sum <= least) {
      least = sum;
      best = limits;
    }
  }
  return best;
}

}  // namespace hpml::lab5
