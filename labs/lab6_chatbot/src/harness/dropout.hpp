#pragma once
// Dropout: in training, each value is dropped with probability `rate`, and the others grow by 1 / (1 - rate).
//
// Which values are dropped is a pure function of (seed, training step, place, index), and nothing of it is stored. So the
// backward pass, the decoder's second pass and a resumed training find the same values again, on any number of threads.
#include <cmath>
#include <cstdint>

#include "lab6.hpp"

namespace lab6 {

class Dropout {
 public:
  enum Place : uint8_t { questions, encoder, inputs, decoder, kPlaces };  // two embeddings, two outputs of GRU layer 0

  Dropout(double rate, uint64_t seed)
      : seed_(seed), threshold_(static_cast<uint32_t>(std::ldexp(rate, 32))), scale_(static_cast<float>(1 / (1 - rate))) {}

  void start(int64_t step) {
    on_ = threshold_ > 0;
    for (int place = 0; on_ && place < kPlaces; ++place) {
      const double draw = uniform(seed_, "dropout", static_cast<uint64_t>(step * kPlaces + place));
      keys_[place] = static_cast<uint32_t>(std::ldexp(draw, 32));
    }
  }
  void stop() { on_ = false; }
  bool on() const { return on_; }

  // Row `row` of a place, in the forward pass; its gradient in the backward pass.
  void apply(Place place, int64_t row, int columns, float* values) const {
    const uint32_t first = static_cast<uint32_t>(row * columns), key = keys_[place], threshold = threshold_;
    const float scale = scale_;  // copies, for `values` could be memory of this object
    for (int i = 0; i < columns; ++i) {
      const uint32_t drawn = mixed(((first + static_cast<uint32_t>(i)) * 0x9e3779b9U) ^ key);
      values[i] *= drawn < threshold ? 0.0F : scale;
    }
  }

 private:
  // A bijection whose every output bit depends on every input bit: "lowbias32", github.com/skeeto/hash-prospector.
  static uint32_t mixed(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
  }

  uint64_t seed_;
  uint32_t threshold_, keys_[kPlaces] = {};
  float scale_;
  bool on_ = false;
};

}  // namespace lab6
