#include "common/nn/baseline/kernels/lines.hpp"

#include <algorithm>

namespace hpml::nn::baseline {

namespace {

bool same_taps(const std::vector<LineTap>& a, const std::vector<LineTap>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const LineTap& x, const LineTap& y) { return x.kernel == y.kernel && x.delta == y.delta; });
}

// source(target, kernel): the element read, -1 when there is none.
template <class Source>
std::vector<LineClass> classify(int targets, int kernel, Source&& source) {
  std::vector<LineClass> classes;
  for (int target = 0; target < targets; ++target) {
    std::vector<LineTap> taps;
    int first = 0;
    for (int k = 0; k < kernel; ++k) {
      if (const int place = source(target, k); place >= 0) {
        first = taps.empty() ? place : first;
        taps.push_back({k, place - first});
      }
    }
    auto found = std::find_if(classes.begin(), classes.end(), [&](auto& c) { return same_taps(c.taps, taps); });
    if (found == classes.end()) {
      classes.push_back({std::move(taps), {}});
      found = classes.end() - 1;
    }
    found->positions.push_back({target, first});
  }
  return classes;
}

}  // namespace

std::vector<LineClass> forward_lines(const Window& window) {
  return classify(window.positions(), window.kernel, [&](int o, int k) {
    const int i = o * window.stride - window.pad + k;
    return i < window.size ? std::max(i, -1) : -1;
  });
}

std::vector<LineClass> backward_lines(const Window& window) {
  return classify(window.size, window.kernel, [&](int i, int k) {
    const int scaled = i + window.pad - k;
    const bool met = scaled >= 0 && scaled % window.stride == 0 && scaled / window.stride < window.positions();
    return met ? scaled / window.stride : -1;
  });
}

}  // namespace hpml::nn::baseline
