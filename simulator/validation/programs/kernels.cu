// Kernels of many kinds, one launch each, for comparing what a profiler says of a card with what the simulator says.
//   kernels KIND...  prints the time of one launch of each; KIND as in kKinds
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <vector>

#include "bench.cuh"

constexpr int kWords = 1 << 22;  // of each array

struct Arrays {
  float *a, *b, *c;
  uint32_t* numbers;  // pseudo-random
};

__device__ inline int thread_number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

// Copies ---------------------------------------------------------------------------------------------------------------

__global__ void copy_words(const float* a, float* c) { c[thread_number()] = a[thread_number()]; }

__global__ void copy_quads(const float4* a, float4* c) { c[thread_number()] = a[thread_number()]; }

// Few warps, each of many turns: what one turn takes is what the memory's latency leaves.
__global__ void copy_few(const float* a, float* c, int n) {
  for (int i = thread_number(); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    c[i] = a[i];
  }
}

__global__ void copy_strided(const float* a, float* c, int stride) {
  const int i = thread_number();
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
  const int row = thread_number();
  float sum = 0;
  for (int i = 0; i < each; ++i) {
    sum += values[row * each + i] * x[columns[row * each + i] % 65536];
  }
  y[row] = sum;
}

__global__ void sparse_by_warp(const uint32_t* columns, const float* values, const float* x, float* y, int each) {
  const int row = thread_number() / 32, lane = threadIdx.x % 32;
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
  const int node = thread_number();
  if (edges[node] % 3 == 0) {
    for (int e = 0; e < 6; ++e) {
      level[edges[node * 6 + e] % nodes] = 1;
    }
  }
}

__global__ void chase_pointers(const uint32_t* next, uint32_t* out, uint32_t mask, int steps) {
  uint32_t at = static_cast<uint32_t>(thread_number());
  for (int i = 0; i < steps; ++i) {
    at = next[at & mask] ^ static_cast<uint32_t>(i);
  }
  out[thread_number()] = at;
}

__global__ void gather_table(const uint32_t* numbers, const float* table, float* c, uint32_t mask) {
  float sum = 0;
  uint32_t at = numbers[thread_number()];
  for (int i = 0; i < 16; ++i) {
    sum += table[at & mask];
    at = at * 1664525u + 1013904223u;
  }
  c[thread_number()] = sum;
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
  const int i = thread_number() + kRadius, local = threadIdx.x + kRadius;
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

// Within a block -----------------------------------------------------------------------------------------------------------

__global__ void scan_block(const float* a, float* c) {
  __shared__ float sums[2][256];
  int from = 0;
  sums[0][threadIdx.x] = a[thread_number()];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2, from ^= 1) {
    const float other = threadIdx.x >= static_cast<unsigned>(step) ? sums[from][threadIdx.x - step] : 0.0f;
    sums[from ^ 1][threadIdx.x] = sums[from][threadIdx.x] + other;
    __syncthreads();
  }
  c[thread_number()] = sums[from][threadIdx.x];
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
  line[t] = a[thread_number()];
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    const float mean = 0.5f * (line[(t + 1023) % 1024] + line[(t + 1) % 1024]);
    __syncthreads();
    line[t] = mean;
  }
  a[thread_number()] = line[t];
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
  const int row = thread_number() / 32, lane = threadIdx.x % 32;
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
  const int piece = thread_number() / 32, row = piece / (n / 16) * 16, column = piece % (n / 16) * 16;
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
  const float4 me = place[thread_number()];
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
  pull[thread_number()] = sum;
}

__global__ void chance(const uint32_t* seeds, float* c, int draws) {
  uint32_t state = seeds[thread_number()];
  float sum = 0;
  for (int i = 0; i < draws; ++i) {
    state = state * 1664525u + 1013904223u;
    const float u = static_cast<float>((state >> 8) + 1) * 0x1p-24f;
    sum += sqrtf(-2.0f * logf(u)) * u;
  }
  c[thread_number()] = sum;
}

__global__ void polynomial(const float* a, float* c, int turns) {
  float x = a[thread_number()], y = x + 1, z = x + 2, w = x + 3;
  for (int i = 0; i < turns; ++i) {
    x = x * 0.999f + 0.25f;
    y = y * 0.998f + 0.125f;
    z = z * 0.997f + 0.5f;
    w = w * 0.996f + 0.75f;
  }
  c[thread_number()] = x + y + z + w;
}

// One dependent chain per thread and few warps: latency shows.
__global__ void chain(const float* a, float* c, int turns) {
  float x = a[thread_number()];
  for (int i = 0; i < turns; ++i) {
    x = x * 0.999f + 0.25f;
  }
  c[thread_number()] = x;
}

__global__ void doubles_divided(double* c, int turns) {
  double x = 1.0 + thread_number();
  for (int i = 0; i < turns; ++i) {
    x = sqrt(x) + 1.0 / x;
  }
  c[thread_number()] = x;
}

