#pragma once
// The weights of the network, by name, with their gradients and initial values.
#include <cmath>

#include "common/nn/random.hpp"
#include "common/nn/tensor.hpp"
#include "lab6.hpp"

namespace lab6 {

struct Weight {
  hpml::nn::Tensor value, gradient;
};
struct GruLayer {
  Weight w_ih, w_hh, b_ih, b_hh;

  GruTensors<const float> values() const { return {w_ih.value.data(), w_hh.value.data(), b_ih.value.data(), b_hh.value.data()}; }
  GruTensors<float> gradients() const {
    return {w_ih.gradient.data(), w_hh.gradient.data(), b_ih.gradient.data(), b_hh.gradient.data()};
  }
};
enum Layer : uint8_t { forward0, reverse0, forward1, reverse1 };

class Weights {
 public:
  Weights(int vocabulary, int hidden, uint64_t seed) : seed_(seed) {
    const int h = hidden;
    // The embedding is N(0, 1), everything else uniform in +-1/sqrt(inputs), as PyTorch's layers begin.
    add("embedding.weight", vocabulary, h, Side::encoder, 0, embedding);
    add_gru("encoder.gru", "_l0", h, h, Side::encoder, encoder[forward0]);
    add_gru("encoder.gru", "_l0_reverse", h, h, Side::encoder, encoder[reverse0]);
    add_gru("encoder.gru", "_l1", 2 * h, h, Side::encoder, encoder[forward1]);
    add_gru("encoder.gru", "_l1_reverse", 2 * h, h, Side::encoder, encoder[reverse1]);
    add_gru("decoder.gru", "_l0", h, h, Side::decoder, decoder[0]);
    add_gru("decoder.gru", "_l1", h, h, Side::decoder, decoder[1]);
    add("decoder.concat.weight", h, 2 * h, Side::decoder, 2 * h, concat_w);
    add("decoder.concat.bias", 1, h, Side::decoder, 2 * h, concat_b);
    add("decoder.out.weight", vocabulary, h, Side::decoder, h, out_w);
    add("decoder.out.bias", 1, vocabulary, Side::decoder, h, out_b);
  }

  Weight embedding, concat_w, concat_b, out_w, out_b;
  GruLayer encoder[4], decoder[2];
  std::vector<Parameter> parameters;

 private:
  void add_gru(const std::string& prefix, const std::string& suffix, int input, int hidden, Side side, GruLayer& layer) {
    add(prefix + ".weight_ih" + suffix, 3 * hidden, input, side, hidden, layer.w_ih);
    add(prefix + ".weight_hh" + suffix, 3 * hidden, hidden, side, hidden, layer.w_hh);
    add(prefix + ".bias_ih" + suffix, 1, 3 * hidden, side, hidden, layer.b_ih);
    add(prefix + ".bias_hh" + suffix, 1, 3 * hidden, side, hidden, layer.b_hh);
  }

  // fan_in 0: normal.
  void add(const std::string& name, int rows, int columns, Side side, int fan_in, Weight& weight) {
    weight.value = hpml::nn::Tensor({1, 1, rows, columns});
    weight.gradient = hpml::nn::Tensor({1, 1, rows, columns});
    const hpml::nn::Random random(seed_, hpml::nn::stream_id("weights", parameters.size()));
    const double bound = fan_in == 0 ? 0 : 1 / std::sqrt(static_cast<double>(fan_in));
    uint64_t i = 0;
    for (float& value : weight.value.span()) {
      value = static_cast<float>(fan_in == 0 ? random.normal(i) : bound * (2 * random.uniform(i) - 1));
      ++i;
    }
    parameters.push_back({name, rows, columns, side, weight.value.span(), weight.gradient.span()});
  }

  uint64_t seed_;
};

}  // namespace lab6
