// B-Q2: z = x + y on the GPU with explicit copies. Run: vecaddgpu00 GRID BLOCK K [--n COUNT]; GRID 0 = ceil(n / BLOCK)
#include <stdlib.h>

#include "cuda_check.h"
#include "partb.h"

// BEGIN STUDENT
// Step 1. The kernel: every thread runs this function. Its number in the whole grid is
//   blockIdx.x * blockDim.x + threadIdx.x, and there are gridDim.x * blockDim.x threads.
// It must be right for every launch: one thread alone adds all elements, many threads share them.
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
  double cpu_allocation = 0;
  double gpu_allocation = 0;
  double copies = 0;
  double execution = 0;
  CUDA_CHECK(cudaFree(0));  // the first CUDA call sets up the GPU and takes long; keep it out of your times
  const double begin = now_ms();
  // BEGIN STUDENT
  // Step 2. When grid is 0, compute how many blocks of options.block threads cover options.n elements.
  // Step 3. malloc x, y, z on the host; time it. Then fill_inputs(x, y, n).
  // Step 4. cudaMalloc three vectors on the GPU; time it.
  // Step 5. cudaMemcpy x and y to the GPU; time it.
  // Step 6. Launch add<<<grid, options.block>>>(...), cudaGetLastError(), cudaDeviceSynchronize(); time all of it:
  //         a launch returns at once, only after the synchronisation is the kernel done.
  // Step 7. cudaMemcpy z back; add its time to copies.
  // END STUDENT
  const double total = now_ms() - begin;

  print_shape(options, grid);
  print_ms("CPU Memory Allocation Time", cpu_allocation);
  print_ms("GPU Memory Allocation Time", gpu_allocation);
  print_ms("Mem Copy Time", copies);
  print_ms("Execution Time", execution);
  print_ms("Total Time", total);
  // BEGIN STUDENT
  // Step 8. print_checksum(z, options.n), then cudaFree and free everything you allocated.
  // END STUDENT
  return 0;
}
