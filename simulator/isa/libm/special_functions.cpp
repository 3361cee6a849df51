#include "simulator/isa/libm/special_functions.hpp"

#include <cmath>
#include <limits>

namespace hpml::sim::isa {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSqrt2 = 1.41421356237309504880;
constexpr double kSqrtPi = 1.77245385090551602730;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// sin(pi x) shifted by `quarter` quarters of a turn; exact at multiples of 1/2.
double sine_of_half_turns(double x, int quarter) {
  if (!std::isfinite(x)) {
    return kNan;
  }
  const double r = std::fmod(x, 2.0);
  const double n = std::rint(2.0 * r);
  const double angle = (r - 0.5 * n) * kPi;
  const int q = (static_cast<int>(n) + quarter) & 3;
  const double value = (q & 1) != 0 ? std::cos(angle) : std::sin(angle);
  return (q & 2) != 0 ? -value : value;
}

// Acklam's rational approximation of the inverse normal distribution, relative error 1.2e-9; refined by the callers.
double normcdfinv_start(double p) {
  constexpr double kA[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                           1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double kB[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                           -1.328068155288572e+01};
  constexpr double kC[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                           -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double kD[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
  if (p < 0.02425) {
    const double q = std::sqrt(-2.0 * std::log(p));
    return (((((kC[0] * q + kC[1]) * q + kC[2]) * q + kC[3]) * q + kC[4]) * q + kC[5]) /
           ((((kD[0] * q + kD[1]) * q + kD[2]) * q + kD[3]) * q + 1.0);
  }
  const double q = p - 0.5, r = q * q;
  return (((((kA[0] * r + kA[1]) * r + kA[2]) * r + kA[3]) * r + kA[4]) * r + kA[5]) * q /
         (((((kB[0] * r + kB[1]) * r + kB[2]) * r + kB[3]) * r + kB[4]) * r + 1.0);
}

// erfc^-1 for y <= 1: Newton on log(erfc(x)), which stays well conditioned in the tail.
double erfcinv_lower(double y) {
  double x = -normcdfinv_start(0.5 * y) / kSqrt2;
  for (int step = 0; step < 3; ++step) {
    const double value = std::erfc(x);
    const double slope = -2.0 / kSqrtPi * std::exp(-x * x);
    if (value == 0 || slope == 0) {
      break;
    }
    x -= value * std::log(value / y) / slope;
  }
  return x;
}

}  // namespace

double exp10_of(double x) { return std::pow(10.0, x); }
double sinpi_of(double x) {
  const double value = sine_of_half_turns(x, 0);
  return value == 0 ? std::copysign(0.0, x) : value;
}
double cospi_of(double x) {
  const double value = sine_of_half_turns(x, 1);
  return value == 0 ? 0.0 : value;
}
double rsqrt_of(double x) { return 1.0 / std::sqrt(x); }
double rcbrt_of(double x) { return 1.0 / std::cbrt(x); }
double rhypot_of(double x, double y) { return 1.0 / std::hypot(x, y); }
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
double normcdf_of(double x) { return 0.5 * std::erfc(-x / kSqrt2); }
double normcdfinv_of(double p) { return -kSqrt2 * erfcinv_of(2.0 * p); }

double erfcinv_of(double y) {
  if (!(y >= 0 && y <= 2)) {
    return kNan;
  }
  if (y == 0 || y == 2) {
    return y == 0 ? kInf : -kInf;
  }
  if (y > 0.5 && y < 1.5) {
    return erfinv_of(1.0 - y);  // exact difference; the tail's logarithm would cancel
  }
  return y <= 1 ? erfcinv_lower(y) : -erfcinv_lower(2.0 - y);
}
double erfinv_of(double y) {
  if (!(y >= -1 && y <= 1)) {
    return kNan;
  }
  if (y == 1 || y == -1) {
    return y * kInf;
  }
  const double magnitude = std::fabs(y);
  if (magnitude > 0.5) {
    return std::copysign(erfcinv_lower(1.0 - magnitude), y);
  }
  double x = y * kSqrtPi / 2;
  for (int step = 0; step < 6; ++step) {  // Newton; the function is nearly straight here
    x -= (std::erf(x) - y) * (kSqrtPi / 2) * std::exp(x * x);
  }
  return x;
}

double erfcx_of(double x) {
  if (x < 8) {
    const double high = static_cast<float>(x);  // exp(x^2) = exp(high^2) exp((x - high)(x + high)), high^2 exact
    return std::exp(high * high) * std::exp((x - high) * (x + high)) * std::erfc(x);
  }
  double tail = x;  // the continued fraction x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))
  for (int k = 60; k >= 1; --k) {
    tail = x + 0.5 * k / tail;
  }
  return 1.0 / (kSqrtPi * tail);
}

namespace {

// Power series of the modified Bessel function of order n, scaled for large arguments by its asymptotic series.
double bessel_i(int order, double x) {
  const double a = std::fabs(x);
  if (a < 30) {
    const double z = 0.25 * a * a;
    double term = order == 0 ? 1.0 : 0.5 * a, sum = term;
    for (int k = 1; k < 120; ++k) {
      term *= z / (static_cast<double>(k) * (k + order));
      sum += term;
    }
    return sum;
  }
  const double mu = 4.0 * order * order;
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 25; ++k) {
    term *= -(mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8.0 * a);
    sum += term;
  }
  return std::exp(a - 0.5 * std::log(2.0 * kPi * a)) * sum;
}

}  // namespace

double bessel_i0(double x) { return bessel_i(0, x); }
double bessel_i1(double x) { return std::copysign(bessel_i(1, x), x); }

}  // namespace hpml::sim::isa
