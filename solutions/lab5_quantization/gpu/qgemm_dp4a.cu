// E8: int8 matrix product with __dp4a, four multiply-adds per lane and instruction.
#include "qgemm.h"

// BEGIN STUDENT
const int kTile = 64;            // rows and columns of C per block
const int kSlab = 64;            // bytes of k in shared memory at a time
const int kPieces = kSlab / 16;  // of a row, each loaded at once
const int kThreads = 256;
const int kSums = 4;  // a thread has 4 x 4

// Where piece `piece` of row `row` lies in a tile. Rows 2 i and 2 i + 1 fill the 32 banks; the exclusive or spreads the
// same piece of eight neighbouring rows over all of them.
__device__ inline int place(int row, int piece) { return row * kPieces + (piece ^ (row / 2 % kPieces)); }

// Column of C that row `row` of the tile of B holds: thread x reads rows x, x + 16, x + 32, x + 48 and so has four
// neighbouring columns.
__device__ inline int column_of(int row) { return row % 16 * kSums + row / 16; }

__device__ inline int8_t narrow(int32_t sum, Requant scale) {
  const int64_t rounded = (static_cast<int64_t>(sum) * scale.multiplier + (int64_t{1} << (scale.shift - 1))) >> scale.shift;
  const int64_t y = rounded + scale.zero;
  return static_cast<int8_t>(y < -128 ? -128 : y > 127 ? 127 : y);
}

__device__ inline void store(int32_t* c, const int32_t* sums, Requant) {
  store16(c, {{static_cast<uint32_t>(sums[0]), static_cast<uint32_t>(sums[1]), static_cast<uint32_t>(sums[2]),
               static_cast<uint32_t>(sums[3])}});
}
__device__ inline void store(int8_t* c, const int32_t* sums, Requant scale) {
  *reinterpret_cast<char4*>(c) =
      make_char4(narrow(sums[0], scale), narrow(sums[1], scale), narrow(sums[2], scale), narrow(sums[3], scale));
}

__device__ inline int dot(const Sixteen& a, const Sixteen& b, int sum) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    sum = __dp4a(static_cast<int>(a.word[i]), static_cast<int>(b.word[i]), sum);
  }
  return sum;
}

template <class T>
__global__ void __launch_bounds__(kThreads) product(const int8_t* a, const int8_t* bt, T* c, Gemm shape, Requant scale) {
  __shared__ uint4 rows[kTile * kPieces];
  __shared__ uint4 columns[kTile * kPieces];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int row = thread / kPieces, piece = thread % kPieces;  // that this thread brings
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const int8_t* from_a = a + static_cast<int64_t>(first_row + row) * shape.k + 16 * piece;
  const int8_t* from_b = bt + static_cast<int64_t>(first_column + column_of(row)) * shape.k + 16 * piece;
  int32_t sums[kSums][kSums] = {};
  for (int k = 0; k < shape.k; k += kSlab) {
    const Sixteen next_a = load16(from_a + k), next_b = load16(from_b + k);
    __syncthreads();  // the slab before has been used
    store16(&rows[place(row, piece)], next_a);
    store16(&columns[place(row, piece)], next_b);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kPieces; ++p) {
      Sixteen left[kSums];
#pragma unroll
      for (int i = 0; i < kSums; ++i) {
        left[i] = load16(&rows[place(y * kSums + i, p)]);
      }
#pragma unroll
      for (int j = 0; j < kSums; ++j) {
        const Sixteen right = load16(&columns[place(x + 16 * j, p)]);
#pragma unroll
        for (int i = 0; i < kSums; ++i) {
          sums[i][j] = dot(left[i], right, sums[i][j]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    store(c + static_cast<int64_t>(first_row + y * kSums + i) * shape.n + first_column + x * kSums, sums[i], scale);
  }
}

template <class T>
const char* launch(const int8_t* a, const int8_t* bt, T* c, Gemm shape, Requant scale) {
  if (compute_capability() < 61) {
    return "this GPU has no dp4a instruction: it needs compute capability 6.1 or later";
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
