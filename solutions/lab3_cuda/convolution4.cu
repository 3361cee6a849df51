// C4, bonus: register blocking. A thread computes one pixel for several filters, so that each input it loads from the tile
// serves them all, and a filter's weights lie side by side and are loaded two at a time.
#include "conv.h"

// BEGIN STUDENT
namespace {

const int kTileWidth = 32;  // one warp: 32 neighbouring x
const int kTileHeight = 8;
const int kFilters = 8;     // outputs of a thread; even: the weights are loaded in pairs
const size_t kSharedBytes = 48 << 10;  // of a block, on every GPU

size_t tile_size(const ConvShape& s) { return static_cast<size_t>(kTileWidth + s.FW - 1) * (kTileHeight + s.FH - 1); }
size_t weights_size(const ConvShape& s) { return static_cast<size_t>(s.FH) * s.FW * kFilters; }
size_t channel_bytes(const ConvShape& s) { return sizeof(double) * (tile_size(s) + weights_size(s)); }

// The weights of `channels` channels as [c][j][i][k], flipped; zero for filters that are not there.
__device__ void load_weights(double* weights, const double* F, ConvShape s, int first_channel, int channels) {
  const int filter_size = s.FH * s.FW;
  for (int at = threadIdx.y * kTileWidth + threadIdx.x; at < channels * filter_size * kFilters;
       at += kTileWidth * kTileHeight) {
    const int k = blockIdx.z * kFilters + at % kFilters;
    const int place = at / kFilters % filter_size;
    const int c = first_channel + at / kFilters / filter_size;
    weights[at] = k < s.K ? F[(static_cast<size_t>(k) * s.C + c) * filter_size + filter_size - 1 - place] : 0;
  }
}

// The tiles of `channels` channels with their rims, one below the other.
__device__ void load_tiles(double* tiles, const double* I0, ConvShape s, int first_channel, int channels) {
  const int tile_width = kTileWidth + s.FW - 1;
  const int tile_height = kTileHeight + s.FH - 1;
  const int width = s.W + 2 * s.P;
  const int height = s.H + 2 * s.P;
  const int left = blockIdx.x * kTileWidth;
  for (int row = threadIdx.y; row < channels * tile_height; row += kTileHeight) {
    const int y = blockIdx.y * kTileHeight + row % tile_height;
    const double* const source = I0 + (static_cast<size_t>(first_channel + row / tile_height) * height + y) * width + left;
    for (int x = threadIdx.x; x < tile_width; x += kTileWidth) {
      tiles[row * tile_width + x] = y < height && left + x < width ? source[x] : 0;
    }
  }
}

// Shared memory: weights, then tiles, both for as many channels at a time as there is room for.
__global__ void blocked(const double* I0, const double* F, double* O, ConvShape s, int channels_at_once) {
  extern __shared__ double2 shared[];
  double* const weights = reinterpret_cast<double*>(shared);
  double* const tiles = weights + channels_at_once * s.FH * s.FW * kFilters;
  const int tile_width = kTileWidth + s.FW - 1;
  double sums[kFilters] = {};
  for (int first = 0; first < s.C; first += channels_at_once) {
    const int channels = min(channels_at_once, s.C - first);
    load_weights(weights, F, s, first, channels);
    load_tiles(tiles, I0, s, first, channels);
    __syncthreads();
    const double2* pair = shared;
    for (int c = 0; c < channels; ++c) {
      const double* const tile = tiles + (c * (kTileHeight + s.FH - 1) + threadIdx.y) * tile_width + threadIdx.x;
      for (int j = 0; j < s.FH; ++j) {
        for (int i = 0; i < s.FW; ++i) {
          const double input = tile[j * tile_width + i];
#pragma unroll
          for (int k = 0; k < kFilters; k += 2, ++pair) {
            sums[k] += pair->x * input;
            sums[k + 1] += pair->y * input;
          }
        }
      }
    }
    __syncthreads();
  }
  const int x = blockIdx.x * kTileWidth + threadIdx.x;
  const int y = blockIdx.y * kTileHeight + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kFilters; ++k) {
    const int filter = blockIdx.z * kFilters + k;
    if (x < s.W && y < s.H && filter < s.K) {
      O[(static_cast<size_t>(filter) * s.H + y) * s.W + x] = sums[k];
    }
  }
}

int blocks(int elements, int of_a_block) { return (elements + of_a_block - 1) / of_a_block; }

void launch(const double* I0, const double* F, double* O, ConvShape s) {
  const size_t most = kSharedBytes / channel_bytes(s);
  const int channels = most < static_cast<size_t>(s.C) ? static_cast<int>(most) : s.C;
  const dim3 grid(blocks(s.W, kTileWidth), blocks(s.H, kTileHeight), blocks(s.K, kFilters));
  blocked<<<grid, dim3(kTileWidth, kTileHeight), channels * channel_bytes(s)>>>(I0, F, O, s, channels);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

double conv_c4_ms(const double* I0, const double* F, double* O, ConvShape s) {
  const size_t input_bytes = sizeof(double) * s.C * (s.H + 2 * s.P) * (s.W + 2 * s.P);
  const size_t filter_bytes = sizeof(double) * s.K * s.C * s.FH * s.FW;
  const size_t output_bytes = sizeof(double) * s.K * s.H * s.W;
  double *input, *filter, *output;
  CUDA_CHECK(cudaMalloc(&input, input_bytes));
  CUDA_CHECK(cudaMalloc(&filter, filter_bytes));
  CUDA_CHECK(cudaMalloc(&output, output_bytes));
  CUDA_CHECK(cudaMemcpy(input, I0, input_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(filter, F, filter_bytes, cudaMemcpyHostToDevice));
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  launch(input, filter, output, s);  // to warm up
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventRecord(begin));
  launch(input, filter, output, s);
  CUDA_CHECK(cudaEventRecord(end));
  CUDA_CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CUDA_CHECK(cudaMemcpy(O, output, output_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  CUDA_CHECK(cudaFree(input));
  CUDA_CHECK(cudaFree(filter));
  CUDA_CHECK(cudaFree(output));
  return milliseconds;
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
