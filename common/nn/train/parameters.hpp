#pragma once
// The parameters and buffers of a graph: values, gradients, names, initial values.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/nn/graph/graph.hpp"
#include "common/nn/tensor.hpp"
#include "common/nn/train/optimizer.hpp"

namespace hpml::nn {

class Parameters {
 public:
  // Initial values depend on the seed and on the place of the parameter in the graph.
  Parameters(const Graph& graph, uint64_t seed, bool with_gradients);

  std::span<const Param> trainable() const { return trainable_; }
  // Of one node, in the order of its params.
  std::span<const View<float>> values(int node) const;
  std::span<const View<float>> gradients(int node) const;
  // By "<node>.<param>"; empty when there is none.
  View<float> value(std::string_view name) const;
  View<const float> gradient(std::string_view name) const;

 private:
  int index_of(std::string_view name) const;

  std::vector<std::string> names_;
  std::vector<Tensor> storage_;
  std::vector<View<float>> values_, gradients_;  // one per parameter or buffer, in graph order
  std::vector<size_t> first_;                    // of each node, and one past the last
  std::vector<Param> trainable_;
};

}  // namespace hpml::nn
