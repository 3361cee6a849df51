// Memory that is read before anything was written to it.
#include "cases.cuh"

__global__ void sum_all(const float* in, int n, float* out) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += in[i];  // FIND last_element: uninitialized_global_read thread=(103,0,0) distance=3996
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      part[threadIdx.x] += part[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    *out = part[0];
  }
}
void last_element(bool bad) {
  float* in = nullptr;
  float* out = nullptr;
  cudaMalloc(&in, 1000 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  const std::vector<float> host(1000, 1.0f);
  cudaMemcpy(in, host.data(), (bad ? 999 : 1000) * sizeof(float), cudaMemcpyHostToDevice);
  sum_all<<<1, 128>>>(in, 1000, out);
  float result = 0;
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}

__global__ void increment(int* counter) {
  atomicAdd(counter, 1);  // FIND counter: uninitialized_global_read thread=(0,0,0)
}
void counter(bool bad) {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  if (!bad) {
    cudaMemset(p, 0, sizeof(int));
  }
  increment<<<2, 64>>>(p);
  cudaFree(p);
}

__global__ void mirror(int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < n) {
    tile[t] = t;
  }
  __syncthreads();
  out[t] = tile[63 - t];  // FIND tile_part: uninitialized_shared_read thread=(0,0,0)
}
void tile_part(bool bad) {
  int* out = filled<int>(64);
  mirror<<<1, 64>>>(out, bad ? 60 : 64);
  cudaFree(out);
}

__global__ void rows(const int* in, size_t pitch, int* out) {
  const int* row = reinterpret_cast<const int*>(reinterpret_cast<const char*>(in) + threadIdx.y * pitch);
  out[threadIdx.y * 16 + threadIdx.x] = row[threadIdx.x];  // FIND padding: uninitialized_global_read thread=(10,0,0)
}
void padding(bool bad) {
  int* in = nullptr;
  size_t pitch = 0;
  int* out = filled<int>(16 * 4);
  const int host[40] = {};
  cudaMallocPitch(&in, &pitch, 40, 4);
  cudaMemcpy2D(in, pitch, host, 40, 40, 4, cudaMemcpyHostToDevice);
  rows<<<1, dim3(bad ? 11 : 10, 4)>>>(in, pitch, out);
  cudaFree(in);
  cudaFree(out);
}

// Memory that was freed and allocated again is new.
__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // FIND second_life: uninitialized_global_read thread=(0,0,0)
}
void second_life(bool bad) {
  int* out = filled<int>(32);
  int* first = filled<int>(32);
  cudaFree(first);
  int* second = nullptr;
  cudaMalloc(&second, 32 * sizeof(int));
  if (!bad) {
    cudaMemcpy(second, out, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
  }
  copy<<<1, 32>>>(second, out);
  cudaFree(second);
  cudaFree(out);
}

// FIND copied_back: uninitialized_copy
void copied_back(bool bad) {
  int* p = nullptr;
  int host[32];
  cudaMalloc(&p, sizeof(host));
  cudaMemset(p, 0, bad ? 31 * sizeof(int) : sizeof(host));
  cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(p);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"last_element", last_element}, {"counter", counter},         {"tile_part", tile_part},
                        {"padding", padding},           {"second_life", second_life}, {"copied_back", copied_back}};
  return run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