__global__ void integers_mixed(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t x = numbers[thread_number()], y = ~x;
  for (int i = 0; i < turns; ++i) {
    x = (x ^ y >> 7) * 0x85ebca6bu + __popc(y);
    y = __funnelshift_l(y, x, 11) + (x & 0xff00ffu);
  }
  out[thread_number()] = x ^ y;
}

__global__ void divided_integers(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t x = numbers[thread_number()], sum = 0;
  for (int i = 1; i <= turns; ++i) {
    sum += x / (sum % 97 + i) + x % (i + 3);
  }
  out[thread_number()] = sum;
}

__global__ void dots_of_bytes(const uint32_t* a, const uint32_t* b, int* c, int each) {
  int sum = 0;
  for (int i = 0; i < each; ++i) {
    const int at = (blockIdx.x * each + i) * 256 + threadIdx.x;
    sum = __dp4a(static_cast<int>(a[at]), static_cast<int>(b[at]), sum);
  }
  c[thread_number()] = sum;
}

__global__ void halves(const half2* a, half2* c, int turns) {
  half2 x = a[thread_number()];
  const half2 scale = __float2half2_rn(0.99f), step = __float2half2_rn(0.5f);
  for (int i = 0; i < turns; ++i) {
    x = __hfma2(x, scale, step);
  }
  c[thread_number()] = x;
}

// Memory near the cores ------------------------------------------------------------------------------------------------------

// Every block reads the same 16 KiB over and over.
__global__ void reread(const float4* a, float* c, int turns) {
  float sum = 0;
  for (int i = 0; i < turns; ++i) {
    const float4 v = a[(threadIdx.x + i * 64) % 1024];
    sum += v.x + v.y * v.z - v.w;
  }
  c[thread_number()] = sum;
}

__global__ void own_array(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t own[32];
  uint32_t x = numbers[thread_number()];
  for (int i = 0; i < 32; ++i) {
    own[i] = x * i;
  }
  for (int i = 0; i < turns; ++i) {
    x = own[x >> 27] + i;
    own[(x + 5) & 31] ^= x;
  }
  out[thread_number()] = x;
}

__constant__ float weights[1024];

__global__ void weigh(const float* a, float* c, int turns) {
  float sum = 0;
  const float x = a[thread_number()];
  for (int i = 0; i < turns; ++i) {
    sum = sum * x + weights[i];
  }
  c[thread_number()] = sum;
}

__global__ void vote_and_shuffle(const uint32_t* numbers, uint32_t* out, int turns) {
  uint32_t x = numbers[thread_number()];
  for (int i = 0; i < turns; ++i) {
    const uint32_t odd = __ballot_sync(0xffffffffu, x & 1);
    x = __shfl_sync(0xffffffffu, x, (x >> 3) & 31) * 5 + __popc(odd);
  }
  out[thread_number()] = x;
}

// The table --------------------------------------------------------------------------------------------------------------

struct Kind {
  const char* name;
  void (*launch)(const Arrays&);
};

template <class T>
static T* as(void* p) {
  return static_cast<T*>(p);
}

