#include "harness/predict.hpp"

#include "harness/nodes.hpp"

namespace predict {

namespace {

double seconds(int64_t macs, int64_t bytes, const How& how) {
  const lab2::PaleoTime t = lab2::paleo(macs, bytes, how.device, how.ppp);
  return t.compute_s + t.memory_s / how.memory_ppp;
}

}  // namespace

Prediction step(const hpml::nn::Graph& graph, int images, const How& how) {
  Prediction found;
  for (const hpml::nn::NodeSpec& spec : graph.nodes()) {
    const lab2::Cost cost = lab2::cost(nodes::lab2_node(spec));
    const int64_t macs = cost.macs * images, bytes = (cost.bytes_in + cost.bytes_out) * images + cost.bytes_w;
    const int passes = spec.inputs[0] == "input" ? 1 : 2;
    const LayerTimes own{seconds(macs, bytes, how), seconds(passes * macs, passes * bytes, how)};
    found.layers.push_back(own);
    found.forward_s += own.forward_s;
    found.backward_s += own.backward_s;
  }
  return found;
}

}  // namespace predict
