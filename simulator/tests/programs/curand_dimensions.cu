// Sobol's sequences of cuRAND in several dimensions: every dimension fills its interval evenly, two of them a square, and
// the volume of a ball comes out right.
#include <curand.h>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  const int points = 256, dimensions = 40;
  curandGenerator_t generator;
  float* device = nullptr;
  std::vector<float> host(points * dimensions);
  cudaMalloc(&device, host.size() * sizeof(float));
  curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32);
  printf("dimensions %d, none %d\n", curandSetQuasiRandomGeneratorDimensions(generator, dimensions),
         curandSetQuasiRandomGeneratorDimensions(generator, 0));
  curandGenerateUniform(generator, device, host.size());
  cudaMemcpy(host.data(), device, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int uneven = 0, alike = 0;
  for (int d = 0; d < dimensions; ++d) {  // one number in each of 256 equal parts
    std::vector<int> parts(points);
    for (int i = 0; i < points; ++i) {
      ++parts[std::min(points - 1, (int)(host[d * points + i] * points))];
    }
    uneven += std::count(parts.begin(), parts.end(), 1) != points;
    alike += d > 0 && std::equal(&host[d * points], &host[d * points] + points, &host[(d - 1) * points]);
  }
  printf("uneven dimensions %d, alike %d\n", uneven, alike);
  std::vector<int> cells(points);  // of the first two: one in each of 16 x 16
  for (int i = 0; i < points; ++i) {
    ++cells[std::min(15, (int)(host[i] * 16)) * 16 + std::min(15, (int)(host[points + i] * 16))];
  }
  printf("empty cells %d\n", (int)std::count(cells.begin(), cells.end(), 0));
  printf("first %g %g %g, second %g %g %g\n", host[1], host[2], host[3], host[points + 1], host[points + 2],
         host[points + 3]);
  printf("not a multiple: %d\n", curandGenerateUniform(generator, device, dimensions + 1));

  curandSetQuasiRandomGeneratorDimensions(generator, 3);
  const int many = 3000;
  curandGenerateUniform(generator, device, 3 * many);
  cudaMemcpy(host.data(), device, 3 * many * sizeof(float), cudaMemcpyDeviceToHost);
  int inside = 0;
  for (int i = 0; i < many; ++i) {
    const float x = host[i], y = host[many + i], z = host[2 * many + i];
    inside += x * x + y * y + z * z < 1;
  }
  printf("ball: %.2f\n", 8.0 * inside / many);

  curandGenerator_t wide;
  unsigned long long numbers[4];
  curandCreateGeneratorHost(&wide, CURAND_RNG_QUASI_SOBOL64);
  printf("of 64 bits: %d %d", curandGenerate(wide, (unsigned*)numbers, 4), curandGenerateLongLong(wide, numbers, 4));
  printf(" %llx %llx %llx\n", numbers[1], numbers[2], numbers[3]);
  curandDirectionVectors32_t* vectors = nullptr;
  printf("directions %d", curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  printf(" %x %x %x\n", vectors[1][1], vectors[3][31], vectors[9][31]);
  return curandDestroyGenerator(generator);
}
