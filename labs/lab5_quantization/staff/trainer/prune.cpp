#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

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

// Whether of these weights, `stride` apart, the `count` smallest are pruned and no others. Equal ones are as good as each other.
bool prunes_smallest(const float* w, const uint8_t* keep, int64_t n, int64_t stride, int64_t count) {
  float most_pruned = 0, least_kept = std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < n; ++i) {
    const float size = std::fabs(w[i * stride]);
    count -= keep[i * stride] == 0 ? 1 : 0;
    (keep[i * stride] == 0 ? most_pruned : least_kept) =
        keep[i * stride] == 0 ? std::max(most_pruned, size) : std::min(least_kept, size);
  }
  return count == 0 && most_pruned <= least_kept;
}

// Four neighbours along the input channels.
bool prunes_two_of_four(const LayerShape& layer, const float* w, const uint8_t* keep) {
  for (int64_t row = 0; row < layer.taps * layer.ci; row += 4) {
    for (int64_t column = 0; column < layer.co; ++column) {
      const int64_t at = row * layer.co + column;
      if (!prunes_smallest(w + at, keep + at, 4, layer.co, 2)) {
        return false;
      }
    }
  }
  return true;
}

// What a network reaches says something about a method only if its masks are the method's.
bool are_of(Pruner::Method method, double fraction, const std::vector<LayerShape>& layers, std::span<const float> w,
            std::span<const uint8_t> keep) {
  const auto share = [&](int64_t n) { return static_cast<int64_t>(fraction * static_cast<double>(n)); };
  if (method == Pruner::Method::global) {
    const auto n = static_cast<int64_t>(w.size());
    return prunes_smallest(w.data(), keep.data(), n, 1, share(n));
  }
  int64_t at = 0;
  return std::ranges::all_of(layers, [&](const LayerShape& layer) {
    const int64_t first = std::exchange(at, at + layer.size());
    return method == Pruner::Method::two_of_four
               ? prunes_two_of_four(layer, &w[static_cast<size_t>(first)], &keep[static_cast<size_t>(first)])
               : prunes_smallest(&w[static_cast<size_t>(first)], &keep[static_cast<size_t>(first)], layer.size(), 1,
                                 share(layer.size()));
  });
}

Answer<std::vector<uint8_t>> masks_of(const PruneOptions& options, Pruner& pruner, const Pruned& pruned) {
  if (options.method == "random") {
    return random_masks(pruned.shapes, options.fraction, options.seed);
  }
  const std::map<std::string, Pruner::Method> methods = {
      {"layer", Pruner::Method::layer}, {"global", Pruner::Method::global}, {"two_of_four", Pruner::Method::two_of_four}};
  const Pruner::Method method = methods.at(options.method);
  const std::vector<float> w = pruned.gather();
  HPML_TRY(std::vector<uint8_t> keep, pruner.masks(method, options.fraction, w));
  if (!are_of(method, options.fraction, pruned.shapes, w, keep)) {
    return Failure{worker::kWrong, fmt::format("the {} masks of the network do not prune the smallest {} % of its weights, or "
                                               "others as well", options.method, 100 * options.fraction)};
  }
  return keep;
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
