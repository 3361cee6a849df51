// NCCL: a thread for each of four GPUs, as data-parallel training has them: each learns a line from its part of the points, and
// the gradients are summed at every step; then the ranks are split in two halves.
#include <thread>

#include "nccl_check.cuh"

constexpr int kRanks = 4, kPoints = 256, kSteps = 200;

// Points of the line y = 3 x - 1; model: slope and offset.
__global__ void gradient(const float* model, float* sum, int rank) {
  const int i = rank * kPoints + threadIdx.x;
  const float x = static_cast<float>(i) / (kRanks * kPoints) - 0.5f;
  const float error = model[0] * x + model[1] - (3.0f * x - 1.0f);
  atomicAdd(&sum[0], error * x / (kRanks * kPoints));
  atomicAdd(&sum[1], error / (kRanks * kPoints));
}

__global__ void update(float* model, float* sum) {
  model[threadIdx.x] -= sum[threadIdx.x];
  sum[threadIdx.x] = 0;
}

struct Result {
  float model[2];
  int half_rank, half_sum;
};

static void train(ncclUniqueId id, int rank, Result* result) {
  CHECK(cudaSetDevice(rank));
  ncclComm_t all, half;
  NCCL(ncclCommInitRank(&all, kRanks, id, rank));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float *model, *sum;
  CHECK(cudaMalloc(&model, 2 * sizeof(float)));
  CHECK(cudaMalloc(&sum, 2 * sizeof(float)));
  CHECK(cudaMemsetAsync(sum, 0, 2 * sizeof(float), stream));
  const float start[2] = {static_cast<float>(rank + 1), 7};  // rank 0's holds
  CHECK(cudaMemcpyAsync(model, start, sizeof start, cudaMemcpyHostToDevice, stream));
  NCCL(ncclBcast(model, 2, ncclFloat, 0, all, stream));
  for (int step = 0; step < kSteps; ++step) {
    gradient<<<1, kPoints, 0, stream>>>(model, sum, rank);
    NCCL(ncclAllReduce(sum, sum, 2, ncclFloat, ncclSum, all, stream));
    update<<<1, 2, 0, stream>>>(model, sum);
  }
  CHECK(cudaMemcpyAsync(result->model, model, sizeof result->model, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));

  NCCL(ncclCommSplit(all, rank % 2, -rank, &half, nullptr));
  NCCL(ncclCommUserRank(half, &result->half_rank));
  int* number;
  CHECK(cudaMalloc(&number, sizeof(int)));
  CHECK(cudaMemcpy(number, &rank, sizeof rank, cudaMemcpyHostToDevice));
  NCCL(ncclAllReduce(number, number, 1, ncclInt, ncclSum, half, stream));
  CHECK(cudaMemcpyAsync(&result->half_sum, number, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  NCCL(ncclCommDestroy(half));
  NCCL(ncclCommDestroy(all));
}

static bool same(const Result* results) {
  for (int rank = 1; rank < kRanks; ++rank) {
    if (results[rank].model[0] != results[0].model[0] || results[rank].model[1] != results[0].model[1]) {
      return false;
    }
  }
  return true;
}

int main() {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  Result results[kRanks];
  std::vector<std::thread> threads;
  for (int rank = 0; rank < kRanks; ++rank) {
    threads.emplace_back(train, id, rank, &results[rank]);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const Result& r : results) {
    printf("y = %.3f x + %.3f; in its half rank %d, sum %d\n", r.model[0], r.model[1], r.half_rank, r.half_sum);
  }
  printf("the same on every GPU: %s\n", same(results) ? "yes" : "no");
}
