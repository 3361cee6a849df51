// What the nvcc_debug.ptx and nvcc_lineinfo.ptx seeds are made from; data/README.md has the commands.
__device__ __forceinline__ float twice(float a) { return a + a; }

__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = twice(x[i]);
  }
}
