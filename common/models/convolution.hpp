#pragma once
// Shapes, parameters and operations of convolutional layers. Square images and filters; a MAC is two FLOP.
#include <cstdint>
#include <vector>

namespace hpml::models {

struct Convolution {
  int64_t width = 0, in_channels = 0, out_channels = 0;
  int64_t filter = 0, stride = 1, padding = 0;
  bool bias = false;
};

int64_t window_positions(int64_t width, int64_t filter, int64_t stride, int64_t padding);  // floor((n+2p-f)/s)+1
int64_t out_width(const Convolution& layer);
int64_t parameters(const Convolution& layer);
int64_t macs(const Convolution& layer);  // of one image

int64_t fully_connected_parameters(int64_t inputs, int64_t outputs, bool bias);

struct Window {
  int64_t filter = 1, stride = 1;
};
int64_t receptive_field(const std::vector<Window>& layers);

// A filter applied to an image as one matrix product. sparse: the filter as a matrix over all inputs; dense: the
// image unrolled, one row per output.
struct Unrolled {
  int64_t rows = 0, sparse_columns = 0, dense_columns = 0;
};
Unrolled im2col(int64_t width, int64_t filter);

// F(m, r): m outputs of a 1-D filter of r taps (Winograd 1980).
int64_t winograd_multiplications(int64_t outputs, int64_t taps);

enum class Pool : uint8_t { max, average };
// Windows of `window` x `window`, stride 1, over a square image in row-major order.
std::vector<double> pool(const std::vector<double>& image, int64_t window, Pool kind);

}  // namespace hpml::models
