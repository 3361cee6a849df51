// NCCL: three GPUs driven by one thread, as its documentation's first example: every collective, in place and not, a scaled sum,
// sends and receives in a ring; an all-reduce waits for its streams and goes side by side with a kernel of another one.
#include "nccl_check.cuh"

constexpr int kRanks = 3, kCount = 1000;

static ncclComm_t comms[kRanks];
static cudaStream_t streams[kRanks];
static float *in[kRanks], *out[kRanks];  // kRanks * kCount each

__global__ void fill(float* x, int n, int rank) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = static_cast<float>(rank * 10000 + i);
  }
}

__global__ void work(float* x, int rounds) {
  float sum = x[threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    sum = sum * 0.5f + 1.0f;
  }
  x[threadIdx.x] = sum;
}

static void fill_all() {
  for (int r = 0; r < kRanks; ++r) {
    CHECK(cudaSetDevice(r));
    const int n = kRanks * kCount;
    fill<<<(n + 255) / 256, 256, 0, streams[r]>>>(in[r], n, r);
    CHECK(cudaMemsetAsync(out[r], 0, n * sizeof(float), streams[r]));
  }
}

template <class Call>
static void group(Call call) {
  NCCL(ncclGroupStart());
  for (int r = 0; r < kRanks; ++r) {
    NCCL(call(r));
  }
  NCCL(ncclGroupEnd());
}

// What `expected(rank, index)` says of `n` elements of each rank in `from`.
template <class Expected>
static void compare(const char* what, float** from, int n, Expected expected) {
  int wrong = 0;
  for (int r = 0; r < kRanks; ++r) {
    std::vector<float> host(n);
    CHECK(cudaSetDevice(r));
    CHECK(cudaMemcpyAsync(host.data(), from[r], n * sizeof(float), cudaMemcpyDeviceToHost, streams[r]));
    CHECK(cudaStreamSynchronize(streams[r]));
    for (int i = 0; i < n; ++i) {
      wrong += host[i] != static_cast<float>(expected(r, i)) ? 1 : 0;
    }
  }
  printf("%s: %d wrong\n", what, wrong);
}

static int value(int rank, int i) { return rank * 10000 + i; }

static void collectives() {
  fill_all();
  group([](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclFloat, ncclSum, comms[r], streams[r]); });
  compare("all-reduce", out, kCount, [](int, int i) { return 30000 + 3 * i; });
  group([](int r) { return ncclAllReduce(in[r], in[r], kCount, ncclFloat, ncclMax, comms[r], streams[r]); });
  compare("all-reduce in place, largest", in, kCount, [](int, int i) { return value(2, i); });
  fill_all();
  group([](int r) { return ncclReduce(in[r], out[r], kCount, ncclFloat, ncclAvg, 1, comms[r], streams[r]); });
  compare("reduce, mean", out, kCount, [](int r, int i) { return r == 1 ? value(1, i) : 0; });
  group([](int r) { return ncclBroadcast(in[r], out[r], kCount, ncclFloat, 2, comms[r], streams[r]); });
  compare("broadcast", out, kCount, [](int, int i) { return value(2, i); });
  group([](int r) { return ncclAllGather(in[r], out[r], kCount, ncclFloat, comms[r], streams[r]); });
  compare("all-gather", out, kRanks * kCount, [](int, int i) { return value(i / kCount, i % kCount); });
  group([](int r) { return ncclReduceScatter(in[r], out[r], kCount, ncclFloat, ncclSum, comms[r], streams[r]); });
  compare("reduce-scatter", out, kCount, [](int r, int i) { return 30000 + 3 * (r * kCount + i); });
  group([](int r) {
    const int next = (r + 1) % kRanks, before = (r + kRanks - 1) % kRanks;
    const ncclResult_t sent = ncclSend(in[r], kCount, ncclFloat, next, comms[r], streams[r]);
    return sent != ncclSuccess ? sent : ncclRecv(out[r], kCount, ncclFloat, before, comms[r], streams[r]);
  });
  compare("ring", out, kCount, [](int r, int i) { return value((r + kRanks - 1) % kRanks, i); });
}

