#include "common/nn/profile/tables.hpp"

namespace hpml::nn {

namespace {

void add_to(LayerCost& sum, const LayerCost& cost) {
  sum.macs += cost.macs;
  sum.executed_macs += cost.executed_macs;
  sum.other_flop += cost.other_flop;
  sum.parameters += cost.parameters;
  sum.buffers += cost.buffers;
  sum.bytes_in += cost.bytes_in;
  sum.bytes_w += cost.bytes_w;
  sum.bytes_out += cost.bytes_out;
}

// Forward, gradient by weights, and gradient by the input unless the input is the image.
int64_t training_passes(const NodeSpec& node) { return node.inputs[0] == "input" ? 2 : 3; }

}  // namespace

CostTable cost_table(const Graph& graph, const CostFunction& cost) {
  CostTable table;
  for (const NodeSpec& node : graph.nodes()) {
    const CostRow row{&node, cost(node)};
    add_to(table.total, row.cost);
    table.training_macs += row.cost.macs * training_passes(node);
    if (node.op == "conv2d") {
      ++table.convolutions;
      table.conv_macs += row.cost.macs;
      table.conv_outputs += node.out_shape.size();
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace hpml::nn
