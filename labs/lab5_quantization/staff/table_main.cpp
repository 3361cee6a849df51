// lab5_table WEIGHTS SEED: the accuracies, in %, that the margins of the handout compare, as JSON; the seed orders the
// images of the training. lab5_table WEIGHTS: what `make lab5 bench` draws, as JSON:
//   "float": accuracy in %; "rows": over bits, granularity and observer, before training with quantisation and, at 3 and
//   2 bits, after it; "layers": accuracy with 2 bits in one convolution alone; "activation": a histogram of one layer's
//   output and the limits that observers choose.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "networks/fake_quant.hpp"
#include "networks/folded.hpp"

namespace {

using namespace hpml;
using lab5::QuantPlan;
using nlohmann::json;

constexpr int kLeastBits = 2, kBins = 200;
constexpr const char* kObserved = "group2.block0.relu1";

struct Column {
  const char* name;
  QuantPlan plan;
  bool weights, activations;  // that follow the bits of the row; the others: weights 8, activations float
};
const Column kColumns[] = {
    {"W tensor", {.per_channel = false}, true, false},
    {"W channel", {}, true, false},
    {"W channel, MSE", {.mse_weights = true}, true, false},
    {"A min-max", {.mse_activations = false}, false, true},
    {"A MSE", {}, false, true},
    {"W+A tensor, min-max", {.per_channel = false, .mse_activations = false}, true, true},
    {"W+A channel, MSE", {}, true, true},
    {"W+A channel, both MSE", {.mse_weights = true}, true, true},
};

class Table {
 public:
  explicit Table(std::string weights) : weights_(std::move(weights)) {}

  json accuracy_over_bits() {
    json rows = json::array();
    for (const int bits : {8, 4, 3, kLeastBits}) {
      json row = {{"bits", bits}};
      for (const Column& column : kColumns) {
        row[column.name] = percent(plan_of(column, bits));
      }
      if (bits <= 3) {
        row["QAT"] = trained(bits, 1);
      }
      rows.push_back(row);
      fmt::print(stderr, "accuracy at {} bits: computed\n", bits);
    }
    return rows;
  }

  // Only this one convolution has few bits; the stem is the first.
  json accuracy_of_one_layer() {
    json layers = json::array();
    const int count = make({.weight_bits = 0, .activation_bits = 0}).convolutions();
    for (int layer = 0; layer < count; ++layer) {
      layers.push_back({{"layer", layer},
                        {"weights", percent({.weight_bits = kLeastBits, .activation_bits = 0, .only = layer})},
                        {"activations", percent({.weight_bits = 0, .activation_bits = kLeastBits, .only = layer})}});
      fmt::print(stderr, "sensitivity of convolution {} of {}: computed\n", layer + 1, count);
    }
    return layers;
  }

  json activation() {
    auto network = make({.weight_bits = 0, .activation_bits = 0});
    const lab5::FoldedNet net = lab5::fold(network.network());
    const auto node = std::ranges::find(net, kObserved, &lab5::FoldedNode::name) - net.begin();
    std::vector<float> values;
    for (int i = 0; i < calibration_.count(); ++i) {
      const auto outputs = lab5::run_float(net, calibration_.pixels.view().images(i, 1).span());
      const std::vector<float>& y = outputs.at(static_cast<size_t>(node));
      values.insert(values.end(), y.begin(), y.end());
    }
    const lab5::Limits all = lab5::min_max(values);
    std::vector<int64_t> counts(kBins);
    for (const float v : values) {
      const float place = (v - all.lo) / (all.hi - all.lo) * kBins;
      ++counts[std::min(static_cast<size_t>(place), size_t{kBins - 1})];
    }
    std::ranges::sort(values);
    json clips = {{"min-max", all.hi}, {"99.9 %", values[values.size() * 999 / 1000]}};
    for (const int bits : {8, kLeastBits}) {
      clips[fmt::format("squared error, {} bits", bits)] =
          lab5::least_squares(values, lab5::unsigned_integers(bits)).hi;
    }
    return {{"name", kObserved}, {"lo", all.lo}, {"hi", all.hi}, {"counts", counts}, {"clips", clips}};
  }

  // At 2 bits, but for the first two.
  json margins(uint64_t seed) {
    json found = {{"float", percent({.weight_bits = 0, .activation_bits = 0})}, {"8 bits", percent({})}};
    for (const char* name : {"W tensor", "W channel", "A min-max", "A MSE", "W+A channel, both MSE"}) {
      found[name] = percent(plan_of(*std::ranges::find(kColumns, std::string_view(name), &Column::name), kLeastBits));
    }
    found["QAT"] = trained(kLeastBits, seed);
    return found;
  }

  double percent(const QuantPlan& plan) {
    auto network = make(plan);
    return percent(network);
  }

 private:
  static QuantPlan plan_of(const Column& column, int bits) {
    QuantPlan plan = column.plan;
    plan.weight_bits = column.weights ? bits : 8;
    plan.activation_bits = column.activations ? bits : 0;
    return plan;
  }
  double trained(int bits, uint64_t seed) {
    auto network = make({.weight_bits = bits, .activation_bits = bits, .mse_weights = true});
    lab5::train(network.network(), training_, {.seed = seed}, network.slots(), pool_, [&] { network.refresh(); });
    return percent(network);
  }
  lab5::QuantizedNetwork make(const QuantPlan& plan) {
    auto made = lab5::QuantizedNetwork::make(weights_, plan, lab5::our_fake_quant(), calibration_, pool_, lab5::reproducible_slots());
    if (!made.ok()) {
      fmt::print(stderr, "lab5_table: {}\n", made.error().to_string());
      std::exit(2);
    }
    return std::move(*made);
  }
  double percent(lab5::QuantizedNetwork& network) { return 100 * lab5::accuracy(network.network(), test_); }

  std::string weights_;
  nn::ThreadPool pool_{2};
  lab5::Images calibration_ = lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kCalibrationImages),
               test_ = lab5::synthetic_images(lab5::kTestSeed, 0, lab5::kTestImages),
               training_ = lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kTrainImages);
};

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (argc < 2 || argc > 3 || (argc == 3 && seed == 0)) {
    fmt::print(stderr, "usage: lab5_table WEIGHTS [SEED from 1]\n");
    return 2;
  }
  Table table(argv[1]);
  if (seed != 0) {
    fmt::print("{}\n", table.margins(seed).dump());
    return 0;
  }
  const json found = {{"float", table.percent({.weight_bits = 0, .activation_bits = 0})},
                      {"rows", table.accuracy_over_bits()},
                      {"layers", table.accuracy_of_one_layer()},
                      {"activation", table.activation()}};
  fmt::print("{}\n", found.dump(1));
  return 0;
}
