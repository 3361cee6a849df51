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

// One thread per row. A block of threads ends before n where no row of it sees the keys behind.
__global__ void __launch_bounds__(kBlock) attend(const float* q, const float* k, const float* v, float* o, Mask mask) {
  __shared__ float rows[kBlock * kPitch];
  __shared__ float keys[kKeys * kHead], values[kKeys * kHead];
  const int first_row = blockIdx.x * kBlock, row = first_row + threadIdx.x;
  float query[kHead], out[kHead], highest = -INFINITY, total = 0;
  bring(q + first_row * kHead, rows);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kHead; ++i) {
    query[i] = rows[threadIdx.x * kPitch + i] * rsqrtf(static_cast<float>(kHead));
    out[i] = 0;
  }
  const int seen = mask.causal ? min(mask.length, max(0, row + mask.offset + 1)) : mask.length;
  const int last = first_row + kBlock - 1;
  const int end = mask.causal ? min(mask.length, max(0, last + mask.offset + 1)) : mask.length;
  for (int first = 0; first < end; first += kKeys) {
    __syncthreads();
    for (int i = threadIdx.x; i < kKeys * kHead; i += kBlock) {
      keys[i] = k[first * kHead + i];
      values[i] = v[first * kHead + i];
    }
    __syncthreads();
    for (int j = 0; j < min(kKeys, seen - first); ++j) {
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
