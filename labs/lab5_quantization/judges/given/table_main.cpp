// lab5_table WEIGHTS: the table of the handout: accuracy of ResNet-8 over bits, granularity and observer, before
// training with quantisation and, at 3 and 2 bits, after it. JSON: {"float": a, "rows": [{"bits", column: a}]}.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "given/fake_quant.hpp"

namespace {

using namespace hpml;
using lab5::QuantPlan;

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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: lab5_table WEIGHTS\n");
    return 2;
  }
  nn::ThreadPool pool(2);
  const lab5::Images calibration = lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kCalibrationImages),
                     test = lab5::synthetic_images(lab5::kTestSeed, 0, lab5::kTestImages),
                     training = lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kTrainImages);
  const auto make = [&](const QuantPlan& plan) {
    auto made = lab5::QuantizedNetwork::make(argv[1], plan, lab5::our_fake_quant(), calibration, pool);
    if (!made.ok()) {
      fmt::print(stderr, "lab5_table: {}\n", made.error().to_string());
      std::exit(2);
    }
    return std::move(*made);
  };
  const auto percent = [&](lab5::QuantizedNetwork& network) { return 100 * lab5::accuracy(network.network(), test); };
  auto exact = make({.weight_bits = 0, .activation_bits = 0});
  nlohmann::json table = {{"float", percent(exact)}, {"rows", nlohmann::json::array()}};
  for (const int bits : {8, 4, 3, 2}) {
    nlohmann::json row = {{"bits", bits}};
    for (const Column& column : kColumns) {
      QuantPlan plan = column.plan;
      plan.weight_bits = column.weights ? bits : 8;
      plan.activation_bits = column.activations ? bits : 0;
      auto network = make(plan);
      row[column.name] = percent(network);
    }
    if (bits <= 3) {
      auto network = make({.weight_bits = bits, .activation_bits = bits, .mse_weights = true});
      lab5::train(network.network(), training, {}, network.slots(), pool, [&] { network.refresh(); });
      row["QAT"] = percent(network);
    }
    table["rows"].push_back(row);
  }
  fmt::print("{}\n", table.dump(1));
  return 0;
}
