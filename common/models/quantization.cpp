#include "common/models/quantization.hpp"

#include <algorithm>
#include <cmath>

namespace hpml::models {

Grid asymmetric_grid(double x_min, double x_max, int bits, bool is_signed) {
  const double low = std::min(x_min, 0.0), high = std::max(x_max, 0.0);
  const int64_t levels = int64_t{1} << bits;
  Grid grid;
  grid.q_min = is_signed ? -levels / 2 : 0;
  grid.q_max = grid.q_min + levels - 1;
  grid.scale = (high - low) / static_cast<double>(levels - 1);
  grid.zero_point = std::llrint(static_cast<double>(grid.q_min) - low / grid.scale);
  return grid;
}

Grid symmetric_grid(double largest, int bits) {
  const int64_t top = (int64_t{1} << (bits - 1)) - 1;
  return {.scale = largest / static_cast<double>(top), .zero_point = 0, .q_min = -top, .q_max = top};
}

int64_t quantise(const Grid& grid, double x) {
  constexpr double kFar = 1e15;  // beyond every grid, and still an integer
  const int64_t steps = std::llrint(std::clamp(x / grid.scale, -kFar, kFar));
  return std::clamp(steps + grid.zero_point, grid.q_min, grid.q_max);
}

double dequantise(const Grid& grid, int64_t q) { return grid.scale * static_cast<double>(q - grid.zero_point); }

}  // namespace hpml::models
