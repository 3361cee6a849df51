#pragma once
// Tables that are pure functions of a graph, of its costs and of recorded events.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/nn/graph/op.hpp"
#include "common/nn/profile/trace.hpp"

namespace hpml::nn {

using CostFunction = std::function<LayerCost(const NodeSpec& node)>;

struct CostRow {
  const NodeSpec* node = nullptr;
  LayerCost cost;
};
struct CostTable {
  std::vector<CostRow> rows;  // one per node
  LayerCost total;            // sums over the rows
  int64_t conv_macs = 0, conv_outputs = 0;
  int convolutions = 0;
  // Of one image: forward, backward by inputs (not for nodes that read the graph's input alone), backward by weights.
  int64_t training_macs = 0;
};
CostTable cost_table(const Graph& graph, const CostFunction& cost);

struct ProfileRow {
  int node = -1;  // -1: a span that is not a layer; `name` tells which
  std::string name;
  Pass pass = Pass::none;
  int64_t calls = 0;
  double self_ms = 0;  // without the spans inside it
  double share = 0;    // of the self times of all rows
  double gflops =
      0;  // forward FLOP (backward: twice, or once without input gradient) per self time; 0 without products
};
// By self time, the longest first.
std::vector<ProfileRow> profile(const Graph& graph, const CostFunction& cost, std::span<const TraceEvent> events);

// Chrome trace event format, times in microseconds.
std::string chrome_trace(const Graph& graph, const CostFunction& cost, std::span<const TraceEvent> events);

}  // namespace hpml::nn
