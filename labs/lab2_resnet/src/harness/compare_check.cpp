// compare plan NETWORK BATCH: the network's layers, forward and then backward, as gpu/resnet_gpu.cu reads them.
// compare table NETWORK BATCH PEAK BANDWIDTH CLOCK PPP WHERE:LAYER:BACKWARD:MICROSECONDS...: seconds of every layer,
// "PASS LAYER paleo bound gpu cpu", and the total. WHERE is gpu or cpu, BACKWARD 0 or 1.
#include <string_view>

#include "common/nn/graph/networks.hpp"
#include "harness/check.hpp"
#include "harness/nodes.hpp"

namespace {

using Nodes = std::vector<lab2::Node>;

void print_line(const lab2::Node& node, const char* pass, int batch) {
  const lab2::Extent& in = node.in[0];
  const bool linear = node.op == "linear";
  std::printf("%s %s %s %d %d %d %d %d %d %d %d\n", node.name.c_str(), node.op.c_str(), pass, batch, linear ? 1 : in.h,
              linear ? 1 : in.w, linear ? in.h * in.w * in.c : in.c, node.out.c, node.op == "conv2d" ? node.kernel : 1,
              node.op == "conv2d" ? node.stride : 1, node.op == "conv2d" ? node.pad : 0);
}

void plan(const Nodes& nodes, int batch) {
  for (const lab2::Node& node : nodes) {
    print_line(node, "forward", batch);
  }
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    print_line(*node, node + 1 == nodes.rend() ? "weights" : "backward", batch);
  }
}

void print_row(const char* pass, size_t layer, const lab2::LayerTimes& t) {
  std::printf("%s %zu %.17g %.17g %.17g %.17g\n", pass, layer, t.paleo, t.bound, t.gpu, t.cpu);
}

void table(const Nodes& nodes, int argc, char** argv) {
  const lab2::Device device{std::atof(argv[4]), std::atof(argv[5]), std::atof(argv[6])};
  std::vector<lab2::Timed> gpu, cpu;
  for (int i = 8; i < argc; ++i) {
    char where[4] = "";
    int layer = 0, backward = 0;
    double us = 0;
    if (std::sscanf(argv[i], "%3[a-z]:%d:%d:%lf", where, &layer, &backward, &us) != 4 || layer < 0 ||
        layer >= static_cast<int>(nodes.size())) {
      check::fail("expected WHERE:LAYER:BACKWARD:MICROSECONDS");
    }
    (std::string_view(where) == "gpu" ? gpu : cpu).push_back({layer, backward != 0, us * 1e-6});
  }
  const lab2::Comparison found = lab2::compare(nodes, std::atoi(argv[3]), device, std::atof(argv[7]), gpu, cpu);
  for (size_t i = 0; i < found.forward.size(); ++i) {
    print_row("forward", i, found.forward[i]);
  }
  for (size_t i = 0; i < found.backward.size(); ++i) {
    print_row("backward", i, found.backward[i]);
  }
  print_row("total", 0, found.total);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 3 ? argv[1] : "";
  if (!(what == "plan" && argc == 4) && !(what == "table" && argc >= 8)) {
    check::fail("usage: compare plan NETWORK BATCH | table NETWORK BATCH PEAK BANDWIDTH CLOCK PPP SPAN...");
  }
  const auto graph = hpml::nn::network_by_name(argv[2]);
  if (!graph.ok()) {
    check::fail(graph.error().to_string().c_str());
  }
  Nodes nodes;
  for (const hpml::nn::NodeSpec& spec : graph->nodes()) {
    nodes.push_back(nodes::lab2_node(spec));
  }
  if (what == "plan") {
    plan(nodes, std::atoi(argv[3]));
  } else {
    table(nodes, argc, argv);
  }
  return 0;
}
