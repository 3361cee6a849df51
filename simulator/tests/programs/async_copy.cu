// cp.async by the pipeline primitives: double buffering, partial copies filled with zeros, copies switched off.
#include <cuda_pipeline.h>

#include "check.cuh"

constexpr int kThreads = 64, kTiles = 10;

__global__ void double_buffer(const float4* in, float* out) {
  __shared__ float4 tile[2][kThreads];
  __pipeline_memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x, sizeof(float4));
  __pipeline_commit();
  float sum = 0;
  for (int t = 0; t < kTiles; ++t) {
    if (t + 1 < kTiles) {
      __pipeline_memcpy_async(&tile[(t + 1) % 2][threadIdx.x], in + (t + 1) * kThreads + threadIdx.x, sizeof(float4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 v = tile[t % 2][kThreads - 1 - threadIdx.x];
    sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The first 32 threads copy 4, 3, 2, 1 or 0 bytes, the rest being zeros; of the others, those with bit 3 set read nothing.
__global__ void partial(const unsigned* in, unsigned* out) {
  __shared__ unsigned words[kThreads];
  const int i = threadIdx.x;
  words[i] = 0xabababab;
  if (i < 32) {
    __pipeline_memcpy_async(&words[i], in + i, 4, i % 5);
  } else {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&words[i]));
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %2, 0;\n"
        "  cp.async.ca.shared.global.L2::128B [%0], [%1], 4, p; }" ::"r"(to),
        "l"(in + i), "r"(i & 8)
        : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[i] = words[i];
}

int main() {
  std::vector<float4> in(kTiles * kThreads);
  for (size_t i = 0; i < in.size(); ++i) {
    const float v = static_cast<float>(i);
    in[i] = make_float4(v, v + 1, v + 2, v + 3);
  }
  float* out = device_array<float>(kThreads);
  double_buffer<<<1, kThreads>>>(to_device(in), out);
  check_launch();
  const std::vector<float> sums = to_host(out, kThreads);
  int right = 0;
  for (int i = 0; i < kThreads; ++i) {
    float expected = 0;
    for (int t = 0; t < kTiles; ++t) {
      expected += 10.0f * static_cast<float>(t * kThreads + kThreads - 1 - i) + 20;
    }
    right += sums[i] == expected;
  }
  printf("double_buffer %d\n", right);
  std::vector<unsigned> words(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    words[i] = 0x04030201u + 0x01010101u * static_cast<unsigned>(i);
  }
  unsigned* got = device_array<unsigned>(kThreads);
  partial<<<1, kThreads>>>(to_device(words), got);
  check_launch();
  for (const unsigned word : to_host(got, kThreads)) {
    printf("%08x\n", word);
  }
}
