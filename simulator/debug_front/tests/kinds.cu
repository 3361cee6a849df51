// For tests of values: types of every size in local memory, CUDA's 16-bit numbers, constants of enumerations.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

enum Color { red, green = 5, blue };

__global__ void kinds(__half* halves, __nv_bfloat16* brains, double* out) {
  const int i = threadIdx.x;
  volatile unsigned char bytes[2];
  volatile short words[2];
  volatile double reals[2];
  Color color = i == 3 ? blue : red;
  unsigned char byte = 200 + i;
  bytes[1] = 100 + i;
  words[1] = 1000 + i;
  reals[1] = i + 0.25;
  halves[i] = __float2half(i * 0.5f);
  brains[i] = __float2bfloat16(i * 2.0f);
  out[i] = reals[1] + words[1] + bytes[1];
  out[i + 32] = byte + color;
}

int main() {
  __half* halves;
  __nv_bfloat16* brains;
  double* out;
  cudaMalloc(&halves, 32 * sizeof *halves);
  cudaMalloc(&brains, 32 * sizeof *brains);
  cudaMalloc(&out, 64 * sizeof *out);
  kinds<<<1, 32>>>(halves, brains, out);
  return cudaDeviceSynchronize();
}
