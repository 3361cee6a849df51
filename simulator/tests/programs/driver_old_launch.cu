// Launches as before CUDA 4.0: the block, the shared memory and the arguments are set one after another
#include <vector>

#include "driver.cuh"

struct Pair {
  short a, b;
};

__global__ void scale(float* p, float factor, int n, Pair pair) {
  extern __shared__ float tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x + gridDim.x * blockDim.x * blockIdx.y;
  tile[threadIdx.x] = i < n ? p[i] : 0;
  __syncthreads();
  if (i < n) {
    p[i] = tile[threadIdx.x] * factor + pair.a - pair.b;
  }
}

int main() {
  use_primary_context();
  CUfunction function = nullptr;
  if (cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(scale)) != cudaSuccess) {
    return 1;
  }
  const int n = 100;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) {
    values[i] = static_cast<float>(i);
  }
  CUdeviceptr memory = 0;
  DRIVER(cuMemAlloc(&memory, n * sizeof(float)));
  DRIVER(cuMemcpyHtoD(memory, values.data(), n * sizeof(float)));
  Pair pair = {7, 4};
  DRIVER(cuFuncSetBlockShape(function, 16, 1, 1));
  DRIVER(cuFuncSetSharedSize(function, 16 * sizeof(float)));
  DRIVER(cuParamSetv(function, 0, &memory, sizeof(memory)));
  DRIVER(cuParamSetf(function, 8, 2.0f));
  DRIVER(cuParamSeti(function, 12, n));
  DRIVER(cuParamSetv(function, 16, &pair, sizeof(pair)));
  DRIVER(cuParamSetSize(function, 20));
  DRIVER(cuLaunchGrid(function, 4, 2));
  DRIVER(cuCtxSynchronize());
  DRIVER(cuMemcpyDtoH(values.data(), memory, n * sizeof(float)));
  printf("%g %g %g\n", values[0], values[1], values[n - 1]);
  DRIVER(cuParamSetSize(function, 8));
  printf("too few arguments: %s\n", named(cuLaunchGrid(function, 1, 1)));
  printf("no block: %s\n", named(cuFuncSetBlockShape(function, 0, 1, 1)));
  CUcontext context;
  DRIVER(cuCtxAttach(&context, 0));
  CUcontext current;
  DRIVER(cuCtxGetCurrent(&current));
  printf("attached %d\n", context == current);
}
