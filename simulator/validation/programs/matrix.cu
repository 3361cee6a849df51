// The course's matrix products and convolutions.
//   matrix tile16 n=256     C = A x B with 16 x 16 tiles in shared memory, one element of C per thread
//   matrix tile32 n=256     16 x 16 threads compute 32 x 32 elements, 2 x 2 each
//   matrix conv [filters=64]        FP64: 3 x 1024 x 1024 image, 64 filters of 3 x 3, one output per thread. With fewer
//                                   filters the time is scaled up to 64: the blocks of one filter are as all others
//   matrix conv_tiled [filters=64]  the same with the input tile in shared memory
#include <vector>

#include "bench.cuh"

constexpr int kSide = 16;  // of a block of threads

template <int kTile>
__global__ void product(const float* a, const float* b, float* c, int n) {
  constexpr int kEach = kTile / kSide;
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  float sums[kEach][kEach] = {};
  for (int step = 0; step < n; step += kTile) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const int y = threadIdx.y + i * kSide, x = threadIdx.x + j * kSide;
        tile_a[y][x] = a[(row + y) * n + step + x];
        tile_b[y][x] = b[(step + y) * n + column + x];
      }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          sums[i][j] += tile_a[threadIdx.y + i * kSide][k] * tile_b[k][threadIdx.x + j * kSide];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      c[(row + threadIdx.y + i * kSide) * n + column + threadIdx.x + j * kSide] = sums[i][j];
    }
  }
}

static void multiply(int n, int tile) {
  const float* a = device_array<float>(n * n);
  const float* b = device_array<float>(n * n);
  float* c = device_array<float>(n * n);
  const auto us = [=](int size) {
    const dim3 grid(size / tile, size / tile), block(kSide, kSide);
    return event_us([=] { (tile == kSide ? product<kSide> : product<2 * kSide>)<<<grid, block>>>(a, b, c, size); });
  };
  us(tile);  // the first launch of a kernel also loads it
  const double time = us(n);
  result("time", time, "us");
  result("flops", 2.0 * n * n * n / time * 1e-3, "GFLOP/s");
}

constexpr int kChannels = 3, kFilters = 64, kImage = 1024, kPadded = kImage + 2;

__global__ void convolve(const double* image, const double* filters, double* out) {
  const int x = blockIdx.x * kSide + threadIdx.x, y = blockIdx.y * kSide + threadIdx.y, filter = blockIdx.z;
  double sum = 0;
  for (int c = 0; c < kChannels; ++c) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        sum += filters[((filter * kChannels + c) * 3 + 2 - j) * 3 + 2 - i] *
               image[(c * kPadded + y + j) * kPadded + x + i];
      }
    }
  }
  out[(filter * kImage + y) * kImage + x] = sum;
}

__global__ void convolve_tiled(const double* image, const double* filters, double* out) {
  constexpr int kTile = kSide + 2;
  __shared__ double tile[kChannels][kTile][kTile];
  const int left = blockIdx.x * kSide, top = blockIdx.y * kSide, filter = blockIdx.z;
  for (int c = 0; c < kChannels; ++c) {
    for (int i = threadIdx.y * kSide + threadIdx.x; i < kTile * kTile; i += kSide * kSide) {
      tile[c][i / kTile][i % kTile] = image[(c * kPadded + top + i / kTile) * kPadded + left + i % kTile];
    }
  }
  __syncthreads();
  double sum = 0;
  for (int c = 0; c < kChannels; ++c) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        sum += filters[((filter * kChannels + c) * 3 + 2 - j) * 3 + 2 - i] *
               tile[c][threadIdx.y + j][threadIdx.x + i];
      }
    }
  }
  out[(filter * kImage + top + threadIdx.y) * kImage + left + threadIdx.x] = sum;
}

static void convolution(bool tiled, int filters_run) {
  const double* image = device_array<double>(kChannels * kPadded * kPadded);
  const double* filters = device_array<double>(kFilters * kChannels * 9);
  double* out = device_array<double>(static_cast<size_t>(kFilters) * kImage * kImage);
  const dim3 grid(kImage / kSide, kImage / kSide, filters_run), block(kSide, kSide);
  const double us = event_us([=] { (tiled ? convolve_tiled : convolve)<<<grid, block>>>(image, filters, out); });
  result("time", us * kFilters / filters_run, "us");
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int n = arguments.integer("n", 256);
  if (arguments.is("tile16")) {
    multiply(n, kSide);
  } else if (arguments.is("tile32")) {
    multiply(n, 2 * kSide);
  } else if (arguments.is("conv") || arguments.is("conv_tiled")) {
    convolution(arguments.is("conv_tiled"), arguments.integer("filters", kFilters));
  } else {
    arguments.unknown("tile16 tile32 conv conv_tiled");
  }
}
