// Random numbers from cuRAND's host API on the GPU: the same as from its generators for the CPU, used in a kernel, on a
// stream, and again from the same seed.
#include <curand.h>

#include <cmath>

#include "check.cuh"

constexpr int kNumbers = 1 << 16;

#define CURAND(call) check_curand((call), __LINE__)

static void check_curand(curandStatus_t status, int line) {
  if (status != CURAND_STATUS_SUCCESS) {
    printf("line %d: status %d\n", line, status);
    exit(1);
  }
}

__global__ void inside(const float* x, const float* y, int n, unsigned* count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && x[i] * x[i] + y[i] * y[i] < 1) {
    atomicAdd(count, 1);
  }
}

static void compare(curandRngType_t type, const char* name) {
  curandGenerator_t gpu, cpu;
  CURAND(curandCreateGenerator(&gpu, type));
  CURAND(curandCreateGeneratorHost(&cpu, type));
  if (type < CURAND_RNG_QUASI_DEFAULT) {
    CURAND(curandSetPseudoRandomGeneratorSeed(gpu, 42));
    CURAND(curandSetPseudoRandomGeneratorSeed(cpu, 42));
  }
  auto* bits = device_array<unsigned>(kNumbers);
  auto* normal = device_array<double>(kNumbers);
  std::vector<unsigned> bits_there(kNumbers);
  std::vector<double> normal_there(kNumbers);
  CURAND(curandGenerate(gpu, bits, kNumbers));
  CURAND(curandGenerateNormalDouble(gpu, normal, kNumbers, 10, 2));
  CURAND(curandGenerate(cpu, bits_there.data(), kNumbers));
  CURAND(curandGenerateNormalDouble(cpu, normal_there.data(), kNumbers, 10, 2));
  double sum = 0, squares = 0, difference = 0;
  const auto got = to_host(normal, kNumbers);
  for (int i = 0; i < kNumbers; ++i) {
    sum += got[i];
    squares += (got[i] - 10) * (got[i] - 10);
    difference = std::fmax(difference, std::fabs(got[i] - normal_there[i]));
  }
  printf("%s: bits %s, normal %s, mean %.1f, deviation %.1f\n", name, to_host(bits, kNumbers) == bits_there ? "agree" : "differ",
         difference < 1e-9 ? "agree" : "differ", sum / kNumbers, std::sqrt(squares / kNumbers));
  CURAND(curandDestroyGenerator(gpu));
  CURAND(curandDestroyGenerator(cpu));
  CHECK(cudaFree(bits));
  CHECK(cudaFree(normal));
}

// Mean and variance are the same number.
static void poisson(double lambda) {
  curandGenerator_t generator;
  CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  auto* out = device_array<unsigned>(kNumbers);
  CURAND(curandGeneratePoisson(generator, out, kNumbers, lambda));
  double sum = 0, squares = 0;
  for (const unsigned one : to_host(out, kNumbers)) {
    sum += one;
    squares += static_cast<double>(one) * one;
  }
  const double mean = sum / kNumbers, variance = squares / kNumbers - mean * mean;
  printf("Poisson %g: %d %d\n", lambda, std::abs(mean / lambda - 1) < 0.02, std::abs(variance / lambda - 1) < 0.1);
  CURAND(curandDestroyGenerator(generator));
}

int main() {
  compare(CURAND_RNG_PSEUDO_DEFAULT, "default");
  compare(CURAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a");
  compare(CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox");
  compare(CURAND_RNG_QUASI_SOBOL32, "Sobol");
  compare(CURAND_RNG_PSEUDO_MT19937, "MT19937");
  poisson(4.0);
  poisson(1000.0);

  curandGenerator_t generator;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW));
  CURAND(curandSetStream(generator, stream));
  CURAND(curandSetPseudoRandomGeneratorSeed(generator, 1234));
  auto* x = device_array<float>(kNumbers);
  auto* y = device_array<float>(kNumbers);
  auto* count = device_array<unsigned>(1);
  CURAND(curandGenerateUniform(generator, x, kNumbers));
  CURAND(curandGenerateUniform(generator, y, kNumbers));
  inside<<<kNumbers / 256, 256, 0, stream>>>(x, y, kNumbers, count);
  check_launch();
  const double pi = 4.0 * to_host(count, 1)[0] / kNumbers;
  printf("pi is about %.1f\n", pi);
  CURAND(curandSetGeneratorOffset(generator, kNumbers));
  auto* again = device_array<float>(kNumbers);
  CURAND(curandGenerateUniform(generator, again, kNumbers));
  CHECK(cudaStreamSynchronize(stream));
  printf("from the same offset: %s\n", to_host(again, kNumbers) == to_host(y, kNumbers) ? "the same" : "others");
  printf("odd number of normal ones: %d\n", curandGenerateNormal(generator, x, 3, 0, 1));
  CURAND(curandDestroyGenerator(generator));
  return 0;
}
