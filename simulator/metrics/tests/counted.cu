// Makes every counter of a T4 count: see test_counters.py. Prints nothing; exits with 1 when a CUDA call fails.
#include <cuda_runtime.h>

#include <cstdlib>

namespace {

constexpr int kBlocks = 80, kThreads = 256, kCount = kBlocks * kThreads;
constexpr size_t kBytes = kCount * sizeof(float);

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::exit(1);
  }
}

__global__ void arithmetic(float* x, double* y, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float f = x[i], g = 1.0f;
  double d = f;
  for (int k = 0; k < rounds; ++k) {
    f = __fadd_rn(__fmul_rn(__fmaf_rn(f, 0.5f, 1.0f), 0.5f), 1.0f);
    g += __sinf(f) + __expf(g);
    d = __dadd_rn(__dmul_rn(__fma_rn(d, 0.5, 1.0), 0.5), 1.0);
  }
  for (int k = 0; k < static_cast<int>(threadIdx.x) % 32; ++k) {  // the threads of a warp part
    g += __sinf(g);
  }
  x[i] = f + g;
  y[i] = d;
}

__global__ void shared_memory(float* x) {
  __shared__ float tile[32 * 33];
  extern __shared__ float more[];
  const int t = threadIdx.x;
  for (int k = 0; k < 16; ++k) {
    tile[(t * 32 + k) % 1024] = x[t];  // all threads of a warp want one bank
    more[t] = x[k];
    __syncthreads();
    atomicAdd(&tile[(t * 32 + k) % 1024], more[(t + k) % kThreads]);
    __syncthreads();
    x[blockIdx.x * blockDim.x + t] += tile[(t * 32) % 1024];
  }
  __threadfence_system();
}

__global__ void scattered(float* x, int* counts, const int* where) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float local[64];
  for (int k = 0; k < 64; ++k) {
    local[(k + where[i]) % 64] = x[(i * 33 + k * 97) % kCount];
  }
  if (atomicAdd(&counts[i % 7], 1) < 0) {
    x[0] = 0;
  }
  atomicAdd(&counts[8 + i % 7], 1);
  x[i] = local[where[i] % 64] + local[(where[i] + 9) % 64];
}

__global__ void doubled(float* to, const float* from, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    to[i] = 2 * from[i];
  }
}

void copies_and_kernels() {
  float *x = nullptr, *host = nullptr;
  double* y = nullptr;
  int *counts = nullptr, *where = nullptr;
  check(cudaMalloc(&x, kBytes));
  check(cudaMalloc(&y, 2 * kBytes));
  check(cudaMalloc(&counts, 64));
  check(cudaMalloc(&where, kBytes));
  check(cudaMemset(counts, 0, 64));
  check(cudaMemset(where, 0, kBytes));
  check(cudaHostAlloc(&host, kBytes, cudaHostAllocMapped));
  for (int i = 0; i < kCount; ++i) {
    host[i] = 1;
  }
  check(cudaMemcpy(x, host, kBytes, cudaMemcpyHostToDevice));
  arithmetic<<<kBlocks, kThreads>>>(x, y, 24);
  shared_memory<<<kBlocks, kThreads, kThreads * sizeof(float)>>>(x);
  scattered<<<kBlocks, kThreads>>>(x, counts, where);
  doubled<<<kBlocks, kThreads>>>(host, host, kCount);  // over the link
  check(cudaMemcpy(host, x, kBytes, cudaMemcpyDeviceToHost));
  check(cudaFree(y));  // and the rest leaks
}

// More managed memory than there is room for, touched by the GPU and then by the host.
void managed_memory() {
  constexpr int kManaged = 2 << 20;  // floats
  constexpr size_t kRoom = 12 << 20;
  size_t room = 0, all = 0;
  void* occupied = nullptr;
  check(cudaMemGetInfo(&room, &all));
  check(cudaMalloc(&occupied, room - kRoom));
  float *from = nullptr, *to = nullptr;
  check(cudaMallocManaged(&from, kManaged * sizeof(float)));
  check(cudaMallocManaged(&to, kManaged * sizeof(float)));
  for (int i = 0; i < kManaged; i += 1024) {
    from[i] = 1;
  }
  check(cudaMemPrefetchAsync(from, 1 << 20, 0, nullptr));
  doubled<<<kBlocks, kThreads>>>(to, from, kManaged);
  check(cudaDeviceSynchronize());
  if (to[kManaged - 1024] != 2) {  // the start of it had to make room
    std::exit(1);
  }
  check(cudaFree(occupied));
}

}  // namespace

int main() {
  copies_and_kernels();
  managed_memory();
  return 0;
}
