#pragma once
// Robust statistics of repeated measurements: nothing is dropped, nothing is assumed to be normal.
#include <cstdint>
#include <vector>

namespace hpml::bench {

struct Summary {
  int64_t count = 0;
  double min = 0, lower_quartile = 0, median = 0, upper_quartile = 0, max = 0;
  double mean = 0, cov = 0;  // cov: standard deviation (n - 1) / mean
};
Summary summarize(std::vector<double> values);

// The q-quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
double quantile(const std::vector<double>& sorted, double q);

struct Interval {
  double low = 0, high = 0;
  double half_width(double center) const { return center > 0 ? (high - low) / 2 / center : 0; }
};

// 95 % percentile bootstrap of the median (Efron 1979), always with the same resamples for the same count.
Interval median_interval(const std::vector<double>& values, int resamples = 10000);

// How far the lower quartile lies above the minimum, relative: small when the machine was quiet for a quarter of it.
double floor_spread(const Summary& summary);

}  // namespace hpml::bench
