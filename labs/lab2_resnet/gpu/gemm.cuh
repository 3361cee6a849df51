#pragma once
// A matrix product in tiles of 64 x 64 (shared-memory tiles, 4 x 4 sums per thread), whose matrices are read through a
// `Problem`: the three passes of a convolution are such products, and none of their matrices is ever stored.
//
// Problem: rows(), columns(): size of the result. taps(), depth(): the sum runs over taps() * depth() products.
//   Row row(m): what a() needs to know of row m, worked out once per thread.
//   float a(Row, tap, d), float b(tap, d, n): the factors; 0 outside. store(m, n, value): row m < rows(), n <
//   columns(). kADeep, kBDeep: neighbours in memory are neighbours along the sum (else along the result), so threads
//   fetch them so.

constexpr int kTile = 64, kStep = 16, kThreads = 256, kOwn = 4;  // kThreads * kOwn^2 = kTile^2

// Places of a tile that a thread fetches: number i of kOwn.
template <bool Deep>
struct Fetch {
  int thread;
  __device__ explicit Fetch(int number) : thread(number) {}
  __device__ int deep(int i) const { return Deep ? thread % kStep : thread / kTile + kThreads / kTile * i; }
  __device__ int across(int i) const { return Deep ? thread / kStep + kThreads / kStep * i : thread % kTile; }
};

template <class Problem>
__global__ void __launch_bounds__(kThreads) multiply(Problem p) {
  __shared__ __align__(16) float left[kStep][kTile + 4], right[kStep][kTile + 4];
  const int thread = threadIdx.x, m0 = blockIdx.x * kTile, n0 = blockIdx.y * kTile;
  const int own_m = thread / 16 * kOwn, own_n = thread % 16 * kOwn;
  float sums[kOwn][kOwn] = {};
  // Each thread fetches four values of each side per step.
  const Fetch<Problem::kADeep> of_a(thread);
  const Fetch<Problem::kBDeep> of_b(thread);
  typename Problem::Row rows[kOwn];
  for (int i = 0; i < kOwn; ++i) {
    rows[i] = p.row(m0 + of_a.across(i));
  }
  for (int tap = 0; tap < p.taps(); ++tap) {
    for (int d0 = 0; d0 < p.depth(); d0 += kStep) {
      for (int i = 0; i < kOwn; ++i) {
        left[of_a.deep(i)][of_a.across(i)] = p.a(rows[i], tap, d0 + of_a.deep(i));
        right[of_b.deep(i)][of_b.across(i)] = p.b(tap, d0 + of_b.deep(i), n0 + of_b.across(i));
      }
      __syncthreads();
#pragma unroll
      for (int d = 0; d < kStep; ++d) {
        const float4 l = *reinterpret_cast<const float4*>(&left[d][own_m]);
        const float4 r = *reinterpret_cast<const float4*>(&right[d][own_n]);
        const float ls[] = {l.x, l.y, l.z, l.w}, rs[] = {r.x, r.y, r.z, r.w};
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
#pragma unroll
          for (int j = 0; j < kOwn; ++j) {
            sums[i][j] += ls[i] * rs[j];
          }
        }
      }
      __syncthreads();
    }
  }
  for (int i = 0; i < kOwn; ++i) {
    for (int j = 0; j < kOwn; ++j) {
      if (m0 + own_m + i < p.rows() && n0 + own_n + j < p.columns()) {
        p.store(m0 + own_m + i, n0 + own_n + j, sums[i][j]);
      }
    }
  }
}

template <class Problem>
void launch_multiply(const Problem& p, int slices = 1) {
  const dim3 grid((p.rows() + kTile - 1) / kTile, (p.columns() + kTile - 1) / kTile, slices);
  multiply<<<grid, kThreads>>>(p);
}
