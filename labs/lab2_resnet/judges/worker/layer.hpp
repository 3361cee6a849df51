#pragma once
// One layer of the stack that K1's speed is measured on, and its results, verified without doing them again.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hpml::lab2 {

struct Layer {
  const char* name;
  int64_t n, h, w, ci, co, k, stride, pad;

  int64_t out_h() const { return (h + 2 * pad - k) / stride + 1; }
  int64_t out_w() const { return (w + 2 * pad - k) / stride + 1; }
  int64_t images() const { return n * h * w * ci; }
  int64_t weights() const { return k * k * ci * co; }
  int64_t outputs() const { return n * out_h() * out_w() * co; }
  double flop() const { return 3 * 2.0 * static_cast<double>(n * out_h() * out_w() * co * k * k * ci); }  // 3 passes
};

// The convolutions of ResNet-8 and one of each group of ResNet-18.
std::span<const Layer> stack();

struct Results {
  std::vector<float> y, dx, dw;
};

// The first of y, dx, dw that is no convolution of these inputs, numbers of 24 bits in [-1, 1), with the rounding errors of
// float sums; empty if all are. r: 1 or -1 for each channel, unknown to the code that made the results; each result is
// multiplied by r along one axis of channels, which takes one of its channels' work (Freivalds, "Fast probabilistic
// algorithms", MFCS 1979).
std::string wrong_result(const Layer& layer, std::span<const float> x, std::span<const float> w,
                         std::span<const float> dy, const Results& results, std::span<const float> r);

}  // namespace hpml::lab2