static void scaled_sum() {
  fill_all();
  ncclRedOp_t ops[kRanks];
  for (int r = 0; r < kRanks; ++r) {
    float factor = static_cast<float>(r);
    NCCL(ncclRedOpCreatePreMulSum(&ops[r], &factor, ncclFloat, ncclScalarHostImmediate, comms[r]));
  }
  group([&](int r) { return ncclAllReduce(in[r], out[r], kCount, ncclFloat, ops[r], comms[r], streams[r]); });
  compare("scaled sum", out, kCount, [](int, int i) { return value(1, i) + 2 * value(2, i); });
  for (int r = 0; r < kRanks; ++r) {
    NCCL(ncclRedOpDestroy(ops[r], comms[r]));
  }
}

// Milliseconds on GPU 0 of 2 MB all-reduced, of a kernel, and of both side by side.
static void overlap() {
  constexpr int kLarge = 512 << 10;
  float *data[kRanks], *x;
  for (int r = 0; r < kRanks; ++r) {
    CHECK(cudaSetDevice(r));
    CHECK(cudaMalloc(&data[r], kLarge * sizeof(float)));
    CHECK(cudaMemset(data[r], 0, kLarge * sizeof(float)));
  }
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&x, 256 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 256 * sizeof(float)));
  cudaStream_t other;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  const auto time = [&](bool reduces, bool works) {
    cudaEvent_t begin, end, worked;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventCreate(&worked));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin, streams[0]));
    CHECK(cudaStreamWaitEvent(other, begin, 0));
    if (works) {
      work<<<1, 256, 0, other>>>(x, 100000);
    }
    CHECK(cudaEventRecord(worked, other));
    if (reduces) {
      group([&](int r) { return ncclAllReduce(data[r], data[r], kLarge, ncclFloat, ncclSum, comms[r], streams[r]); });
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamWaitEvent(streams[0], worked, 0));
    CHECK(cudaEventRecord(end, streams[0]));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
  };
  const float reduce = time(true, false), kernel = time(false, true), both = time(true, true);
  const float bytes = kLarge * sizeof(float);
  const float bus = 2.0f * (kRanks - 1) / kRanks * bytes / reduce / 1e6f;
  printf("bus bandwidth between 5 and 16 GB/s (PCI Express 3 x16): %s\n", bus > 5 && bus < 16 ? "yes" : "no");
  printf("side by side: %s\n", both < 0.8f * (reduce + kernel) ? "yes" : "no");
}

int main() {
  for (int r = 0; r < kRanks; ++r) {
    CHECK(cudaSetDevice(r));
    CHECK(cudaStreamCreate(&streams[r]));
    CHECK(cudaMalloc(&in[r], kRanks * kCount * sizeof(float)));
    CHECK(cudaMalloc(&out[r], kRanks * kCount * sizeof(float)));
  }
  NCCL(ncclCommInitAll(comms, kRanks, nullptr));
  int ranks, rank, device;
  NCCL(ncclCommCount(comms[1], &ranks));
  NCCL(ncclCommUserRank(comms[1], &rank));
  NCCL(ncclCommCuDevice(comms[1], &device));
  printf("rank %d of %d on device %d\n", rank, ranks, device);
  collectives();
  scaled_sum();
  overlap();
  printf("no root: %s\n", ncclGetErrorString(ncclBroadcast(in[0], out[0], 1, ncclFloat, 3, comms[0], streams[0])));
  printf("another GPU's stream: %s\n",
         ncclGetErrorString(ncclAllReduce(in[0], out[0], 1, ncclFloat, ncclSum, comms[0], streams[1])));
  for (int r = 0; r < kRanks; ++r) {
    NCCL(ncclCommDestroy(comms[r]));
  }
}
