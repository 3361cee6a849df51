// Kernels of kernels.cu that work within a block or compute.
#pragma once

#include <cuda_fp16.h>
#include <mma.h>

#include "bench.cuh"

// Within a block -----------------------------------------------------------------------------------------------------------

__global__ void scan_block(const float* a, float* c) {
  __shared__ float sums[2][256];
  int from = 0;
  sums[0][threadIdx.x] = a[global_thread()];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2, from ^= 1) {
    const float other = threadIdx.x >= static_cast<unsigned>(step) ? sums[from][threadIdx.x - step] : 0.0f;
    sums[from ^ 1][threadIdx.x] = sums[from][threadIdx.x] + other;
    __syncthreads();
  }
  c[global_thread()] = sums[from][threadIdx.x];
}

__global__ void sort_block(uint32_t* keys) {
  __shared__ uint32_t own[512];
  const int base = blockIdx.x * 512, t = threadIdx.x;
  own[t] = keys[base + t];
  own[t + 256] = keys[base + t + 256];
  for (int run = 2; run <= 512; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int i = 2 * t - (t & (distance - 1)), j = i + distance;
      const bool up = (i & run) == 0;
      if ((own[i] > own[j]) == up) {
        const uint32_t key = own[i];
        own[i] = own[j];
        own[j] = key;
      }
    }
  }
  __syncthreads();
  keys[base + t] = own[t];
  keys[base + t + 256] = own[t + 256];
}

// 512 points per block, radix 2, twiddle factors by the fast functions.
__global__ void transform(const float2* a, float2* c) {
  __shared__ float2 points[512];
  const int base = blockIdx.x * 512, t = threadIdx.x;
  points[__brev(t) >> 23] = a[base + t];
  points[__brev(t + 256) >> 23] = a[base + t + 256];
  for (int half = 1; half < 512; half *= 2) {
    __syncthreads();
    const int k = t & (half - 1), i = 2 * t - k;
    float sine, cosine;
    __sincosf(-3.14159265f * static_cast<float>(k) / static_cast<float>(half), &sine, &cosine);
    const float2 x = points[i], y = points[i + half];
    const float2 turned = {y.x * cosine - y.y * sine, y.x * sine + y.y * cosine};
    points[i] = {x.x + turned.x, x.y + turned.y};
    points[i + half] = {x.x - turned.x, x.y - turned.y};
  }
  __syncthreads();
  c[base + t] = points[t];
  c[base + t + 256] = points[t + 256];
}

// 1024 threads that wait for each other after every step.
__global__ void relax_line(float* a, int steps) {
  __shared__ float line[1024];
  const int t = threadIdx.x;
  line[t] = a[global_thread()];
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    const float mean = 0.5f * (line[(t + 1023) % 1024] + line[(t + 1) % 1024]);
    __syncthreads();
    line[t] = mean;
  }
  a[global_thread()] = line[t];
}

// Forward substitution by one warp per system: every step waits for the one before.
__global__ void substitute(const float* lower, float* x, int n) {
  const int system = blockIdx.x, lane = threadIdx.x;
  const float* l = lower + static_cast<size_t>(system) * n * n;
  for (int row = 0; row < n; ++row) {
    float sum = 0;
    for (int j = lane; j < row; j += 32) {
      sum += l[row * n + j] * x[system * n + j];
    }
    for (int step = 16; step > 0; step /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    if (lane == 0) {
      x[system * n + row] = (1.0f - sum) / (l[row * n + row] + 2.0f);
    }
    __syncwarp();
  }
}

__global__ void softmax(const float* a, float* c, int columns) {
  __shared__ float part[8];
  const float* row = a + static_cast<size_t>(blockIdx.x) * columns;
  const auto over_block = [&](float value, bool largest) {
    for (int step = 16; step > 0; step /= 2) {
      const float other = __shfl_xor_sync(0xffffffffu, value, step);
      value = largest ? fmaxf(value, other) : value + other;
    }
    __syncthreads();
    part[threadIdx.x / 32] = value;
    __syncthreads();
    value = part[0];
    for (int w = 1; w < 8; ++w) {
      value = largest ? fmaxf(value, part[w]) : value + part[w];
    }
    return value;
  };
  float most = -1e30f, sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) {
    most = fmaxf(most, row[i]);
  }
  most = over_block(most, true);
  for (int i = threadIdx.x; i < columns; i += 256) {
    sum += __expf(row[i] - most);
  }
  sum = over_block(sum, false);
  for (int i = threadIdx.x; i < columns; i += 256) {
    c[static_cast<size_t>(blockIdx.x) * columns + i] = __expf(row[i] - most) / sum;
  }
}

__global__ void normalise(const float4* a, float4* c, int quads) {
  const int row = global_thread() / 32, lane = threadIdx.x % 32;
  float sum = 0, squares = 0;
  for (int i = lane; i < quads; i += 32) {
    const float4 v = a[row * quads + i];
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
    squares += __shfl_xor_sync(0xffffffffu, squares, step);
  }
  const float mean = sum / (4 * quads), scale = rsqrtf(squares / (4 * quads) - mean * mean + 1e-5f);
  for (int i = lane; i < quads; i += 32) {
    const float4 v = a[row * quads + i];
    c[row * quads + i] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale, (v.w - mean) * scale};
  }
}

