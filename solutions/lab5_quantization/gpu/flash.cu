// X: attention without the n x n matrix (FlashAttention, Dao et al. 2022), forward and backward.
#include "flash.h"

// BEGIN STUDENT
const int kKeys = 32;         // rows of K and V in shared memory at a time
const int kPitch = kHead + 1;  // of rows that single threads walk along: neighbours lie in neighbouring banks

// Rows of Q to registers, by way of shared memory: threads next to each other load words next to each other.
__device__ inline void bring(const float* from, float* rows) {
  for (int i = threadIdx.x; i < kBlock * kHead; i += kBlock) {
    rows[i / kHead * kPitch + i % kHead] = from[i];
  }
}

__device__ inline float dot(const float* a, const float* b) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

// How many keys a row sees.
__device__ inline int keys_of(Mask mask, int row) {
  const int causal = row + mask.offset + 1;
  return mask.causal && causal < mask.length ? causal : mask.length;
}

// One thread per row. A block of threads ends before n where no row of it sees the keys behind.
__global__ void __launch_bounds__(kBlock) attend(const float* q, const float* k, const float* v, float* o, Mask mask) {
  __shared__ float rows[kBlock * kPitch];
  __shared__ float keys[kKeys * kHead], values[kKeys * kHead];
  const int first_row = blockIdx.x * kBlock;
  float query[kHead], out[kHead], highest = -INFINITY, total = 0;
  bring(q + first_row * kHead, rows);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    query[i] = rows[threadIdx.x * kPitch + i] * rsqrtf(static_cast<float>(kHead));
    out[i] = 0;
  }
  const int seen = keys_of(mask, first_row + threadIdx.x), end = keys_of(mask, first_row + kBlock - 1);
  for (int first = 0; first < end; first += kKeys) {
    __syncthreads();
    for (int i = threadIdx.x; i < kKeys * kHead; i += kBlock) {
      keys[i] = k[first * kHead + i];
      values[i] = v[first * kHead + i];
    }
    __syncthreads();
    const int count = seen - first < kKeys ? seen - first : kKeys;
    for (int j = 0; j < count; ++j) {
      const float score = dot(query, keys + j * kHead);
      const float before = highest;
      highest = fmaxf(highest, score);
      const float shrink = expf(before - highest), weight = expf(score - highest);
      total = total * shrink + weight;
#pragma unroll
      for (int i = 0; i < kHead; ++i) {
        out[i] = out[i] * shrink + weight * values[j * kHead + i];
      }
    }
  }
  const float divisor = total > 0 ? 1 / total : 0;
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    rows[threadIdx.x * kPitch + i] = out[i] * divisor;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBlock * kHead; i += kBlock) {
    o[first_row * kHead + i] = rows[i / kHead * kPitch + i % kHead];
  }
}

void flash_attention(const float* q, const float* k, const float* v, float* o, int n, Mask mask) {
  attend<<<n / kBlock, kBlock>>>(q, k, v, o, mask);
}

__device__ inline void load_tile(const float* from, float* to, int rows) {
  for (int i = threadIdx.x; i < rows * kHead; i += blockDim.x) {
    to[i] = from[i];
  }
}

