// E3: observers choose the real limits that the integers shall cover. HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lab5.hpp"

namespace lab5 {

namespace {

constexpr int kFirst = 5, kLast = 100;  // candidates: so many hundredths of the observed range
constexpr int kLevels = 128;            // that the KL observer quantises |x| to

Range scaled(const Range& range, int hundredths) {
  return {static_cast<float>(double{range.lo} * hundredths / 100), static_cast<float>(double{range.hi} * hundredths / 100)};
}

float requantized(float x, const QParams& p) { return dequantize(quantize(x, p), p); }

// Smallest loss among the candidates; equal losses: the larger range.
template <class Loss>
Range best_candidate(const Range& observed, const QType& type, Loss&& loss) {
  Range best = observed;
  double least = std::numeric_limits<double>::infinity();
  for (int i = kFirst; i <= kLast; ++i) {
    const Range candidate = scaled(observed, i);
    const double found = loss(choose_qparams("candidate", candidate.lo, candidate.hi, type));
    if (found <= least) {
      least = found;
      best = candidate;
    }
  }
  return best;
}

std::vector<double> softmax(std::span<const float> logits) {
  const double largest = *std::ranges::max_element(logits);
  std::vector<double> p;
  for (const float v : logits) {
    p.push_back(std::exp(v - largest));
  }
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& v : p) {
    v /= sum;
  }
  return p;
}

}  // namespace

Range min_max_range(std::span<const float> x) {
  const auto [lo, hi] = std::ranges::minmax(x);
  return {lo, hi};
}

void ema_update(EmaObserver& observer, std::span<const float> batch) {
  const Range seen = min_max_range(batch);
  if (!observer.started) {
    observer = {true, seen.lo, seen.hi};
    return;
  }
  observer.lo += 0.01F * (seen.lo - observer.lo);
  observer.hi += 0.01F * (seen.hi - observer.hi);
}

float percentile_clip(std::span<const float> x, double p) {
  std::vector<float> sizes;
  for (const float value : x) {
    sizes.push_back(std::fabs(value));
  }
  std::ranges::sort(sizes);
  const double position = static_cast<double>(sizes.size() - 1) * p;
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sizes.size() - 1);
  const double part = position - static_cast<double>(below);
  return static_cast<float>(sizes[below] + part * (double{sizes[above]} - sizes[below]));
}

Range mse_range(std::span<const float> x, const QType& type) {
  const Range observed = min_max_range(x);
  if (observed.lo == observed.hi) {
    return observed;
  }
  const double width = (double{observed.hi} - observed.lo) / kBins;
  std::vector<int64_t> counts(kBins);
  for (const float value : x) {
    const auto bin = static_cast<int64_t>((value - double{observed.lo}) / width);
    ++counts[static_cast<size_t>(std::min<int64_t>(bin, kBins - 1))];
  }
  return best_candidate(observed, type, [&](const QParams& p) {
    double sum = 0;
    for (int bin = 0; bin < kBins; ++bin) {
      const auto centre = static_cast<float>(observed.lo + (bin + 0.5) * width);
      const double error = double{centre} - requantized(centre, p);
      sum += static_cast<double>(counts[static_cast<size_t>(bin)]) * error * error;
    }
    return sum;
  });
}

namespace {

// KL(P, Q) where the first `kept` bins are quantised to kLevels groups; infinite where Q is 0 and P is not.
double divergence(std::span<const int64_t> counts, int kept) {
  const auto size = static_cast<size_t>(kept);
  std::vector<double> p(counts.begin(), counts.begin() + kept), q(size);
  p.back() += static_cast<double>(std::accumulate(counts.begin() + kept, counts.end(), int64_t{0}));
  const int width = kept / kLevels;
  double p_sum = 0, q_sum = 0;
  for (int group = 0; group < kLevels; ++group) {
    const auto begin = static_cast<size_t>(group * width);
    const size_t end = group + 1 == kLevels ? size : begin + static_cast<size_t>(width);
    double sum = 0;
    int filled = 0;
    for (size_t i = begin; i < end; ++i) {
      sum += static_cast<double>(counts[i]);
      filled += p[i] > 0;
    }
    for (size_t i = begin; i < end; ++i) {
      q[i] = p[i] > 0 ? sum / filled : 0;
      p_sum += p[i];
      q_sum += q[i];
    }
  }
  double kl = 0;
  for (size_t i = 0; i < size; ++i) {
    if (p[i] > 0 && q[i] == 0) {
      return std::numeric_limits<double>::infinity();
    }
    if (p[i] > 0) {
      kl += p[i] / p_sum * std::log((p[i] / p_sum) / (q[i] / q_sum));
    }
  }
  return kl;
}

}  // namespace

KlClip kl_clip(std::span<const int64_t> counts) {
  KlClip best{kBins, std::numeric_limits<double>::infinity()};
  for (int kept = kLevels; kept <= kBins; ++kept) {
    const double found = divergence(counts, kept);
    if (found < best.divergence) {
      best = {kept, found};
    }
  }
  return best;
}

Range cross_entropy_range(std::span<const float> logits, int classes, const QType& type) {
  const auto width = static_cast<size_t>(classes);
  return best_candidate(min_max_range(logits), type, [&](const QParams& p) {
    double sum = 0;
    std::vector<float> changed(width);
    for (size_t row = 0; row < logits.size(); row += width) {
      const auto exact = logits.subspan(row, width);
      std::ranges::transform(exact, changed.begin(), [&](float v) { return requantized(v, p); });
      const std::vector<double> wanted = softmax(exact), got = softmax(changed);
      for (size_t c = 0; c < width; ++c) {
        sum -= wanted[c] * std::log(got[c]);
      }
    }
    return sum;
  });
}

std::vector<int> calibration_images(std::span<const uint64_t> train, std::span<const uint64_t> test, int count) {
  std::vector<uint64_t> held_out(test.begin(), test.end());
  std::ranges::sort(held_out);
  std::vector<int> chosen;
  for (size_t i = 0; i < train.size() && static_cast<int>(chosen.size()) < count; ++i) {
    if (!std::ranges::binary_search(held_out, train[i])) {
      chosen.push_back(static_cast<int>(i));
    }
  }
  return chosen;
}

}  // namespace lab5
