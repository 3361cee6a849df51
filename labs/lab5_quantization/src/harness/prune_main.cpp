// P1. Run: prune CI CO SEED
#include <algorithm>

#include "../compress.hpp"
#include "compress_check.hpp"

namespace {

using namespace lab5;
using harness::normal;
using harness::numbered;
using harness::Results;

void check_masks(int ci, int co, uint64_t seed, Results& results) {
  const std::size_t count = std::size_t{9} * static_cast<std::size_t>(ci) * static_cast<std::size_t>(co);
  std::vector<float> w = normal(seed, 0, count);
  for (float& value : w) {  // many equal magnitudes
    value = std::round(value * 8) / 8;
  }
  const std::vector<float> second = normal(seed, 1, count / 3, 0.3), third = normal(seed, 2, 50, 3);
  results.add("weights", w);
  for (const std::size_t percent : {0, 25, 50, 90, 99}) {
    const double fraction = static_cast<double>(percent) / 100;
    results.add(numbered("layer", percent), magnitude_mask(w, fraction));
    const std::vector<Mask> masks = global_mask({w, second, third}, fraction);
    for (std::size_t i = 0; i < masks.size(); ++i) {
      results.add(numbered(numbered("global", percent) + "_", i), masks[i]);
    }
    const BlockShape shape{3, ci, co, 2 * ci};
    Mask conv1(count, 7), norm(static_cast<std::size_t>(co), 7), conv2(std::size_t{18} * norm.size() * static_cast<std::size_t>(ci), 7);
    channel_masks(shape, w, fraction, {conv1, norm, conv2});
    results.add(numbered("conv1_", percent), conv1);
    results.add(numbered("norm_", percent), norm);
    results.add(numbered("conv2_", percent), conv2);
  }
  const Mask half = two_of_four_mask(w, ci, co);
  results.add("two_of_four", half);
  std::vector<float> masked = w;
  if (half.size() == masked.size()) {
    apply_mask(masked, half);
  }
  results.add("masked", masked);
}

void check_allocation(uint64_t seed, Results& results) {
  const std::vector<double> fractions = {0, 0.25, 0.5, 0.75, 0.9};
  std::vector<std::vector<double>> accuracies(7);
  std::vector<Sensitivity> layers;
  int64_t all = 0;
  for (uint64_t layer = 0; layer < 7; ++layer) {
    std::vector<double>& accuracy = accuracies[layer];
    accuracy.push_back(0.91);
    for (uint64_t level = 1; level < fractions.size(); ++level) {
      accuracy.push_back(accuracy.back() - static_cast<double>(harness::random_bits(seed, 4 + layer, level) % 100) / 1000);
    }
    layers.push_back({static_cast<int64_t>(1000 + harness::random_bits(seed, 3, layer) % 40000), accuracy});
    all += layers.back().weights;
  }
  for (const std::size_t percent : {10, 40, 70, 85}) {
    const std::vector<int> levels = allocate(layers, fractions, all * static_cast<int64_t>(percent) / 100);
    results.add(numbered("levels", percent), levels);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = harness::seed_argument(argc, argv, 3, "CI CO SEED");
  const int ci = std::atoi(argv[1]), co = std::atoi(argv[2]);
  Results results(argv[0]);
  check_masks(ci, co, seed, results);
  check_allocation(seed, results);
  std::vector<double> bits;
  for (const int width : {8, 16, 32}) {
    bits.push_back(static_cast<double>(two_of_four_bits(4096, width)));
  }
  results.add("bits", bits);
  results.add_refusal("refuses_2_4", [] { two_of_four_mask(std::vector<float>(9 * 6 * 4), 6, 4); });
  const std::vector<double> accuracy = {0.9, 0.8}, fractions = {0, 0.5};
  const Sensitivity one{100, accuracy};
  results.add_refusal("refuses_budget", [&] { allocate({&one, 1}, fractions, 60); });
  return 0;
}
