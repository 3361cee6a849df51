// Single-precision functions against the host's double precision, within a few units in the last place.
#include <math.h>

#include "check.cuh"

const int kFunctions = 20;
const int kPoints = 32;

__device__ float value(int f, float x) {
  switch (f) {
    case 0: return sinf(x);
    case 1: return cosf(x);
    case 2: return tanf(x);
    case 3: return expf(x);
    case 4: return logf(x);
    case 5: return sqrtf(x);
    case 6: return powf(x, 1.7f);
    case 7: return exp2f(x);
    case 8: return log2f(x);
    case 9: return log10f(x);
    case 10: return atanf(x);
    case 11: return atan2f(x, 2.0f);
    case 12: return tanhf(x);
    case 13: return cbrtf(x);
    case 14: return erff(x);
    case 15: return hypotf(x, 3.0f);
    case 16: return fmodf(x, 0.75f);
    case 17: return rsqrtf(x);
    case 18: return x / 3.0f;
    default: return std::sin(x) + std::sqrt(x) + fabs(-x) + floorf(x) + ceilf(x) + fmaxf(x, 2.0f);
  }
}

double reference(int f, double x) {
  switch (f) {
    case 0: return sin(x);
    case 1: return cos(x);
    case 2: return tan(x);
    case 3: return exp(x);
    case 4: return log(x);
    case 5: return sqrt(x);
    case 6: return pow(x, static_cast<double>(1.7f));
    case 7: return exp2(x);
    case 8: return log2(x);
    case 9: return log10(x);
    case 10: return atan(x);
    case 11: return atan2(x, 2.0);
    case 12: return tanh(x);
    case 13: return cbrt(x);
    case 14: return erf(x);
    case 15: return hypot(x, 3.0);
    case 16: return fmod(x, 0.75);
    case 17: return 1 / sqrt(x);
    case 18: return x / 3.0;
    default: return sin(x) + sqrt(x) + x + floor(x) + ceil(x) + (x > 2 ? x : 2);
  }
}

__global__ void evaluate(float* out) {
  for (int f = 0; f < kFunctions; ++f) {
    out[f * kPoints + threadIdx.x] = value(f, 0.1f + 0.25f * threadIdx.x);
  }
}

int main() {
  float* out = device_array<float>(kFunctions * kPoints);
  evaluate<<<1, kPoints>>>(out);
  check_launch();
  const std::vector<float> got = to_host(out, kFunctions * kPoints);
  int wrong = 0;
  for (int i = 0; i < kFunctions * kPoints; ++i) {
    const float x = 0.1f + 0.25f * (i % kPoints);
    const double expected = reference(i / kPoints, x);
    // 8 ulp of the result or of 1e-2: near a zero the argument's own rounding matters.
    const double tolerance = 8 * 1.2e-7 * fmax(fabs(expected), 1e-2);
    if (!(fabs(got[i] - expected) <= tolerance)) {
      printf("function %d at %.2f: %.9g, expected %.9g\n", i / kPoints, x, got[i], expected);
      ++wrong;
    }
  }
  printf("%d values, %d wrong\n", kFunctions * kPoints, wrong);
}