// One thread per row of Q. statistics: log of the sum of exp(score), then the weighted sum c, of every row.
__global__ void __launch_bounds__(kBlock) by_queries(const float* q, const float* k, const float* v, const float* by_o,
                                                     float* by_q, float* statistics, int n, Mask mask) {
  __shared__ float keys[kKeys * kHead], values[kKeys * kHead];
  const int first_row = blockIdx.x * kBlock, row = first_row + threadIdx.x;
  const float root = rsqrtf(static_cast<float>(kHead));
  float query[kHead], gradient[kHead], out[kHead], highest = -INFINITY, total = 0, centre = 0;
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    query[i] = q[row * kHead + i] * root;
    gradient[i] = by_o[row * kHead + i];
    out[i] = 0;
  }
  const int seen = keys_of(mask, row), end = keys_of(mask, first_row + kBlock - 1);
  for (int pass = 0; pass < 2; ++pass) {
    for (int first = 0; first < end; first += kKeys) {
      __syncthreads();
      load_tile(k + first * kHead, keys, kKeys);
      load_tile(v + first * kHead, values, kKeys);
      __syncthreads();
      const int count = seen - first < kKeys ? seen - first : kKeys;
      for (int j = 0; j < count; ++j) {
        const float score = dot(query, keys + j * kHead), slope = dot(gradient, values + j * kHead);
        if (pass == 0) {
          const float before = highest;
          highest = fmaxf(highest, score);
          const float shrink = expf(before - highest), weight = expf(score - highest);
          total = total * shrink + weight;
          centre = centre * shrink + weight * slope;
          continue;
        }
        const float by_score = expf(score - highest) * (slope - centre);
#pragma unroll
        for (int i = 0; i < kHead; ++i) {
          out[i] += by_score * keys[j * kHead + i];
        }
      }
    }
    if (pass == 0) {
      highest += logf(total);
      centre = total > 0 ? centre / total : 0;
    }
  }
  statistics[row] = highest;
  statistics[n + row] = centre;
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    by_q[row * kHead + i] = out[i] * root;
  }
}

const int kHalf = kHead / 2;

// Two threads per row of K and V: one has the first half of the row, one the second.
__global__ void __launch_bounds__(2 * kBlock) by_keys(const float* q, const float* k, const float* v, const float* by_o,
                                                      float* by_k, float* by_v, const float* statistics, int n,
                                                      Mask mask) {
  __shared__ float queries[kKeys * kHead], gradients[kKeys * kHead], highest[kKeys], centre[kKeys];
  const int row = blockIdx.x * kBlock + threadIdx.x / 2, half = threadIdx.x % 2 * kHalf;
  const float root = rsqrtf(static_cast<float>(kHead));
  float key[kHalf], value[kHalf], key_out[kHalf], value_out[kHalf];
#pragma unroll
  for (int i = 0; i < kHalf; ++i) {
    key[i] = k[row * kHead + half + i] * root;
    value[i] = v[row * kHead + half + i];
    key_out[i] = value_out[i] = 0;
  }
  for (int first = 0; first < n; first += kKeys) {
    __syncthreads();
    load_tile(q + first * kHead, queries, kKeys);
    load_tile(by_o + first * kHead, gradients, kKeys);
    if (threadIdx.x < kKeys) {
      highest[threadIdx.x] = statistics[first + threadIdx.x];
      centre[threadIdx.x] = statistics[n + first + threadIdx.x];
    }
    __syncthreads();
    for (int i = 0; i < kKeys; ++i) {
      const float *query = queries + i * kHead + half, *gradient = gradients + i * kHead + half;
      float score = 0, slope = 0;
#pragma unroll
      for (int j = 0; j < kHalf; ++j) {
        score += key[j] * query[j];
        slope += value[j] * gradient[j];
      }
      score += __shfl_xor_sync(0xffffffff, score, 1);
      slope += __shfl_xor_sync(0xffffffff, slope, 1);
      const float weight = row < keys_of(mask, first + i) ? expf(score - highest[i]) : 0;
      const float by_score = weight * (slope - centre[i]) * root;
#pragma unroll
      for (int j = 0; j < kHalf; ++j) {
        value_out[j] += weight * gradient[j];
        key_out[j] += by_score * query[j];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kHalf; ++i) {
    by_k[row * kHead + half + i] = key_out[i];
    by_v[row * kHead + half + i] = value_out[i];
  }
}

void flash_backward(const float* q, const float* k, const float* v, const float* by_o, Gradients by, float* rows, int n,
                    Mask mask) {
  by_queries<<<n / kBlock, kBlock>>>(q, k, v, by_o, by.q, rows, n, mask);
  by_keys<<<n / kBlock, 2 * kBlock>>>(q, k, v, by_o, by.k, by.v, rows, n, mask);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
