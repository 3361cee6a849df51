// X: attention without the n x n matrix (FlashAttention, Dao et al. 2022), forward.
#include "flash.h"

// BEGIN STUDENT
const int kKeys = 32;              // rows of K and V in shared memory at a time
const int kThreads = 2 * kBlock;   // two for each row: one has its even, one its odd elements, which fits the registers
const int kOwn = kHead / 2;
const int kPitch = kHead + 1;      // of rows that threads walk along: neighbours lie in neighbouring banks

// How many keys a row sees.
__device__ inline int keys_of(Mask mask, int row) {
  const int causal = row + mask.offset + 1;
  return mask.causal && causal < mask.length ? causal : mask.length;
}

// Of both threads of a row: their elements of Q and of the row `key` of K.
__device__ inline float score_of(const float* query, const float* key) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    sum += query[i] * key[2 * i];
  }
  return sum + __shfl_xor_sync(0xFFFFFFFF, sum, 1);
}

// A block of threads ends before n where no row of it sees the keys behind.
__global__ void __launch_bounds__(kThreads) attend(const float* q, const float* k, const float* v, float* o, Mask mask) {
  __shared__ float rows[kBlock * kPitch];
  __shared__ float keys[kKeys * kHead], values[kKeys * kHead];
  const int first_row = blockIdx.x * kBlock, own_row = threadIdx.x / 2, odd = threadIdx.x % 2;
  float* own = rows + own_row * kPitch + odd;
  float query[kOwn], out[kOwn], highest = -INFINITY, total = 0;
  for (int i = threadIdx.x; i < kBlock * kHead; i += kThreads) {  // neighbouring threads load neighbouring words
    rows[i / kHead * kPitch + i % kHead] = q[first_row * kHead + i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    query[i] = own[2 * i] * rsqrtf(static_cast<float>(kHead));
    out[i] = 0;
  }
  const int seen = keys_of(mask, first_row + own_row), end = keys_of(mask, first_row + kBlock - 1);
  for (int first = 0; first < end; first += kKeys) {
    __syncthreads();
    for (int i = threadIdx.x; i < kKeys * kHead; i += kThreads) {
      keys[i] = k[first * kHead + i];
      values[i] = v[first * kHead + i];
    }
    __syncthreads();
    for (int j = 0; j < kKeys; ++j) {
      const float score = score_of(query, keys + j * kHead + odd);  // by all threads: the shuffle needs each
      if (first + j >= seen) {
        continue;
      }
      const float before = highest;
      highest = fmaxf(highest, score);
      const float shrink = expf(before - highest), weight = expf(score - highest);
      total = total * shrink + weight;
#pragma unroll
      for (int i = 0; i < kOwn; ++i) {
        out[i] = out[i] * shrink + weight * values[j * kHead + 2 * i + odd];
      }
    }
  }
  const float divisor = total > 0 ? 1 / total : 0;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    own[2 * i] = out[i] * divisor;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBlock * kHead; i += kThreads) {
    o[first_row * kHead + i] = rows[i / kHead * kPitch + i % kHead];
  }
}

void flash_attention(const float* q, const float* k, const float* v, float* o, int n, Mask mask) {
  attend<<<n / kBlock, kThreads>>>(q, k, v, o, mask);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
