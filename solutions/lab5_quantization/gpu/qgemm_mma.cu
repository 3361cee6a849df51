// E8: int8 matrix product on tensor cores.
#include "mma.h"
#include "qgemm.h"

// BEGIN STUDENT
const int kTile = 64;            // rows and columns of C per block
const int kSlab = 64;            // bytes of k in shared memory at a time
const int kPieces = kSlab / 16;  // of a row, each loaded at once
const int kThreads = 128;        // four warps, each with 32 x 32 elements of C
const int kPart = 32;
const int kDown = kPart / kMmaM, kAcross = kPart / kMmaN;

// Where piece `piece` of row `row` lies in a tile. Rows 2 i and 2 i + 1 fill the 32 banks; the exclusive or spreads the
// same piece of eight neighbouring rows over all of them.
__device__ inline int place(int row, int piece) { return row * kPieces + (piece ^ (row / 2 % kPieces)); }

__device__ inline uint32_t word(const uint32_t* tile, int row, int step, int lane) {
  return tile[place(row + lane / 4, step) * 4 + lane % 4];
}

// Column of C that row `row` of the tile of B holds. As int32, eight bytes per lane make whole sectors as they come. As
// int8 a lane's two sums are two bytes: there the columns of the warp's four fragments are interleaved, so that the
// lane has eight neighbouring ones.
__device__ inline int column_of(const int32_t*, int row) { return row; }
__device__ inline int column_of(const int8_t*, int row) {
  const int within = row % kPart, fragment = within / kMmaN, column = within % kMmaN;
  return row - within + column / 2 * (2 * kAcross) + fragment * 2 + column % 2;
}

__device__ inline int8_t narrow(int32_t sum, Requant scale) {
  const int64_t rounded = (static_cast<int64_t>(sum) * scale.multiplier + (int64_t{1} << (scale.shift - 1))) >> scale.shift;
  const int64_t y = rounded + scale.zero;
  return static_cast<int8_t>(y < -128 ? -128 : y > 127 ? 127 : y);
}

// One row of a lane's sums; `c` is the first element of the warp's part of that row.
__device__ inline void store(int32_t* c, const FragmentC* sums, int r, int t, Requant) {
#pragma unroll
  for (int j = 0; j < kAcross; ++j) {
    store8(c + j * kMmaN + 2 * t, static_cast<uint32_t>(sums[j].piece[r][0]), static_cast<uint32_t>(sums[j].piece[r][1]));
  }
}
__device__ inline void store(int8_t* c, const FragmentC* sums, int r, int t, Requant scale) {
  uint32_t bytes[2] = {};
#pragma unroll
  for (int i = 0; i < 2 * kAcross; ++i) {
    bytes[i / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(narrow(sums[i / 2].piece[r][i % 2], scale))) << (i % 4 * 8);
  }
  store8(c + 2 * kAcross * t, bytes[0], bytes[1]);
}

// The products of one slab.
__device__ inline void multiply(FragmentC sums[kDown][kAcross], const uint32_t* rows, const uint32_t* columns, int lane) {
#pragma unroll
  for (int step = 0; step < kPieces; step += kSteps) {
    FragmentA left[kDown];
#pragma unroll
    for (int i = 0; i < kDown * kRowPieces * kSteps; ++i) {
      const int s = i % kSteps, r = i / kSteps % kRowPieces, fragment = i / (kSteps * kRowPieces);
      left[fragment].piece[r][s] = word(rows, fragment * kMmaM + 8 * r, step + s, lane);
    }
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      FragmentB right;
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        right.piece[s] = word(columns, j * kMmaN, step + s, lane);
      }
#pragma unroll
      for (int i = 0; i < kDown; ++i) {
        mma(sums[i][j], left[i], right);
      }
    }
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads) product(const int8_t* a, const int8_t* bt, T* c, Gemm shape, Requant scale) {
  __shared__ uint4 rows[kTile * kPieces];
  __shared__ uint4 columns[kTile * kPieces];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int part_row = warp / 2 * kPart, part_column = warp % 2 * kPart;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int row = threadIdx.x / kPieces, piece = threadIdx.x % kPieces;  // that this thread brings, and row + kPart
  const int64_t k = shape.k;
  const int8_t* from_a = a + (first_row + row) * k + 16 * piece;
  const int8_t* from_b[2];
  for (int half = 0; half < 2; ++half) {
    from_b[half] = bt + (first_column + column_of(c, row + half * kPart)) * k + 16 * piece;
  }
  FragmentC sums[kDown][kAcross] = {};
  for (int64_t at = 0; at < k; at += kSlab) {
    Sixteen next_a[2], next_b[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      next_a[half] = load16(from_a + half * kPart * k + at);
      next_b[half] = load16(from_b[half] + at);
    }
    __syncthreads();  // the slab before has been used
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      store16(&rows[place(row + half * kPart, piece)], next_a[half]);
      store16(&columns[place(row + half * kPart, piece)], next_b[half]);
    }
    __syncthreads();
    multiply(sums, reinterpret_cast<const uint32_t*>(rows + part_row * kPieces),
             reinterpret_cast<const uint32_t*>(columns + part_column * kPieces), lane);
  }
#pragma unroll
  for (int i = 0; i < kDown * kRowPieces; ++i) {
    const int64_t to = first_row + part_row + 8 * i + lane / 4;
    store(c + to * shape.n + first_column + part_column, sums[i / kRowPieces], i % kRowPieces, lane % 4, scale);
  }
}

template <class T>
const char* launch(const int8_t* a, const int8_t* bt, T* c, Gemm shape, Requant scale) {
  if (compute_capability() < TENSOR_SM) {
    return TENSOR_SM >= 80 ? "this GPU has no mma.m16n8k32 for int8: it needs compute capability 8.0 or later"
                           : "this GPU has no int8 tensor cores: they need compute capability 7.5 or later";
  }
  const dim3 grid(shape.n / kTile, shape.m / kTile);
  product<T><<<grid, kThreads>>>(a, bt, c, shape, scale);
  return NULL;
}

const char* qgemm(const int8_t* a, const int8_t* bt, int32_t* c, Gemm shape) { return launch(a, bt, c, shape, {}); }

// The same product; the sums leave the block as int8, through `scale` (see qgemm.h).
const char* qgemm_fused(const int8_t* a, const int8_t* bt, int8_t* c, Gemm shape, Requant scale) {
  return launch(a, bt, c, shape, scale);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
