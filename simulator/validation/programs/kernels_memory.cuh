// Kernels of kernels.cu that memory decides: copies, sparse and irregular accesses, stencils, memory near the cores.
#pragma once

#include "bench.cuh"

constexpr int kWords = 1 << 22;  // of each array

// Copies ---------------------------------------------------------------------------------------------------------------

__global__ void copy_words(const float* a, float* c) { c[global_thread()] = a[global_thread()]; }

__global__ void copy_quads(const float4* a, float4* c) { c[global_thread()] = a[global_thread()]; }

// Few warps, each of many turns: what one turn takes is what the memory's latency leaves.
__global__ void copy_few(const float* a, float* c, int n) {
  for (int i = global_thread(); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    c[i] = a[i];
  }
}

__global__ void copy_strided(const float* a, float* c, int stride) {
  const int i = global_thread();
  c[i] = a[static_cast<size_t>(i) * stride % kWords];
}

template <bool kPadded>
__global__ void transpose_tiled(const float* a, float* c, int n) {
  __shared__ float tile[32][32 + kPadded];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  }
  __syncthreads();
  const int column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    c[(row + j) * n + column] = tile[threadIdx.x][threadIdx.y + j];
  }
}

__global__ void transpose_direct(const float* a, float* c, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    c[x * n + y + j] = a[(y + j) * n + x];
  }
}

// Sparse and irregular ---------------------------------------------------------------------------------------------------

// Rows of `each` entries at pseudo-random columns; one thread per row.
__global__ void sparse_by_thread(const uint32_t* columns, const float* values, const float* x, float* y, int each) {
  const int row = global_thread();
  float sum = 0;
  for (int i = 0; i < each; ++i) {
    sum += values[row * each + i] * x[columns[row * each + i] % 65536];
  }
  y[row] = sum;
}

__global__ void sparse_by_warp(const uint32_t* columns, const float* values, const float* x, float* y, int each) {
  const int row = global_thread() / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int i = lane; i < each; i += 32) {
    sum += values[row * each + i] * x[columns[row * each + i] % 65536];
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}

// One level of a search through a random graph: a third of the nodes visits its neighbours.
__global__ void visit(const uint32_t* edges, uint32_t* level, int nodes) {
  const int node = global_thread();
  if (edges[node] % 3 == 0) {
    for (int e = 0; e < 6; ++e) {
      level[edges[node * 6 + e] % nodes] = 1;
    }
  }
}

__global__ void chase_pointers(const uint32_t* next, uint32_t* out, uint32_t mask, int steps) {
  uint32_t at = static_cast<uint32_t>(global_thread());
  for (int i = 0; i < steps; ++i) {
    at = next[at & mask] ^ static_cast<uint32_t>(i);
  }
  out[global_thread()] = at;
}

__global__ void gather_table(const uint32_t* numbers, const float* table, float* c, uint32_t mask) {
  float sum = 0;
  uint32_t at = numbers[global_thread()];
  for (int i = 0; i < 16; ++i) {
    sum += table[at & mask];
    at = at * 1664525u + 1013904223u;
  }
  c[global_thread()] = sum;
}

// Stencils ---------------------------------------------------------------------------------------------------------------

__global__ void stencil_cube(const float* a, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) {
    return;
  }
  for (int z = 1; z < n - 1; ++z) {
    const float* at = a + (z * n + y) * n + x;
    c[(z * n + y) * n + x] = 0.4f * at[0] + 0.1f * (at[-1] + at[1] + at[-n] + at[n] + at[-n * n] + at[n * n]);
  }
}

constexpr int kRadius = 4;

__global__ void stencil_row(const float* a, float* c) {
  __shared__ float tile[256 + 2 * kRadius];
  const int i = global_thread() + kRadius, local = threadIdx.x + kRadius;
  tile[local] = a[i];
  if (threadIdx.x < kRadius) {
    tile[threadIdx.x] = a[i - kRadius];
    tile[local + 256] = a[i + 256];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -kRadius; j <= kRadius; ++j) {
    sum += tile[local + j] * (1.0f / (kRadius + 2 + j));
  }
  c[i] = sum;
}

// A wave in two dimensions: three arrays, eight loads.
__global__ void wave(const float* now, const float* before, float* next, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2) {
    return;
  }
  const float* at = now + y * n + x;
  const float inner = at[-1] + at[1] + at[-n] + at[n], outer = at[-2] + at[2] + at[-2 * n] + at[2 * n];
  next[y * n + x] = 2.0f * at[0] - before[y * n + x] + 0.2f * (1.33f * inner - 0.083f * outer - 5.0f * at[0]);
}

// Memory near the cores ------------------------------------------------------------------------------------------------------

// Every block reads the same 16 KiB over and over.
__global__ void reread(const float4* a, float* c, int turns) {
  float sum = 0;
  for (int i = 0; i < turns; ++i) {
    const float4 v = a[(threadIdx.x + i * 64) % 1024];
    sum += v.x + v.y * v.z - v.w;
  }
  c[global_thread()] = sum;
}

__global__ void own_array(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t own[32];
  uint32_t x = numbers[global_thread()];
  for (int i = 0; i < 32; ++i) {
    own[i] = x * i;
  }
  for (int i = 0; i < turns; ++i) {
    x = own[x >> 27] + i;
    own[(x + 5) & 31] ^= x;
  }
  out[global_thread()] = x;
}

__constant__ float weights[1024];

__global__ void weigh(const float* a, float* c, int turns) {
  float sum = 0;
  const float x = a[global_thread()];
  for (int i = 0; i < turns; ++i) {
    sum = sum * x + weights[i];
  }
  c[global_thread()] = sum;
}

__global__ void vote_and_shuffle(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t x = numbers[global_thread()];
  for (int i = 0; i < turns; ++i) {
    const uint32_t odd = __ballot_sync(0xffffffffu, x & 1);
    x = __shfl_sync(0xffffffffu, x, (x >> 3) & 31) * 5 + __popc(odd);
  }
  out[global_thread()] = x;
}
