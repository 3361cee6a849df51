#pragma once
// Uniform quantisation of real values to n-bit integers. Rounds to nearest, ties to even.
#include <cstdint>

namespace hpml::models {

struct Grid {
  double scale = 1;
  int64_t zero_point = 0, q_min = 0, q_max = 0;
};

// Asymmetric: [x_min, x_max], widened to contain 0, to [-2^(n-1), 2^(n-1)-1] (signed) or [0, 2^n-1].
Grid asymmetric_grid(double x_min, double x_max, int bits, bool is_signed);
// Symmetric: [-largest, largest] to [-(2^(n-1)-1), 2^(n-1)-1], zero point 0.
Grid symmetric_grid(double largest, int bits);

int64_t quantise(const Grid& grid, double x);  // out of range values saturate
double dequantise(const Grid& grid, int64_t q);

}  // namespace hpml::models
