// costs layer OP H W CI CO K STRIDE PAD GROUPS BIAS: one layer's eight numbers, in the order of struct Cost.
// costs network NAME...: one line per network: name, convolutions, MAC of these, their outputs, then the eight sums.
// costs table NAME...: one line per layer of a network.
#include <cinttypes>
#include <string_view>

#include "common/nn/graph/networks.hpp"
#include "harness/check.hpp"
#include "harness/nodes.hpp"

namespace {

void print(const lab2::Cost& c) {
  const int64_t numbers[] = {c.macs,    c.executed_macs, c.other_flop, c.parameters,
                             c.buffers, c.bytes_in,      c.bytes_w,    c.bytes_out};
  for (const int64_t number : numbers) {
    std::printf(" %" PRId64, number);
  }
  std::printf("\n");
}

void layer(char** words) {
  const auto number = [&](int i) { return std::atoi(words[i]); };
  lab2::Node node{.op = words[0], .name = "layer", .in = {{number(1), number(2), number(3)}}};
  const bool window = node.op == "conv2d" || node.op == "max_pool" || node.op == "avg_pool";
  if (window) {
    node.kernel = number(5), node.stride = number(6), node.pad = number(7);
  }
  const auto out = [&](int in) { return window ? (in + 2 * node.pad - node.kernel) / node.stride + 1 : in; };
  node.groups = number(8);
  node.bias = number(9) != 0;
  node.out = {out(number(1)), out(number(2)), number(4)};
  if (node.op == "linear") {
    node.out = {1, 1, number(4)};
  }
  if (node.op == "add") {
    node.in.push_back(node.in[0]);
  }
  std::printf("layer");
  print(lab2::cost(node));
}

void add(const lab2::Cost& c, lab2::Cost& sum) {
  sum.macs += c.macs, sum.executed_macs += c.executed_macs, sum.other_flop += c.other_flop;
  sum.parameters += c.parameters, sum.buffers += c.buffers;
  sum.bytes_in += c.bytes_in, sum.bytes_w += c.bytes_w, sum.bytes_out += c.bytes_out;
}

void network(const hpml::nn::Graph& graph, bool each) {
  lab2::Cost sum;
  int64_t convolutions = 0, conv_macs = 0, conv_outputs = 0;
  for (const hpml::nn::NodeSpec& spec : graph.nodes()) {
    const lab2::Node node = nodes::lab2_node(spec);
    const lab2::Cost cost = lab2::cost(node);
    add(cost, sum);
    if (node.op == "conv2d") {
      ++convolutions;
      conv_macs += cost.macs;
      conv_outputs += int64_t{node.out.h} * node.out.w * node.out.c;
    }
    if (each) {
      std::printf("%s %s", node.name.c_str(), node.op.c_str());
      print(cost);
    }
  }
  if (!each) {
    std::printf("%s %" PRId64 " %" PRId64 " %" PRId64, graph.name().c_str(), convolutions, conv_macs, conv_outputs);
    print(sum);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "layer" && argc == 12) {
    layer(argv + 2);
    return 0;
  }
  if (what != "network" && what != "table") {
    check::fail("usage: costs layer OP H W CI CO K STRIDE PAD GROUPS BIAS | network NAME... | table NAME...");
  }
  for (int i = 2; i < argc; ++i) {
    const auto graph = hpml::nn::network_by_name(argv[i]);
    if (!graph.ok()) {
      check::fail(graph.error().to_string().c_str());
    }
    network(*graph, what == "table");
  }
  return 0;
}
