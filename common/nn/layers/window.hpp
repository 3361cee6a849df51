#pragma once
// Sliding windows over a line of `size` elements with `pad` zeros at both ends: what convolutions and pools share.
#include <algorithm>
#include <cstdint>

namespace hpml::nn {

struct Window {
  int size = 1, kernel = 1, stride = 1, pad = 0;

  bool fits() const { return kernel <= size + 2 * pad; }
  int positions() const { return (size + 2 * pad - kernel) / stride + 1; }
  // Taps of output position o that lie inside the line: first .. last - 1.
  int first_tap(int o) const { return std::max(0, pad - o * stride); }
  int last_tap(int o) const { return std::min(kernel, size + pad - o * stride); }
  // Sum of the taps inside the line over all positions.
  int64_t inner_taps() const {
    int64_t sum = 0;
    for (int o = 0; o < positions(); ++o) {
      sum += std::max(0, last_tap(o) - first_tap(o));
    }
    return sum;
  }
};

}  // namespace hpml::nn
