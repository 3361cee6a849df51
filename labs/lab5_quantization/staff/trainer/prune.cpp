#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "commands.hpp"
#include "common/nn/random.hpp"
#include "networks/network.hpp"
#include "student.hpp"

namespace hpml::lab5 {
namespace {

using worker::Answer;
using worker::Failure;

constexpr int kBatch = 64;
constexpr double kRate = 0.005;

// The convolutions but for the first one; the last, linear layer is not pruned either.
struct Pruned {
  std::vector<nn::View<float>> values;
  std::vector<LayerShape> shapes;

  explicit Pruned(const nn::Network& network) {
    for (const nn::NodeSpec& node : network.graph().nodes()) {
      if (node.op != "conv2d" || node.inputs[0] == "input") {
        continue;
      }
      const nn::View<float> value = network.value(node.name + ".weight");
      values.push_back(value);
      shapes.push_back({int64_t{value.shape.n} * value.shape.h, value.shape.w, value.shape.c});
    }
  }
  std::vector<float> gather() const {
    std::vector<float> all;
    for (const nn::View<float> value : values) {
      all.insert(all.end(), value.span().begin(), value.span().end());
    }
    return all;
  }
  void scatter(std::span<const float> all) const {
    for (const nn::View<float> value : values) {
      std::ranges::copy(all.first(static_cast<size_t>(value.size())), value.data);
      all = all.subspan(static_cast<size_t>(value.size()));
    }
  }
};

// The same share of every layer, chosen by lot.
std::vector<uint8_t> random_masks(const std::vector<LayerShape>& layers, double fraction, uint64_t seed) {
  std::vector<uint8_t> keep;
  for (const LayerShape& layer : layers) {
    const size_t first = keep.size();
    keep.resize(first + static_cast<size_t>(layer.size()), 1);
    const std::vector<int> order = nn::permutation(static_cast<int>(layer.size()), seed, nn::stream_id("masks", first));
    const auto pruned = static_cast<size_t>(fraction * static_cast<double>(layer.size()));
    for (size_t i = 0; i < pruned; ++i) {
      keep[first + static_cast<size_t>(order[i])] = 0;
    }
  }
  return keep;
}

Answer<std::vector<uint8_t>> masks_of(const PruneOptions& options, Pruner& pruner, const Pruned& pruned) {
  if (options.method == "random") {
    return random_masks(pruned.shapes, options.fraction, options.seed);
  }
  const std::map<std::string, Pruner::Method> methods = {
      {"layer", Pruner::Method::layer}, {"global", Pruner::Method::global}, {"two_of_four", Pruner::Method::two_of_four}};
  return pruner.masks(methods.at(options.method), options.fraction, pruned.gather());
}

}  // namespace

Answer<Ok> run_prune(const PruneOptions& options) {
  nn::ThreadPool pool(1);
  const nn::Slots slots = nn::baseline_slots();
  auto built = nn::Network::build(nn::resnet8_cifar(), {.batch = 100}, slots, pool);
  if (!built.ok()) {
    return Failure{worker::kOurFault, built.error().to_string()};
  }
  nn::Network& network = *built;
  if (const Result<void> read = read_weights(options.weights, network); !read.ok()) {
    return Failure{worker::kUsage, read.error().to_string()};
  }
  const Pruned pruned(network);
  HPML_TRY(const auto pruner, Pruner::start(options.library, pruned.shapes));
  HPML_TRY(const std::vector<uint8_t> keep, masks_of(options, *pruner, pruned));
  Answer<Ok> applied = Ok{};
  const auto apply = [&] {
    std::vector<float> w = pruned.gather();
    if (applied.ok()) {
      applied = pruner->apply(w, keep);
    }
    pruned.scatter(w);
  };
  apply();
  const Images test = synthetic_images(kTestSeed, 0, kTestImages);
  double reached = accuracy(network, test);
  fmt::print("{:.4f}\n", reached);
  if (options.epochs > 0) {
    const Images images = synthetic_images(kTrainSeed, 0, options.images);
    train(network, images, {.epochs = options.epochs, .lr = kRate, .seed = options.seed, .batch = kBatch}, slots, pool, apply);
    reached = accuracy(network, test);
  }
  HPML_TRY_VOID(std::move(applied));
  fmt::print("{:.4f}\n", reached);
  const std::vector<float> end = pruned.gather();
  int64_t zeros = 0, alive = 0;
  for (size_t i = 0; i < end.size(); ++i) {
    zeros += keep[i] == 0 ? 1 : 0;
    alive += keep[i] == 0 && end[i] != 0 ? 1 : 0;
  }
  fmt::print("{}\n{}\n", zeros, alive);
  return Ok{};
}

}  // namespace hpml::lab5
