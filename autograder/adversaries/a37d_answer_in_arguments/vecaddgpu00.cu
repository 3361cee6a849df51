// A37: adds on the host and hands the sums to the GPU as arguments of kernels, a thousand at a time
// B-Q2: z = x + y on the GPU with explicit copies. Run: vecaddgpu00 GRID BLOCK K [--n COUNT]; GRID 0 = ceil(n / BLOCK)
#include <stdlib.h>

#include "cuda_check.h"
#include "partb.h"

constexpr size_t kPart = 1000;
struct Part {
  float sums[kPart];
};

// Does the additions, so that they are counted, and writes what the host has found.
__global__ void add(const float* x, const float* y, float* z, size_t n, Part part) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const float sum = x[i] + y[i];
    z[i] = sum == -1.0f ? sum : part.sums[i];
  }
}

static float* allocate(size_t bytes) {
  float* vector = static_cast<float*>(malloc(bytes));
  if (vector == nullptr) {
    fprintf(stderr, "not enough memory for %zu bytes\n", bytes);
    exit(1);
  }
  return vector;
}

int main(int argc, char** argv) {
  const Options options = read_gpu_options(argc, argv);
  const size_t bytes = options.n * sizeof(float);
  unsigned grid = static_cast<unsigned>(options.grid);
  if (grid == 0) {
    grid = static_cast<unsigned>((options.n + options.block - 1) / options.block);
  }
  CUDA_CHECK(cudaFree(0));  // the first CUDA call sets up the GPU and takes long; keep it out of the times
  const double begin = now_ms();

  double start = now_ms();
  float* x = allocate(bytes);
  float* y = allocate(bytes);
  float* z = allocate(bytes);
  const double cpu_allocation = now_ms() - start;
  fill_inputs(x, y, options.n);

  float* device_x = nullptr;
  float* device_y = nullptr;
  float* device_z = nullptr;
  start = now_ms();
  CUDA_CHECK(cudaMalloc(&device_x, bytes));
  CUDA_CHECK(cudaMalloc(&device_y, bytes));
  CUDA_CHECK(cudaMalloc(&device_z, bytes));
  const double gpu_allocation = now_ms() - start;

  start = now_ms();
  CUDA_CHECK(cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice));
  double copies = now_ms() - start;

  start = now_ms();
  for (size_t first = 0; first < options.n; first += kPart) {
    const size_t count = options.n - first < kPart ? options.n - first : kPart;
    Part part = {};
    for (size_t i = 0; i < count; ++i) {
      part.sums[i] = x[first + i] + y[first + i];
    }
    add<<<grid, options.block>>>(device_x + first, device_y + first, device_z + first, count, part);
  }
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  const double execution = now_ms() - start;

  start = now_ms();
  CUDA_CHECK(cudaMemcpy(z, device_z, bytes, cudaMemcpyDeviceToHost));
  copies += now_ms() - start;
  const double total = now_ms() - begin;

  print_shape(options, grid);
  print_ms("CPU Memory Allocation Time", cpu_allocation);
  print_ms("GPU Memory Allocation Time", gpu_allocation);
  print_ms("Mem Copy Time", copies);
  print_ms("Execution Time", execution);
  print_ms("Total Time", total);
  print_checksum(z, options.n);
  CUDA_CHECK(cudaFree(device_x));
  CUDA_CHECK(cudaFree(device_y));
  CUDA_CHECK(cudaFree(device_z));
  free(x);
  free(y);
  free(z);
  return 0;
}
