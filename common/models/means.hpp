#pragma once
// Which mean fits: arithmetic for times, harmonic for rates over equal work, geometric for ratios.
#include <vector>

namespace hpml::models {

double arithmetic_mean(const std::vector<double>& values);
double harmonic_mean(const std::vector<double>& values);
double geometric_mean(const std::vector<double>& values);
double median(std::vector<double> values);
double variation(const std::vector<double>& values);  // standard deviation (of the population) / mean

// Operations per second over runs of the same work: all work by all time.
double throughput(double operations_per_run, const std::vector<double>& times_s);

}  // namespace hpml::models
