// Dynamic parallelism: kernels that launch kernels, in recursion too, and call the runtime.
#include <algorithm>

#include "check.cuh"

__global__ void add(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] += value; }

__global__ void every_thread_launches(int* out) { add<<<2, 32>>>(out, threadIdx.x + 1); }

// Each block of a grid launches a grid like its own, until the depth is reached.
__global__ void tree(int depth, int* count_at_depth) {
  if (threadIdx.x == 0) {
    atomicAdd(count_at_depth + depth, 1);
    if (depth < 3) {
      tree<<<gridDim.x, blockDim.x>>>(depth + 1, count_at_depth);
    }
  }
}

__global__ void quicksort(int* data, int first, int last) {
  if (first >= last) {
    return;
  }
  const int pivot = data[(first + last) / 2];
  int i = first, j = last;
  while (i <= j) {
    while (data[i] < pivot) {
      ++i;
    }
    while (data[j] > pivot) {
      --j;
    }
    if (i <= j) {
      const int t = data[i];
      data[i++] = data[j];
      data[j--] = t;
    }
  }
  cudaStream_t streams[2];
  cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking);
  quicksort<<<1, 1, 0, streams[0]>>>(data, first, j);
  quicksort<<<1, 1, 0, streams[1]>>>(data, i, last);
  cudaStreamDestroy(streams[0]);
  cudaStreamDestroy(streams[1]);
}

struct Values {
  double number[3];
  short small;
};

__global__ void scale(Values values, char c, float* out) {
  extern __shared__ float shared[];
  const unsigned i = threadIdx.y * blockDim.x + threadIdx.x;
  shared[i] = static_cast<float>(values.number[i % 3] * values.small + c);
  __syncthreads();
  out[i] = shared[blockDim.x * blockDim.y - 1 - i];
}

__global__ void launch_with_arguments(float* out) {
  if (threadIdx.x == 0) {
    const Values values = {{0.5, 1.5, 2.5}, 4};
    scale<<<dim3(1, 1, 1), dim3(8, 4, 1), 32 * sizeof(float)>>>(values, 'a', out);
    scale<<<1, 32, 32 * sizeof(float)>>>(values, 'b', out);
  }
}

__global__ void order(int* out) {
  *out = 7;            // seen by what is launched after it; a later store would race with it
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(out, 100);  // after everything else
  cudaMemsetAsync(out, 0, sizeof(int));
  add<<<1, 1>>>(out, 5);
  cudaMemcpyAsync(out + 1, out, sizeof(int), cudaMemcpyDeviceToDevice);
}

// What the host has set, as far as it set anything.
__global__ void ask_limits(unsigned long long* out) {
  size_t value = 0;
  out[0] = cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize) == cudaSuccess ? value : 0;
  out[1] = cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess ? value : 0;
  out[2] = cudaDeviceGetLimit(&value, static_cast<cudaLimit>(77)) != cudaSuccess;
}

__global__ void ask(int* out) {
  int device = -1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(out, cudaDevAttrMaxThreadsPerBlock, device);
  add<<<1, 2048>>>(out, 1);
  out[1] = cudaGetLastError();
  out[2] = cudaGetLastError();
  int* heap = nullptr;
  out[3] = cudaMalloc(&heap, 64);
  heap[3] = 9;
  out[4] = heap[3] + cudaFree(heap);
}

// A box of 2 x 3 numbers out of rows of 4, the rest filled; and what may be asked about a kernel.
__global__ void boxes_and_facts(const int* in, int* out, int* facts) {
  facts[3] = cudaMemset2DAsync(out, 4 * sizeof(int), 1, 4 * sizeof(int), 3);
  facts[4] = cudaMemcpy2DAsync(out + 1, 4 * sizeof(int), in, 2 * sizeof(int), 2 * sizeof(int), 3, cudaMemcpyDeviceToDevice);
  cudaFuncAttributes attributes;
  facts[0] = cudaFuncGetAttributes(&attributes, add);
  facts[0] += attributes.maxThreadsPerBlock + 10000 * attributes.numRegs;
  facts[1] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(facts + 2, add, 64, 0);
}

void test_boxes_and_facts() {
  const int* in = to_device(std::vector<int>{1, 2, 3, 4, 5, 6});
  int *out = device_array<int>(12), *facts = device_array<int>(5);
  boxes_and_facts<<<1, 1>>>(in, out, facts);
  check_launch();
  const std::vector<int> got = to_host(out, 12), told = to_host(facts, 5);
  printf("boxes: %x %d %d %x, %d %d %x, errors %d %d\n", got[0], got[1], got[2], got[3], got[9], got[10], got[11], told[3],
         told[4]);
  cudaFuncAttributes attributes;
  int blocks = 0;
  CHECK(cudaFuncGetAttributes(&attributes, add));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0));
  printf("facts: %d %d\n", told[0] == attributes.maxThreadsPerBlock + 10000 * attributes.numRegs,
         told[1] == 0 && told[2] == blocks);
}

int main() {
  int* out = device_array<int>(64);
  every_thread_launches<<<1, 4>>>(out);
  check_launch();
  std::vector<int> got = to_host(out, 64);
  printf("sum of launches: %d %d\n", got[0], got[63]);

  int* counts = device_array<int>(4);
  tree<<<2, 2>>>(0, counts);
  check_launch();
  got = to_host(counts, 4);
  printf("tree: %d %d %d %d\n", got[0], got[1], got[2], got[3]);

  std::vector<int> numbers(100);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<int>(i * 7919 % 1009);
  }
  int* data = to_device(numbers);
  quicksort<<<1, 1>>>(data, 0, static_cast<int>(numbers.size()) - 1);
  check_launch();
  got = to_host(data, numbers.size());
  std::sort(numbers.begin(), numbers.end());
  printf("quicksort: %s\n", got == numbers ? "sorted" : "wrong");

  float* scaled = device_array<float>(32);
  launch_with_arguments<<<1, 32>>>(scaled);
  check_launch();
  const std::vector<float> f = to_host(scaled, 32);
  printf("arguments: %g %g\n", f[0], f[31]);

  order<<<1, 1>>>(out);
  check_launch();
  got = to_host(out, 2);
  printf("order: %d %d\n", got[0], got[1]);

  ask<<<1, 1>>>(out);
  check_launch();
  got = to_host(out, 5);
  printf("answers: %d %d %d %d %d\n", got[0], got[1], got[2], got[3], got[4]);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  unsigned long long* limits = device_array<unsigned long long>(3);
  ask_limits<<<1, 1>>>(limits);
  check_launch();
  const std::vector<unsigned long long> set = to_host(limits, 3);
  printf("limits: %llu %llu %llu\n", set[0], set[1], set[2]);
  test_boxes_and_facts();
}
