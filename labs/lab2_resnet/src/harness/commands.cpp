// GRAPH is the name of one of the course's networks or a file hpml/graph/v1.
#include "harness/commands.hpp"

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "common/nn/graph/networks.hpp"
#include "harness/devices.hpp"
#include "harness/nodes.hpp"
#include "harness/predict.hpp"

namespace commands {

namespace {

[[noreturn]] void refuse(std::string_view word, const std::string& why) {
  throw std::invalid_argument(std::string(word) + ": " + why);
}

double number(std::string_view text, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high)) {
    refuse(text, "expected a number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

hpml::nn::Graph graph_of(std::string_view name) {
  auto found = name.ends_with(".json") ? hpml::nn::read_graph(std::string(name))
                                       : hpml::nn::network_by_name(std::string(name));
  if (!found.ok()) {
    throw std::invalid_argument(found.error().to_string());
  }
  return std::move(found).value();
}

void print_cost(const std::string& name, const std::string& op, const lab2::Cost& c) {
  std::printf("%-24s %-10s %14" PRId64 " %14" PRId64 " %11" PRId64 " %11" PRId64 " %12" PRId64 "\n", name.c_str(),
              op.c_str(), c.macs, c.executed_macs, c.other_flop, c.parameters, c.bytes_in + c.bytes_w + c.bytes_out);
}

// The evaluations of one run, in order. Seconds are those of the epochs' total_s, evaluation left out.
lab2::Curve curve_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::invalid_argument(path + ": cannot be opened");
  }
  lab2::Curve curve;
  lab2::Evaluation now;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto entry = nlohmann::json::parse(line, nullptr, false);
    const auto real = [&](const char* key) { return entry.value(key, 0.0); };
    const auto numeric = [&](const char* key) { return !entry.contains(key) || entry[key].is_number(); };
    if (!entry.is_object() || !numeric("samples") || !numeric("elapsed_s") || !numeric("val_top1")) {
      throw std::invalid_argument(path + ": line " + std::to_string(number) + " is no entry of a log of `resnet train`");
    }
    if (entry.contains("step")) {
      now.samples += static_cast<int64_t>(real("samples"));
    }
    if (entry.contains("total_s")) {
      now.seconds += real("total_s");
    }
    if (entry.contains("val_top1")) {
      const double in_epoch = entry.contains("total_s") ? 0 : real("elapsed_s");
      curve.push_back({now.samples, now.seconds + in_epoch, real("val_top1")});
    }
  }
  return curve;
}

}  // namespace

void costs(Words words) {
  if (words.size() != 1) {
    throw std::invalid_argument("usage: resnet costs GRAPH");
  }
  const hpml::nn::Graph graph = graph_of(words[0]);
  std::printf("%-24s %-10s %14s %14s %11s %11s %12s\n", "layer", "operator", "MAC", "executed MAC", "other FLOP",
              "parameters", "bytes");
  lab2::Cost sum;
  for (const hpml::nn::NodeSpec& spec : graph.nodes()) {
    const lab2::Cost c = lab2::cost(nodes::lab2_node(spec));
    print_cost(spec.name, spec.op, c);
    sum = {sum.macs + c.macs,           sum.executed_macs + c.executed_macs, sum.other_flop + c.other_flop,
           sum.parameters + c.parameters, sum.buffers + c.buffers,             sum.bytes_in + c.bytes_in,
           sum.bytes_w + c.bytes_w,     sum.bytes_out + c.bytes_out};
  }
  print_cost("sum", "", sum);
}

void paleo(Words words) {
  if (words.size() < 3) {
    throw std::invalid_argument("usage: resnet paleo GRAPH GPU BATCH [--ppp X] [--ppp-comm X] [--paleo-compat]");
  }
  const hpml::nn::Graph graph = graph_of(words[0]);
  predict::How how{.device = devices::by_name(words[1]).figures()};
  const int batch = static_cast<int>(number(words[2], 1, 1 << 20));
  double exchange_ppp = 1;
  bool as_published = false;
  for (size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "--paleo-compat") {
      as_published = true;
    } else if ((words[i] == "--ppp" || words[i] == "--ppp-comm") && i + 1 < words.size()) {
      (words[i] == "--ppp" ? how.ppp : exchange_ppp) = number(words[i + 1], 1e-6, 1);
      ++i;
    } else {
      refuse(words[i], "unknown option, or its value is missing");
    }
  }
  if (as_published) {  // a gigabyte of its bandwidth is 2^30 bytes, and its memory time has the communication's PPP
    how.device.bandwidth *= 0x1p30 / 1e9;
    how.memory_ppp = exchange_ppp;
  }
  const predict::Prediction found = predict::step(graph, batch, how);
  std::printf("%-24s %12s %12s\n", "layer", "forward ms", "backward ms");
  for (size_t i = 0; i < found.layers.size(); ++i) {
    std::printf("%-24s %12.5f %12.5f\n", graph.nodes()[i].name.c_str(), 1e3 * found.layers[i].forward_s,
                1e3 * found.layers[i].backward_s);
  }
  std::printf("%-24s %12.5f %12.5f\n", "sum", 1e3 * found.forward_s, 1e3 * found.backward_s);
}

void tta(Words words) {
  if (words.size() < 2) {
    throw std::invalid_argument("usage: resnet tta THRESHOLD LOG...");
  }
  std::vector<lab2::Curve> curves;
  for (const std::string_view path : words.subspan(1)) {
    curves.push_back(curve_of(std::string(path)));
  }
  const double threshold = number(words[0], 0, 1);
  const lab2::TtaSummary s = lab2::time_to_accuracy(curves, threshold);
  std::printf("%d of %d runs reach %g\n", s.reached, s.runs, threshold);
  if (s.reached > 0) {
    std::printf("samples: mean %.1f, deviation %.1f, 95 %% interval of the mean %.1f to %.1f\n", s.mean, s.deviation, s.low,
                s.high);
  }
  if (s.has_cov) {
    std::printf("coefficient of variation: %.4f\n", s.cov);
  } else {
    std::printf("coefficient of variation: refused, it needs five runs that reach the threshold\n");
  }
}

void devices(Words) {
  for (const ::devices::Gpu& gpu : ::devices::kGpus) {
    const lab2::Device d = gpu.figures();
    std::printf("%s %.9g %.9g %.9g\n", std::string(gpu.name).c_str(), d.peak, d.bandwidth, d.clock);
  }
}

}  // namespace commands
