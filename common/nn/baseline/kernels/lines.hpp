#pragma once
// Which taps of a window meet which elements of a line, sorted into classes of positions with the same taps. The two
// dimensions of a convolution are independent, so its work is every pair of a row class and a column class; inside such
// a pair every pixel has the same taps, and no kernel tests for borders or multiplies by padding.
#include <vector>

#include "common/nn/layers/window.hpp"

namespace hpml::nn::baseline {

struct LineTap {
  int kernel = 0;  // index in the window
  int delta = 0;   // place of the source element, relative to that of the first tap
};
struct LinePosition {
  int target = 0;  // element that is computed
  int source = 0;  // element that the first tap reads
};
struct LineClass {
  std::vector<LineTap> taps;  // may be empty: the elements are zero
  std::vector<LinePosition> positions;
};

// y[o] = sum over k of x[o * stride - pad + k] * w[k]: classes of o.
std::vector<LineClass> forward_lines(const Window& window);
// dx[i] = sum over k with (i + pad - k) divisible by the stride of dy[(i + pad - k) / stride] * w[k]: classes of i.
std::vector<LineClass> backward_lines(const Window& window);

}  // namespace hpml::nn::baseline
