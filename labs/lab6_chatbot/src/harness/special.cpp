// Inverse cumulative distributions of N(0, 1) and of Beta(a, b).
#include <cmath>
#include <limits>
#include <numbers>

#include "sweep.hpp"

namespace lab6::sweep {

namespace {

// Root of a rising function on [low, high] by bisection, to the last bits of a double.
template <class Function>
double root(double low, double high, Function above) {
  for (int step = 0; step < 1100; ++step) {  // a double's exponent and mantissa together
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) {
      break;
    }
    (above(middle) ? high : low) = middle;
  }
  return low + (high - low) / 2;
}

// Continued fraction of the incomplete beta function by Lentz's method (Press et al., Numerical Recipes, section 6.4).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300, kDone = 1e-16;
  const auto kept = [](double value) { return std::fabs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    fraction *= d * c;
    if (std::fabs(d * c - 1) < kDone) {
      break;
    }
  }
  return fraction;
}

double beta_cdf(double x, double a, double b) {
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a : 1 - front * beta_fraction(1 - x, b, a) / b;
}

}  // namespace

double inverse_normal(double u) {
  if (u <= 0) {
    return -std::numeric_limits<double>::infinity();
  }
  // erfc keeps the digits of a tail, so the upper half is the lower one mirrored.
  if (u > 0.5) {
    return -inverse_normal(1 - u);
  }
  return root(-40, 0, [&](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2) >= u; });
}

double inverse_beta(double u, double a, double b) {
  return u <= 0 ? 0 : root(0, 1, [&](double x) { return beta_cdf(x, a, b) >= u; });
}

}  // namespace lab6::sweep
