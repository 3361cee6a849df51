#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/nn/profile/tables.hpp"

namespace hpml::nn {

namespace {

using Json = nlohmann::ordered_json;

// Self time of every event: its duration without the events directly inside it. Events come by thread, then by start.
std::vector<int64_t> self_times(std::span<const TraceEvent> events) {
  std::vector<int64_t> self(events.size());
  std::vector<size_t> open;  // the events around the current one, outermost first
  for (size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    const auto ended = [&](const TraceEvent& other) {
      return other.thread != event.thread || other.start_ns + other.duration_ns <= event.start_ns;
    };
    while (!open.empty() && ended(events[open.back()])) {
      open.pop_back();
    }
    self[i] = event.duration_ns;
    if (!open.empty()) {
      self[open.back()] -= event.duration_ns;
    }
    open.push_back(i);
  }
  return self;
}

// FLOP of one event. Backward makes two products of the forward pass's size, one when the input needs no gradient.
double flop_of(const Graph& graph, const CostFunction& cost, const TraceEvent& event) {
  if (event.node < 0) {
    return 0;
  }
  const NodeSpec& node = graph.nodes()[static_cast<size_t>(event.node)];
  const LayerCost layer = cost(node);
  if (layer.macs == 0) {
    return static_cast<double>(layer.other_flop) * event.images;
  }
  const double products = event.pass == Pass::forward ? 1 : node.inputs[0] == "input" ? 1 : 2;
  return 2.0 * static_cast<double>(layer.macs) * products * event.images;
}

}  // namespace

std::string_view to_string(Pass pass) {
  switch (pass) {
    case Pass::none: return "none";
    case Pass::forward: return "forward";
    case Pass::backward: return "backward";
    case Pass::update: return "update";
    case Pass::load: return "load";
  }
  return "";
}

std::vector<ProfileRow> profile(const Graph& graph, const CostFunction& cost, std::span<const TraceEvent> events) {
  std::vector<ProfileRow> rows;
  std::vector<double> flop;
  const std::vector<int64_t> self = self_times(events);
  double total_ms = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    auto row = std::find_if(rows.begin(), rows.end(), [&](const ProfileRow& other) {
      return other.node == event.node && other.pass == event.pass && other.name == event.name;
    });
    if (row == rows.end()) {
      rows.push_back({.node = event.node, .name = std::string(event.name), .pass = event.pass});
      flop.push_back(0);
      row = rows.end() - 1;
    }
    const double ms = static_cast<double>(self[i]) * 1e-6;
    row->calls += 1;
    row->self_ms += ms;
    total_ms += ms;
    flop[static_cast<size_t>(row - rows.begin())] += flop_of(graph, cost, event);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].share = total_ms > 0 ? rows[i].self_ms / total_ms : 0;
    rows[i].gflops = rows[i].self_ms > 0 ? flop[i] / (rows[i].self_ms * 1e6) : 0;
  }
  std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.self_ms > b.self_ms; });
  return rows;
}

std::string chrome_trace(const Graph& graph, const CostFunction& cost, std::span<const TraceEvent> events) {
  std::string lines;
  const auto line = [&](const Json& event) { lines += fmt::format("{}{}", lines.empty() ? "" : ",\n", event.dump()); };
  int threads = 0;
  for (const TraceEvent& event : events) {
    threads = std::max(threads, event.thread + 1);
  }
  for (int thread = 0; thread < threads; ++thread) {
    line({{"name", "thread_name"},
          {"ph", "M"},
          {"pid", 1},
          {"tid", thread},
          {"args", {{"name", fmt::format("thread {}", thread)}}}});
  }
  for (const TraceEvent& event : events) {
    Json args = {{"pass", to_string(event.pass)}};
    if (event.node >= 0) {
      const NodeSpec& node = graph.nodes()[static_cast<size_t>(event.node)];
      const LayerCost layer = cost(node);
      args["shape"] = node.out_shape.with_n(event.images).to_string();
      args["flops"] = static_cast<int64_t>(flop_of(graph, cost, event));
      args["bytes"] = (layer.bytes_in + layer.bytes_out) * event.images + layer.bytes_w;
    }
    line({{"name", event.name},
          {"cat", event.node < 0 ? std::string("step") : graph.nodes()[static_cast<size_t>(event.node)].op},
          {"ph", "X"},
          {"ts", static_cast<double>(event.start_ns) * 1e-3},
          {"dur", static_cast<double>(event.duration_ns) * 1e-3},
          {"pid", 1},
          {"tid", event.thread},
          {"args", std::move(args)}});
  }
  return fmt::format("{{\"traceEvents\": [\n{}\n], \"displayTimeUnit\": \"ms\"}}\n", lines);
}

}  // namespace hpml::nn
