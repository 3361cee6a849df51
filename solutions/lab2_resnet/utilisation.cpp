// U1: how busy a GPU is, as nvidia-smi defines it, and what that number does not say.
#include <algorithm>
#include <cmath>

#include "lab2.hpp"

namespace lab2 {

namespace {

double overlap(double a0, double a1, double b0, double b1) {
  return std::max(0.0, std::min(a1, b1) - std::max(a0, b0));
}

Window window_of(std::span<const Span> by_start, double from, double to, double bytes_per_us) {
  double busy = 0, memory = 0, kernel_time = 0, weighted = 0, covered = from;
  for (const Span& span : by_start) {
    const double end = span.start_us + span.duration_us, part = overlap(span.start_us, end, from, to);
    if (part <= 0) {
      continue;
    }
    busy += overlap(std::max(span.start_us, covered), end, from, to);
    covered = std::max(covered, end);
    memory += part * std::min(1.0, span.bytes / bytes_per_us / span.duration_us);
    kernel_time += part;
    weighted += part * span.occupancy;
  }
  return {busy / (to - from), std::min(1.0, memory / (to - from)), kernel_time > 0 ? weighted / kernel_time : 0};
}

}  // namespace

std::vector<Window> utilisation(std::span<const Span> spans, double window_us, double end_us, double bytes_per_us) {
  std::vector<Span> by_start(spans.begin(), spans.end());
  std::sort(by_start.begin(), by_start.end(), [](const Span& a, const Span& b) { return a.start_us < b.start_us; });
  std::vector<Window> windows;
  for (int i = 0; i < static_cast<int>(std::ceil(end_us / window_us)); ++i) {
    windows.push_back(window_of(by_start, i * window_us, (i + 1) * window_us, bytes_per_us));
  }
  return windows;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