constexpr Kind kKinds[] = {
    {"copy_words", [](const Arrays& m) { copy_words<<<kWords / 256, 256>>>(m.a, m.c); }},
    {"copy_quads", [](const Arrays& m) { copy_quads<<<kWords / 1024, 256>>>(as<float4>(m.a), as<float4>(m.c)); }},
    {"copy_few", [](const Arrays& m) { copy_few<<<60, 128>>>(m.a, m.c, kWords); }},
    {"copy_one_block", [](const Arrays& m) { copy_few<<<1, 1024>>>(m.a, m.c, kWords / 16); }},
    {"copy_strided", [](const Arrays& m) { copy_strided<<<2048, 256>>>(m.a, m.c, 8); }},
    {"transpose_direct", [](const Arrays& m) { transpose_direct<<<dim3(48, 48), dim3(32, 8)>>>(m.a, m.c, 1536); }},
    {"transpose_conflicts",
     [](const Arrays& m) { transpose_tiled<false><<<dim3(48, 48), dim3(32, 8)>>>(m.a, m.c, 1536); }},
    {"transpose_padded", [](const Arrays& m) { transpose_tiled<true><<<dim3(48, 48), dim3(32, 8)>>>(m.a, m.c, 1536); }},
    {"sparse_by_thread", [](const Arrays& m) { sparse_by_thread<<<512, 256>>>(m.numbers, m.a, m.b, m.c, 24); }},
    {"sparse_by_warp", [](const Arrays& m) { sparse_by_warp<<<4096, 256>>>(m.numbers, m.a, m.b, m.c, 96); }},
    {"visit", [](const Arrays& m) { visit<<<2048, 256>>>(m.numbers, as<uint32_t>(m.c), 2048 * 256); }},
    {"chase_pointers",
     [](const Arrays& m) { chase_pointers<<<132, 128>>>(m.numbers, as<uint32_t>(m.c), kWords - 1, 100); }},
    {"gather_l2", [](const Arrays& m) { gather_table<<<1024, 256>>>(m.numbers, m.b, m.c, (1 << 20) - 1); }},
    {"gather_l1", [](const Arrays& m) { gather_table<<<1024, 256>>>(m.numbers, m.b, m.c, (1 << 12) - 1); }},
    {"stencil_cube", [](const Arrays& m) { stencil_cube<<<dim3(4, 16), dim3(32, 8)>>>(m.a, m.c, 128); }},
    {"stencil_row", [](const Arrays& m) { stencil_row<<<kWords / 256 - 1, 256>>>(m.a, m.c); }},
    {"wave", [](const Arrays& m) { wave<<<dim3(64, 256), dim3(32, 8)>>>(m.a, m.b, m.c, 2048); }},
    {"scan_block", [](const Arrays& m) { scan_block<<<4096, 256>>>(m.a, m.c); }},
    {"sort_block", [](const Arrays& m) { sort_block<<<1024, 256>>>(m.numbers); }},
    {"transform", [](const Arrays& m) { transform<<<1024, 256>>>(as<float2>(m.a), as<float2>(m.c)); }},
    {"relax_line", [](const Arrays& m) { relax_line<<<132, 1024>>>(m.c, 60); }},
    {"substitute", [](const Arrays& m) { substitute<<<64, 32>>>(m.a, m.c, 192); }},
    {"softmax", [](const Arrays& m) { softmax<<<2048, 256>>>(m.a, m.c, 2048); }},
    {"normalise", [](const Arrays& m) { normalise<<<1024, 256>>>(as<float4>(m.a), as<float4>(m.c), 128); }},
    {"count_bytes", [](const Arrays& m) { count_bytes<<<528, 256>>>(m.numbers, as<uint32_t>(m.c), 16); }},
    {"product_registers", [](const Arrays& m) { product_registers<<<dim3(12, 12), 256>>>(m.a, m.b, m.c, 768); }},
    {"product_tensor", [](const Arrays& m) { product_tensor<<<1024, 128>>>(as<half>(m.a), as<half>(m.b), m.c, 1024); }},
    {"bodies", [](const Arrays& m) { bodies<<<64, 128>>>(as<float4>(m.a), as<float3>(m.c), 8192); }},
    {"chance", [](const Arrays& m) { chance<<<1024, 256>>>(m.numbers, m.c, 40); }},
    {"polynomial", [](const Arrays& m) { polynomial<<<1056, 256>>>(m.a, m.c, 256); }},
    {"chain", [](const Arrays& m) { chain<<<132, 64>>>(m.a, m.c, 2000); }},
    {"doubles_divided", [](const Arrays& m) { doubles_divided<<<264, 256>>>(as<double>(m.c), 24); }},
    {"integers_mixed", [](const Arrays& m) { integers_mixed<<<1056, 256>>>(m.numbers, as<uint32_t>(m.c), 128); }},
    {"divided_integers", [](const Arrays& m) { divided_integers<<<528, 256>>>(m.numbers, as<uint32_t>(m.c), 24); }},
    {"dots_of_bytes",
     [](const Arrays& m) { dots_of_bytes<<<1024, 256>>>(m.numbers, as<uint32_t>(m.b), as<int>(m.c), 16); }},
    {"halves", [](const Arrays& m) { halves<<<1056, 256>>>(as<half2>(m.a), as<half2>(m.c), 256); }},
    {"reread", [](const Arrays& m) { reread<<<528, 256>>>(as<float4>(m.a), m.c, 128); }},
    {"own_array", [](const Arrays& m) { own_array<<<528, 128>>>(m.numbers, as<uint32_t>(m.c), 64); }},
    {"weigh", [](const Arrays& m) { weigh<<<1056, 256>>>(m.a, m.c, 512); }},
    {"vote_and_shuffle", [](const Arrays& m) { vote_and_shuffle<<<528, 256>>>(m.numbers, as<uint32_t>(m.c), 96); }},
};

int main(int argc, char** argv) {
  Arrays arrays = {device_array<float>(kWords), device_array<float>(kWords), device_array<float>(kWords),
                   device_array<uint32_t>(kWords)};
  std::vector<uint32_t> numbers(kWords);
  uint32_t state = 1;
  for (uint32_t& number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = (state ^ state >> 16) * 0x45d9f3bu;
  }
  CHECK(cudaMemcpy(arrays.numbers, numbers.data(), kWords * sizeof(uint32_t), cudaMemcpyHostToDevice));
  for (int i = 1; i < argc; ++i) {
    const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](const Kind& one) { return strcmp(one.name, argv[i]) == 0; });
    if (kind == std::end(kKinds)) {
      fprintf(stderr, "kernels: '%s' is no kind\n", argv[i]);
      return 2;
    }
    evict();
    result(kind->name, event_us([&] { kind->launch(arrays); }), "us");
  }
  return 0;
}
