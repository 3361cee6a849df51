// T1: time to accuracy, its spread over seeds, and what the seeds allow to say.
#include <algorithm>
#include <cmath>

#include "lab2.hpp"

namespace lab2 {

namespace {

constexpr int kResamples = 10000, kEnough = 5;
constexpr uint64_t kSeed = 1;

double mean_of(std::span<const int64_t> values) {
  double sum = 0;
  for (const int64_t value : values) {
    sum += static_cast<double>(value);
  }
  return sum / static_cast<double>(values.size());
}

// The percentile bootstrap (Efron 1979): the spread of the mean over samples drawn from the sample.
void bootstrap(std::span<const int64_t> values, TtaSummary& summary) {
  const auto n = static_cast<int>(values.size());
  std::vector<double> means;
  for (uint64_t resample = 0; resample < kResamples; ++resample) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const uint64_t bits = random_bits(kSeed, resample, 0, static_cast<uint64_t>(i));
      sum += static_cast<double>(values[static_cast<size_t>(random_below(bits, n))]);
    }
    means.push_back(sum / n);
  }
  std::sort(means.begin(), means.end());
  summary.low = means[static_cast<size_t>(0.025 * kResamples)];
  summary.high = means[static_cast<size_t>(0.975 * kResamples) - 1];
}

}  // namespace

TtaSummary time_to_accuracy(std::span<const Curve> curves, double threshold) {
  TtaSummary summary;
  for (const Curve& curve : curves) {
    ++summary.runs;
    const auto first =
        std::find_if(curve.begin(), curve.end(), [&](const Evaluation& e) { return e.accuracy >= threshold; });
    if (first != curve.end()) {
      summary.samples.push_back(first->samples);
    }
  }
  summary.reached = static_cast<int>(summary.samples.size());
  if (summary.reached == 0) {
    return summary;
  }
  summary.mean = mean_of(summary.samples);
  double squares = 0;
  for (const int64_t value : summary.samples) {
    squares += (static_cast<double>(value) - summary.mean) * (static_cast<double>(value) - summary.mean);
  }
  summary.deviation = summary.reached > 1 ? std::sqrt(squares / (summary.reached - 1)) : 0;
  summary.has_cov = summary.reached >= kEnough;
  summary.cov = summary.has_cov ? summary.deviation / summary.mean : 0;
  bootstrap(summary.samples, summary);
  return summary;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
