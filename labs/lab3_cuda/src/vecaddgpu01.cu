// B-Q3: z = x + y on the GPU with unified memory. Run: vecaddgpu01 GRID BLOCK K [--n COUNT]; GRID 0 = ceil(n / BLOCK)
#include "cuda_check.h"
#include "partb.h"

// BEGIN STUDENT
// Step 1. Your kernel of vecaddgpu00.cu; it does not change.
__global__ void add(const float* x, const float* y, float* z, size_t n) {
  (void)x;
  (void)y;
  (void)z;
  (void)n;
}
// END STUDENT

int main(int argc, char** argv) {
  const Options options = read_gpu_options(argc, argv);
  unsigned grid = static_cast<unsigned>(options.grid);
  double allocation = 0;
  double cold = 0;
  double warm = 0;
  CUDA_CHECK(cudaFree(0));  // the first CUDA call sets up the GPU and takes long; keep it out of your times
  const double begin = now_ms();
  // BEGIN STUDENT
  // Step 2. When grid is 0, compute how many blocks of options.block threads cover options.n elements.
  // Step 3. cudaMallocManaged x, y, z: one pointer for CPU and GPU; time it. Then fill_inputs(x, y, n).
  // Step 4. Launch and synchronise, timed: the cold run. The pages move to the GPU while the kernel runs.
  // Step 5. The same again, timed: the warm run. There is no cudaMemcpy anywhere.
  // END STUDENT
  const double total = now_ms() - begin;

  print_shape(options, grid);
  print_ms("Unified Memory Allocation Time", allocation);
  print_ms("Execution Time", cold);
  print_ms("Execution Time (warm)", warm);
  print_ms("Total Time", total);
  // BEGIN STUDENT
  // Step 6. print_checksum(z, options.n), then cudaFree everything you allocated.
  // END STUDENT
  return 0;
}
