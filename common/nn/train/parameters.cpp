#include "common/nn/train/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "common/nn/random.hpp"

namespace hpml::nn {

namespace {

void initialise(const ParamSpec& spec, uint64_t seed, uint64_t place, View<float> value) {
  switch (spec.init) {
    case Init::zeros: return;
    case Init::ones: std::fill_n(value.data, value.size(), 1.0F); return;
    case Init::uniform_fan_in: break;
  }
  const double limit = 1.0 / std::sqrt(static_cast<double>(spec.fan_in));
  Random random(seed, stream_id("weights", place));
  for (float& element : value.span()) {
    element = static_cast<float>(limit * (2.0 * random.next_uniform() - 1.0));
  }
}

}  // namespace

Parameters::Parameters(const Graph& graph, uint64_t seed, bool with_gradients) {
  for (const NodeSpec& node : graph.nodes()) {
    first_.push_back(values_.size());
    for (const ParamSpec& spec : node.params) {
      values_.push_back(storage_.emplace_back(spec.shape).view());
      initialise(spec, seed, values_.size(), values_.back());
      const bool has_gradient = with_gradients && spec.trainable;
      gradients_.push_back(has_gradient ? storage_.emplace_back(spec.shape).view() : View<float>{});
      names_.push_back(node.name + "." + spec.name);
    }
  }
  first_.push_back(values_.size());
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!gradients_[i].empty()) {
      trainable_.push_back({names_[i], values_[i].span(), gradients_[i].span()});
    }
  }
}

std::span<const View<float>> Parameters::values(int node) const {
  const auto i = static_cast<size_t>(node);
  return {values_.data() + first_[i], first_[i + 1] - first_[i]};
}

std::span<const View<float>> Parameters::gradients(int node) const {
  const auto i = static_cast<size_t>(node);
  return {gradients_.data() + first_[i], first_[i + 1] - first_[i]};
}

int Parameters::index_of(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

View<float> Parameters::value(std::string_view name) const {
  const int i = index_of(name);
  return i < 0 ? View<float>{} : values_[static_cast<size_t>(i)];
}

View<const float> Parameters::gradient(std::string_view name) const {
  const int i = index_of(name);
  return i < 0 ? View<const float>{} : View<const float>(gradients_[static_cast<size_t>(i)]);
}

}  // namespace hpml::nn
