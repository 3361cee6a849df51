// Threads of a block that use one place in shared memory with nothing between them.
#include "cases.cuh"

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n, bool before, bool after) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += kTile) {
    as[y][x] = a[row * n + tile + x];  // FIND tile_reuse: write_after_read other=use_a // MAY tile_ready: write_after_read other=use_a // LABEL fill_a
    bs[y][x] = b[(tile + y) * n + column];  // FIND tile_reuse: write_after_read other=use_b // MAY tile_ready: write_after_read other=use_b // LABEL fill_b
    if (before) {
      __syncthreads();
    }
    for (int k = 0; k < kTile; ++k) {
      const float left = as[y][k];   // FIND tile_ready: read_after_write other=fill_a // MAY tile_reuse: read_after_write other=fill_a // MAY tile_ready: uninitialized_shared_read // LABEL use_a
      const float right = bs[k][x];  // FIND tile_ready: read_after_write other=fill_b // MAY tile_reuse: read_after_write other=fill_b // MAY tile_ready: uninitialized_shared_read // LABEL use_b
      sum += left * right;
    }
    if (after) {
      __syncthreads();
    }
  }
  c[row * n + column] = sum;
}
void run_matmul(bool before, bool after) {
  constexpr int n = 2 * kTile;
  float *a = filled<float>(n * n), *b = filled<float>(n * n), *c = filled<float>(n * n);
  matmul<<<dim3(2, 2), dim3(kTile, kTile)>>>(a, b, c, n, before, after);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
void tile_ready(bool bad) { run_matmul(!bad, true); }
void tile_reuse(bool bad) { run_matmul(true, !bad); }

__global__ void reduce(const int* in, int* out, bool sync) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int mine = part[t] + part[t + 32];
    if (sync) __syncwarp();
    part[t] = mine;  // LABEL first_sum
    __syncwarp();
    mine += t < 16 ? part[t + 16] : 0;  // LABEL second_read
    if (sync) __syncwarp();
    part[t] = mine;  // FIND last_warp: write_after_read other=second_read // LABEL second_sum
    if (sync) __syncwarp();
    mine += t < 8 ? part[t + 8] : 0;  // FIND last_warp: read_after_write other=second_sum
    *out = mine;
  }
}
void last_warp(bool bad) {
  int *in = filled<int>(64), *out = filled<int>(1);
  reduce<<<1, 64>>>(in, out, !bad);
  cudaFree(in);
  cudaFree(out);
}

__global__ void choose(int* out, int threads) {
  __shared__ int winner;
  if (threadIdx.x < threads) {
    winner = threadIdx.x;  // FIND two_writers: write_after_write thread=(1,0,0) other=winner // LABEL winner
  }
  __syncthreads();
  *out = winner;
}
void two_writers(bool bad) {
  int* out = filled<int>(1);
  choose<<<1, 64>>>(out, bad ? 2 : 1);
  cudaFree(out);
}

__global__ void histogram(const int* in, int* out, bool atomic) {
  __shared__ int bins[4];
  const int t = threadIdx.x;
  if (t < 4) {
    bins[t] = 0;
  }
  __syncthreads();
  if (atomic) {
    atomicAdd(&bins[in[t]], 1);
  } else {
    bins[in[t]] += 1;  // FIND plain_count: write_after_read other=count // MAY plain_count: write_after_write other=count // MAY plain_count: read_after_write other=count // LABEL count
  }
  __syncthreads();
  if (t < 4) {
    out[t] = bins[t];
  }
}
void plain_count(bool bad) {
  int *in = filled<int>(64), *out = filled<int>(4);
  histogram<<<1, 64>>>(in, out, !bad);
  cudaFree(in);
  cudaFree(out);
}

// Half of the block waits for the other half at a barrier of its own.
__global__ void pipeline(int* out, bool wait) {
  __shared__ int box[32];
  const int t = threadIdx.x;
  if (t < 32) {
    box[t] = t;  // LABEL box
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    if (wait) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    out[t - 32] = box[63 - t];  // FIND producer: read_after_write other=box thread=(32,0,0)
  }
}
void producer(bool bad) {
  int* out = filled<int>(32);
  pipeline<<<1, 64>>>(out, !bad);
  cudaFree(out);
}

// Quarters of a warp that synchronise among themselves.
__global__ void quarters(int* out, bool far) {
  __shared__ int box[32];
  const int t = threadIdx.x;
  box[t] = t;  // LABEL quarter
  __syncwarp(0xffu << (t / 8 * 8));
  out[t] = box[far ? t ^ 8 : t ^ 1];  // FIND other_quarter: read_after_write other=quarter
}
void other_quarter(bool bad) {
  int* out = filled<int>(32);
  quarters<<<1, 32>>>(out, bad);
  cudaFree(out);
}

// A lock in shared memory orders what it protects.
__global__ void locked_sum(int* out, bool use_lock) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) {
    lock = 0;
    sum = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (use_lock && atomicCAS(&lock, 0, 1) != 0) {
    }
    sum += threadIdx.x;  // FIND lock: write_after_write other=sum // MAY lock: write_after_read other=sum // MAY lock: read_after_write other=sum // LABEL sum
    __threadfence_block();
    if (use_lock) {
      atomicExch(&lock, 0);
    }
  }
  __syncthreads();
  *out = sum;
}
void lock(bool bad) {
  int* out = filled<int>(1);
  locked_sum<<<1, 128>>>(out, !bad);
  cudaFree(out);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"tile_ready", tile_ready}, {"tile_reuse", tile_reuse},       {"last_warp", last_warp},
                        {"two_writers", two_writers}, {"plain_count", plain_count},   {"producer", producer},
                        {"other_quarter", other_quarter}, {"lock", lock}};
  return run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
