// X: attention without the n x n matrix (FlashAttention, Dao et al. 2022), forward.
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
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