__global__ void count_bytes(const uint32_t* numbers, uint32_t* bins, int each) {
  __shared__ uint32_t own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < each; ++i) {
    const uint32_t word = numbers[(blockIdx.x * each + i) * 256 + threadIdx.x];
    atomicAdd(&own[word & 255], 1u);
    atomicAdd(&own[word >> 8 & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Arithmetic -----------------------------------------------------------------------------------------------------------------

// 64 x 64 elements by 256 threads, 4 x 4 each.
__global__ void product_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][64], tile_b[16][64];
  const int row = blockIdx.y * 64, column = blockIdx.x * 64, t = threadIdx.x, x = t % 16, y = t / 16;
  float sums[4][4] = {};
  for (int step = 0; step < n; step += 16) {
    for (int i = t; i < 1024; i += 256) {
      tile_a[i % 16][i / 16] = a[(row + i / 16) * n + step + i % 16];
      tile_b[i / 64][i % 64] = b[(step + i / 64) * n + column + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float left[4], right[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        left[i] = tile_a[k][y * 4 + i];
        right[i] = tile_b[k][x * 4 + i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sums[i][j] += left[i] * right[j];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      c[(row + y * 4 + i) * n + column + x * 4 + j] = sums[i][j];
    }
  }
}

// One 16 x 16 piece of the product per warp, on the tensor cores, straight from global memory.
__global__ void product_tensor(const half* a, const half* b, float* c, int n) {
  using namespace nvcuda::wmma;
  const int piece = global_thread() / 32, row = piece / (n / 16) * 16, column = piece % (n / 16) * 16;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    fragment<matrix_a, 16, 16, 16, half, row_major> left;
    fragment<matrix_b, 16, 16, 16, half, row_major> right;
    load_matrix_sync(left, a + row * n + k, n);
    load_matrix_sync(right, b + k * n + column, n);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}

__global__ void bodies(const float4* place, float3* pull, int n) {
  __shared__ float4 some[128];
  const float4 me = place[global_thread()];
  float3 sum = {0, 0, 0};
  for (int first = 0; first < n; first += 128) {
    some[threadIdx.x] = place[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < 128; ++j) {
      const float3 d = {some[j].x - me.x, some[j].y - me.y, some[j].z - me.z};
      const float near = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 1e-3f), force = some[j].w * near * near * near;
      sum = {sum.x + d.x * force, sum.y + d.y * force, sum.z + d.z * force};
    }
    __syncthreads();
  }
  pull[global_thread()] = sum;
}

__global__ void chance(const uint32_t* seeds, float* c, int draws) {
  uint32_t state = seeds[global_thread()];
  float sum = 0;
  for (int i = 0; i < draws; ++i) {
    state = state * 1664525u + 1013904223u;
    const float u = static_cast<float>((state >> 8) + 1) * 0x1p-24f;
    sum += sqrtf(-2.0f * logf(u)) * u;
  }
  c[global_thread()] = sum;
}

__global__ void polynomial(const float* a, float* c, int turns) {
  float x = a[global_thread()], y = x + 1, z = x + 2, w = x + 3;
  for (int i = 0; i < turns; ++i) {
    x = x * 0.999f + 0.25f;
    y = y * 0.998f + 0.125f;
    z = z * 0.997f + 0.5f;
    w = w * 0.996f + 0.75f;
  }
  c[global_thread()] = x + y + z + w;
}

// One dependent chain per thread and few warps: latency shows.
__global__ void chain(const float* a, float* c, int turns) {
  float x = a[global_thread()];
  for (int i = 0; i < turns; ++i) {
    x = x * 0.999f + 0.25f;
  }
  c[global_thread()] = x;
}

__global__ void doubles_divided(double* c, int turns) {
  double x = 1.0 + global_thread();
  for (int i = 0; i < turns; ++i) {
    x = sqrt(x) + 1.0 / x;
  }
  c[global_thread()] = x;
}

__global__ void integers_mixed(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t x = numbers[global_thread()], y = ~x;
  for (int i = 0; i < turns; ++i) {
    x = (x ^ y >> 7) * 0x85ebca6bu + __popc(y);
    y = __funnelshift_l(y, x, 11) + (x & 0xff00ffu);
  }
  out[global_thread()] = x ^ y;
}

__global__ void divided_integers(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t x = numbers[global_thread()], sum = 0;
  for (int i = 1; i <= turns; ++i) {
    sum += x / (sum % 97 + i) + x % (i + 3);
  }
  out[global_thread()] = sum;
}

__global__ void dots_of_bytes(const uint32_t* a, const uint32_t* b, int* c, int each) {
  int sum = 0;
  for (int i = 0; i < each; ++i) {
    const int at = (blockIdx.x * each + i) * 256 + threadIdx.x;
    sum = __dp4a(static_cast<int>(a[at]), static_cast<int>(b[at]), sum);
  }
  c[global_thread()] = sum;
}

__global__ void halves(const half2* a, half2* c, int turns) {
  half2 x = a[global_thread()];
  const half2 scale = __float2half2_rn(0.99f), step = __float2half2_rn(0.5f);
  for (int i = 0; i < turns; ++i) {
    x = __hfma2(x, scale, step);
  }
  c[global_thread()] = x;
}
