#include "common/nn/graph/op.hpp"

#include <fmt/format.h>

#include "common/base/check.hpp"
#include "common/nn/layers/ops.hpp"

namespace hpml::nn {

std::span<const Op> all_ops() {
  static const std::vector<Op> ops = {conv2d_op(), batch_norm_op(), relu_op(),     add_op(),
                                      concat_op(), avg_pool_op(),   max_pool_op(), linear_op()};
  return ops;
}

const Op* find_op(std::string_view name) {
  for (const Op& op : all_ops()) {
    if (op.name == name) {
      return &op;
    }
  }
  return nullptr;
}

LayerCost cost_of(const NodeSpec& node) {
  const Op* op = find_op(node.op);
  HPML_CHECK(op != nullptr, fmt::format("node '{}' has the unknown operator '{}'", node.name, node.op));
  LayerCost cost = op->cost(node);
  constexpr int64_t kFloatBytes = sizeof(float);
  for (const ParamSpec& param : node.params) {
    (param.trainable ? cost.parameters : cost.buffers) += param.shape.size();
  }
  for (const Shape& in : node.in_shapes) {
    cost.bytes_in += in.size() * kFloatBytes;
  }
  cost.bytes_w = (cost.parameters + cost.buffers) * kFloatBytes;
  cost.bytes_out = node.out_shape.size() * kFloatBytes;
  return cost;
}

}  // namespace hpml::nn
