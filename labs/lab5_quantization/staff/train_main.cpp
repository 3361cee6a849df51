// lab5_train resnet8|lenet FILE [SEED]: trains a network from scratch and writes its weights: with seed 1, those of
// data/. Prints the accuracy on the test images. lab5_train ranges WEIGHTS FILE: observes the outputs of ResNet-8 on the
// calibration images.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/base/check.hpp"
#include "networks/integer.hpp"

namespace {

using namespace hpml;

struct Phase {
  int epochs;
  double lr;
};

Result<double> train_from_scratch(const std::string& name, const std::string& path, uint64_t seed) {
  nn::ThreadPool pool(2);
  const nn::Slots slots = lab5::reproducible_slots();
  HPML_TRY(nn::Graph graph, lab5::graph_by_name(name));
  HPML_TRY(nn::Network network, nn::Network::build(std::move(graph), {.batch = 100, .seed = seed}, slots, pool));
  const lab5::Images images = lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kTrainImages);
  constexpr uint64_t kOrders = 1000;  // of one seed, so that no two seeds share an order of the images
  uint64_t order = (seed - 1) * kOrders + 1;
  const std::vector<Phase> phases =
      name == "lenet" ? std::vector<Phase>{{20, 0.02}, {10, 0.002}} : std::vector<Phase>{{8, 0.05}, {4, 0.005}};
  for (const Phase& phase : phases) {
    lab5::train(network, images, {.epochs = phase.epochs, .lr = phase.lr, .seed = order++}, slots, pool);
  }
  HPML_TRY_VOID(lab5::write_weights(path, network));
  return lab5::accuracy(network, lab5::synthetic_images(lab5::kTestSeed, 0, lab5::kTestImages));
}

// Prints the accuracy of the integers as well.
Result<double> observe_ranges(const std::string& weights, const std::string& path) {
  nn::ThreadPool pool(1);
  const nn::Slots slots = nn::baseline_slots();
  HPML_TRY(nn::Graph graph, lab5::graph_by_name("resnet8"));
  HPML_TRY(nn::Network network, nn::Network::build(std::move(graph), {.batch = 1, .training = false}, slots, pool));
  HPML_TRY_VOID(lab5::read_weights(weights, network));
  const lab5::FoldedNet net = lab5::fold(network);
  const lab5::Ranges ranges = lab5::observe(net, lab5::synthetic_images(lab5::kTrainSeed, 0, lab5::kCalibrationImages));
  HPML_TRY_VOID(lab5::write_ranges(path, net, ranges));
  const lab5::IntegerNet integers(net, ranges);
  const lab5::Images test = lab5::synthetic_images(lab5::kTestSeed, 0, lab5::kTestImages);
  int correct = 0;
  for (int i = 0; i < test.count(); ++i) {
    correct += integers.classify(test.pixels.view().images(i, 1).span()) == test.labels[static_cast<size_t>(i)];
  }
  return static_cast<double>(correct) / test.count();
}

}  // namespace

int main(int argc, char** argv) {
  const bool ranges = argc == 4 && std::string_view(argv[1]) == "ranges";
  const uint64_t seed = argc == 4 && !ranges ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (argc < 3 || argc > 4 || seed == 0) {
    fmt::print(stderr, "usage: lab5_train resnet8|lenet FILE [SEED from 1], or lab5_train ranges WEIGHTS FILE\n");
    return 2;
  }
  const auto accuracy = ranges ? observe_ranges(argv[2], argv[3]) : train_from_scratch(argv[1], argv[2], seed);
  if (!accuracy.ok()) {
    fmt::print(stderr, "lab5_train: {}\n", accuracy.error().to_string());
    return 2;
  }
  fmt::print("{}: {:.1f} % of {} test images\n", ranges ? "as 8-bit integers" : argv[1], 100 * *accuracy,
             lab5::kTestImages);
  return 0;
}
