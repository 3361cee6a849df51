#pragma once
// The two convolution passes in which every target pixel gathers from source pixels: forward (y from x) and the
// gradient by the input (dx from dy). Direct: the tiles read the source in place, pixel by pixel, through panels of
// weights.
#include <vector>

#include "common/nn/baseline/kernels/lines.hpp"
#include "common/nn/gemm/isa.hpp"
#include "common/nn/slots.hpp"

namespace hpml::nn::baseline {

class GatherPass {
 public:
  enum class Direction : uint8_t { forward, backward };
  GatherPass(const gemm::Isa& isa, const ConvShape& shape, Direction direction);

  // Writes all of `target`; the weights are k x k x ci x co in both directions.
  void run(View<const float> source, const float* weights, View<float> target, ThreadPool& pool) const;

 private:
  struct Call;

  const gemm::Isa& isa_;
  int taps_;  // k * k
  int kernel_;
  int64_t depth_, columns_;  // channels of source and target
  int64_t ci_, co_;
  bool transposed_;                      // backward: a panel's rows are output channels
  std::vector<LineClass> rows_, lines_;  // of the image's rows and columns
  int vectors_;
  int64_t width_, panel_depth_;
};

}  // namespace hpml::nn::baseline
