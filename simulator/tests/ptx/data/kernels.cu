// What the nvcc_*.ptx seeds are made from; data/README.md has the commands.
__device__ int counter;
__managed__ int managed_total = 7;
__constant__ float coefficients[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ float table[3] = {1.5f, -2.0f, 0.25f};
__device__ float* into_table = table + 1;

struct Shape {
  int tag;
  double weight;
  char name[5];
};

__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__global__ void __launch_bounds__(128, 2) mixed(float* x, int n, Shape shape, float (*callback)(float)) {
  extern __shared__ float dynamic[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  dynamic[threadIdx.x] = coefficients[i & 3] * x[i];
  __syncthreads();
  float v = __shfl_xor_sync(0xffffffffu, dynamic[threadIdx.x ^ 1], 3) + *into_table;
  switch (n) {
    case 0: v += 1.0f; break;
    case 1: v *= 3.0f; break;
    case 2: v = sqrtf(v); break;
    case 3: v = v / 7.0f; break;
    case 4: v = callback(v); break;
    default: v += factorial(n); break;
  }
  if (__any_sync(0xffffffffu, v > shape.weight)) {
    atomicAdd(&counter, shape.tag);
  }
  float4 w = reinterpret_cast<float4*>(x)[i];
  w.x += v + managed_total;
  reinterpret_cast<float4*>(x)[i] = w;
}
