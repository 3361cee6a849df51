// The same launch again and again, with everything changed between that it may depend on: each must see the change.
#include <cstdio>
#include <vector>

#include "check.cuh"

constexpr int kCount = 4096, kBlock = 256, kTimes = 5;

__constant__ float factor;
__device__ float addend;
__device__ unsigned long long calls;

__global__ void combine(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = factor * in[i] + addend;
}

__global__ void indirect(float* const* table, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[0][i] + table[1][i];
}

__global__ void count_calls(float* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x == 0) {
    atomicAdd(&calls, 1ULL);
  }
}

__global__ void say(int n) {
  if (threadIdx.x == 0) {
    printf("say %d\n", n);
  }
}

__global__ void accumulate(float* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

template <class F>
void expect(const char* what, const float* device, F value) {
  std::vector<float> host(kCount);
  CHECK(cudaMemcpy(host.data(), device, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    wrong += host[i] != value(i);
  }
  printf("%s: %d wrong\n", what, wrong);
}

int main() {
  const int blocks = kCount / kBlock;
  const size_t bytes = kCount * sizeof(float);
  float *in, *out, *other, **table, *mapped;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMalloc(&other, bytes));
  CHECK(cudaMalloc(&table, 2 * sizeof(float*)));
  CHECK(cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped));
  std::vector<float> host(kCount);
  for (int i = 0; i < kCount; ++i) {
    host[i] = i;
  }
  CHECK(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice));

  for (int t = 0; t < kTimes; ++t) {
    const float f = t / 2, a = t / 3;  // changes now and then
    CHECK(cudaMemcpyToSymbol(factor, &f, sizeof f));
    CHECK(cudaMemcpyToSymbol(addend, &a, sizeof a));
    combine<<<blocks, kBlock>>>(in, out);
    expect("symbols", out, [&](int i) { return f * i + a; });
  }
  for (int t = 0; t < kTimes; ++t) {
    CHECK(cudaMemset(out, t, bytes));  // the output of the time before is gone
    combine<<<blocks, kBlock>>>(in, out);
    expect("output", out, [&](int i) { return 2.0f * i + 1; });
  }
  for (int t = 0; t < kTimes; ++t) {
    float* pointers[2] = {in, t < 3 ? in : other};
    CHECK(cudaMemcpy(other, out, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(table, pointers, sizeof pointers, cudaMemcpyHostToDevice));
    indirect<<<blocks, kBlock>>>(table, out);
    expect("pointers", out, [&](int i) { return t < 4 ? (t < 3 ? 2.0f * i : 3.0f * i) : 4.0f * i; });
  }
  for (int t = 0; t < kTimes; ++t) {
    for (int i = 0; i < kCount; ++i) {
      mapped[i] = i + t / 2;
    }
    combine<<<blocks, kBlock>>>(mapped, out);
    expect("host memory", out, [&](int i) { return 2.0f * (i + t / 2) + 1; });
  }
  CHECK(cudaMemset(other, 0, bytes));
  for (int t = 0; t < kTimes; ++t) {
    accumulate<<<blocks, kBlock>>>(other);
    count_calls<<<1, kBlock>>>(out);
    say<<<1, 32>>>(7);
  }
  expect("in place", other, [](int) { return static_cast<float>(kTimes); });
  unsigned long long counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, calls, sizeof counted));
  printf("calls: %llu\n", counted);
  return 0;
}
