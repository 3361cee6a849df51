// cuda::barrier, cuda::pipeline and cooperative_groups::memcpy_async: hardware barriers and copies from sm_80 on, software
// below (block_barrier_75.cu), transaction barriers from sm_90 on (block_barrier_90.cu).
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128, kRounds = 6;

// Every thread writes, all meet, every thread reads its neighbour's: rounds of one barrier.
__global__ void rounds(int* out) {
  __shared__ Barrier meet;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) {
    init(&meet, kThreads);
  }
  __syncthreads();
  int mine = threadIdx.x;
  for (int i = 0; i < kRounds; ++i) {
    values[threadIdx.x] = mine;
    meet.arrive_and_wait();
    mine += values[(threadIdx.x + 1) % kThreads];
    auto token = meet.arrive();
    meet.wait(std::move(token));
  }
  out[threadIdx.x] = mine;
}

// Half of the threads produce, half consume, through two barriers; at the end the producers drop out.
__global__ void produce_consume(int* out) {
  __shared__ Barrier full, empty;
  __shared__ int box[kThreads / 2];
  if (threadIdx.x == 0) {
    init(&full, kThreads);
    init(&empty, kThreads);
  }
  __syncthreads();
  const int half = kThreads / 2, i = threadIdx.x % half;
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x < half) {
      empty.arrive_and_wait();
      box[i] = i * 10 + round;
      auto filled = full.arrive();
      if (round == kRounds - 1) {
        full.wait(std::move(filled));  // dropping out is an arrival, too: it must not count for this phase
      }
    } else {
      (void)empty.arrive();
      full.arrive_and_wait();
      sum += box[i];
    }
  }
  if (threadIdx.x < half) {
    full.arrive_and_drop();
  } else {
    full.arrive_and_wait();
    out[i] = sum;
  }
}

__global__ void copy_by_barrier(const int* in, int* out) {
  __shared__ Barrier arrived;
  __shared__ alignas(16) int tile[4 * kThreads];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) {
    init(&arrived, kThreads);
  }
  block.sync();
  for (int t = 0; t < 4; ++t) {
    cuda::memcpy_async(block, tile, in + t * 4 * kThreads, cuda::aligned_size_t<16>(sizeof(tile)), arrived);
    arrived.arrive_and_wait();
    for (int i = threadIdx.x; i < 4 * kThreads; i += kThreads) {
      out[t * 4 * kThreads + i] = tile[4 * kThreads - 1 - i] + t;
    }
    block.sync();
  }
}

template <int kStages>
__global__ void copy_by_pipeline(const int* in, int* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int tile[kStages][kThreads];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int t = 0; t < tiles; ++t) {
    for (; fetched < tiles && fetched < t + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % kStages], in + fetched * kThreads, sizeof(tile[0]), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[t * kThreads + threadIdx.x] = tile[t % kStages][kThreads - 1 - threadIdx.x] * 3;
    pipe.consumer_release();
  }
}

__global__ void copy_by_group(const int* in, int* out) {
  __shared__ alignas(16) int tile[2][kThreads];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof(tile[0]));
  cg::memcpy_async(block, tile[1], in + kThreads, cuda::aligned_size_t<16>(sizeof(tile[1])));
  cg::wait_prior<1>(block);
  out[threadIdx.x] = tile[0][kThreads - 1 - threadIdx.x];
  cg::wait(block);
  out[kThreads + threadIdx.x] = tile[1][kThreads - 1 - threadIdx.x];
}

int main() {
  int* out = device_array<int>(16 * kThreads);
  rounds<<<1, kThreads>>>(out);
  check_launch();
  std::vector<int> now(kThreads), next(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    now[i] = i;
  }
  for (int r = 0; r < kRounds; ++r) {
    for (int i = 0; i < kThreads; ++i) {
      next[i] = now[i] + now[(i + 1) % kThreads];
    }
    now = next;
  }
  printf("rounds %d\n", to_host(out, kThreads) == now);

  produce_consume<<<1, kThreads>>>(out);
  check_launch();
  const std::vector<int> sums = to_host(out, kThreads / 2);
  int right = 0;
  for (int i = 0; i < kThreads / 2; ++i) {
    right += sums[i] == kRounds * 10 * i + kRounds * (kRounds - 1) / 2;
  }
  printf("produce_consume %d\n", right);

  std::vector<int> in(16 * kThreads);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<int>(i * i % 1009);
  }
  int* device_in = to_device(in);
  copy_by_barrier<<<1, kThreads>>>(device_in, out);
  check_launch();
  const std::vector<int> tiles = to_host(out, 16 * kThreads);
  right = 0;
  for (int i = 0; i < 16 * kThreads; ++i) {
    const int tile = i / (4 * kThreads), place = i % (4 * kThreads);
    right += tiles[i] == in[tile * 4 * kThreads + 4 * kThreads - 1 - place] + tile;
  }
  printf("copy_by_barrier %d\n", right);

  for (int stages = 1; stages <= 3; ++stages) {
    CHECK(cudaMemset(out, 0, 16 * kThreads * sizeof(int)));
    if (stages == 1) {
      copy_by_pipeline<1><<<1, kThreads>>>(device_in, out, 16);
    } else if (stages == 2) {
      copy_by_pipeline<2><<<1, kThreads>>>(device_in, out, 16);
    } else {
      copy_by_pipeline<3><<<1, kThreads>>>(device_in, out, 16);
    }
    check_launch();
    const std::vector<int> piped = to_host(out, 16 * kThreads);
    right = 0;
    for (int i = 0; i < 16 * kThreads; ++i) {
      right += piped[i] == 3 * in[i / kThreads * kThreads + kThreads - 1 - i % kThreads];
    }
    printf("copy_by_pipeline<%d> %d\n", stages, right);
  }

  copy_by_group<<<1, kThreads>>>(device_in, out);
  check_launch();
  const std::vector<int> grouped = to_host(out, 2 * kThreads);
  right = 0;
  for (int i = 0; i < 2 * kThreads; ++i) {
    right += grouped[i] == in[i / kThreads * kThreads + kThreads - 1 - i % kThreads];
  }
  printf("copy_by_group %d\n", right);
}
