#include "common/nn/layers/layer.hpp"

namespace hpml::nn {

void Layer::bind(std::span<const View<float>> values, std::span<const View<float>> gradients) {
  values_ = values;
  gradients_ = gradients;
}

}  // namespace hpml::nn
