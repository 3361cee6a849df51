// Double-precision functions against the host's, and the mixed and std:: spellings. Not fmax(x, 2): from nvcc's view that
// is a constexpr function of the host (libstdc++ in C++20), which device code may not call.
#include <cmath>

#include "check.cuh"

const int kFunctions = 16;
const int kPoints = 32;

__host__ __device__ double value(int f, double x) {
  switch (f) {
    case 0: return sin(x);
    case 1: return cos(x);
    case 2: return exp(x);
    case 3: return log(x);
    case 4: return sqrt(x);
    case 5: return pow(x, 1.7);
    case 6: return std::pow(x, 3);
    case 7: return atan2(x, 2.0);
    case 8: return tanh(x);
    case 9: return erf(x);
    case 10: return std::fmod(x, 0.75);
    case 11: return std::log1p(x) + std::expm1(x);
    case 12: return floor(x) + ceil(x) + trunc(x) + round(x) + rint(x);
    case 13: return fmax(x, 2.0) + fmin(x, 3.0) + std::abs(-x) + fma(x, x, 1.0);
    case 14: return lgamma(x + 1) + asinh(x);
    default: {
      int exponent = 0;
      double whole = 0;
      const double fraction = frexp(x, &exponent);
      return fraction + exponent + modf(x, &whole) * 100 + whole + ldexp(x, 3) + copysign(1.0, -x);
    }
  }
}

__global__ void evaluate(double* out) {
  for (int f = 0; f < kFunctions; ++f) {
    out[f * kPoints + threadIdx.x] = value(f, 0.1 + 0.25 * threadIdx.x);
  }
}

int main() {
  double* out = device_array<double>(kFunctions * kPoints);
  evaluate<<<1, kPoints>>>(out);
  check_launch();
  const std::vector<double> got = to_host(out, kFunctions * kPoints);
  int wrong = 0;
  for (int i = 0; i < kFunctions * kPoints; ++i) {
    const double x = 0.1 + 0.25 * (i % kPoints);
    const double expected = value(i / kPoints, x);
    const double tolerance = 8 * 2.3e-16 * std::fmax(std::fabs(expected), 1e-2);
    if (!(std::fabs(got[i] - expected) <= tolerance)) {
      printf("function %d at %.2f: %.17g, expected %.17g\n", i / kPoints, x, got[i], expected);
      ++wrong;
    }
  }
  printf("%d values, %d wrong\n", kFunctions * kPoints, wrong);
}
