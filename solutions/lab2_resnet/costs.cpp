// P2: work, parameters and bytes of a layer for one image.
#include "lab2.hpp"

namespace lab2 {

namespace {

int64_t size(const Extent& e) { return int64_t{e.h} * e.w * e.c; }

// Taps of all windows along one axis that fall inside the image.
int64_t inner_taps(int in, int out, const Node& node) {
  int64_t taps = 0;
  for (int o = 0; o < out; ++o) {
    for (int k = 0; k < node.kernel; ++k) {
      const int i = o * node.stride - node.pad + k;
      taps += i >= 0 && i < in ? 1 : 0;
    }
  }
  return taps;
}

void count_products(const Node& node, Cost& cost) {
  const Extent in = node.in[0];
  if (node.op == "conv2d") {
    const int64_t per_tap = int64_t{in.c} / node.groups * node.out.c;
    cost.macs = int64_t{node.out.h} * node.out.w * node.kernel * node.kernel * per_tap;
    cost.executed_macs = inner_taps(in.h, node.out.h, node) * inner_taps(in.w, node.out.w, node) * per_tap;
    cost.parameters = int64_t{node.kernel} * node.kernel * per_tap;
  } else if (node.op == "linear") {
    cost.macs = cost.executed_macs = cost.parameters = size(in) * node.out.c;
  }
  cost.parameters += node.bias ? node.out.c : 0;
}

void count_other(const Node& node, Cost& cost) {
  if (node.op == "batch_norm") {
    cost.other_flop = 2 * size(node.out);
    cost.parameters = cost.buffers = 2 * int64_t{node.out.c};
  } else if (node.op == "relu" || node.op == "add") {
    cost.other_flop = size(node.out);
  } else if (node.op == "avg_pool" || node.op == "max_pool") {
    cost.other_flop = size(node.out) * node.kernel * node.kernel;
  }
}

}  // namespace

Cost cost(const Node& node) {
  Cost cost;
  count_products(node, cost);
  count_other(node, cost);
  for (const Extent& in : node.in) {
    cost.bytes_in += 4 * size(in);
  }
  cost.bytes_w = 4 * cost.parameters;
  cost.bytes_out = 4 * size(node.out);
  return cost;
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
