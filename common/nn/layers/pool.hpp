#pragma once
// What both pools share: attributes kernel (0 = the whole image), stride (0 = kernel), pad, and the shape rule.
#include <string>

#include "common/nn/graph/op.hpp"
#include "common/nn/layers/window.hpp"

namespace hpml::nn {

struct PoolShape {
  Window rows, columns;
};
PoolShape pool_shape(const NodeSpec& node);
std::string infer_pool(NodeSpec& node);
LayerCost pool_cost(const NodeSpec& node);  // one FLOP per value of every window
std::vector<AttrRule> pool_attrs();

}  // namespace hpml::nn
