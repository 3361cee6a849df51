// P3. Run: lora IN OUT RANK SEED
#include <algorithm>
#include <functional>
#include <numeric>

#include "../compress.hpp"
#include "compress_check.hpp"

namespace {

using namespace lab5;
using harness::normal;
using harness::Results;

constexpr int kSteps = 200, kSamples = 8;
constexpr double kAlpha = 16;

// The adapter learns to add a matrix of rank 1 to W. The learning rate is below the curvature of the loss by A and by B.
void train(Lora& layer, uint64_t seed, Results& results) {
  const auto in = static_cast<std::size_t>(layer.in), out = static_cast<std::size_t>(layer.out);
  const std::vector<float> inputs = normal(seed, 2, kSamples * in);
  const std::vector<float> row = normal(seed, 3, in, 2 / std::sqrt(in)), column = normal(seed, 7, out, 1 / std::sqrt(out));
  const Lora start = layer;
  const double rate = std::min(2.0 / layer.in, layer.rank / (kAlpha * kAlpha));
  std::vector<double> losses;
  for (int step = 0; step < kSteps; ++step) {
    LoraGradient sum{std::vector<float>(layer.a.size()), std::vector<float>(layer.b.size())};
    double loss = 0;
    for (std::size_t s = 0; s < kSamples; ++s) {
      const std::span<const float> x(inputs.data() + s * in, in);
      std::vector<float> dy = lora_forward(layer, x), before = lora_forward(start, x);
      dy.resize(out);
      before.resize(out);
      const double along = std::inner_product(x.begin(), x.end(), row.begin(), 0.0);
      for (std::size_t i = 0; i < out; ++i) {
        dy[i] -= before[i] + static_cast<float>(along * column[i]);
        loss += 0.5 * double{dy[i]} * dy[i] / kSamples;
        dy[i] /= kSamples;
      }
      LoraGradient one = lora_backward(layer, x, dy);
      one.a.resize(sum.a.size());
      one.b.resize(sum.b.size());
      std::ranges::transform(sum.a, one.a, sum.a.begin(), std::plus{});
      std::ranges::transform(sum.b, one.b, sum.b.begin(), std::plus{});
    }
    losses.push_back(loss);
    lora_step(layer, sum, rate);
  }
  results.add("losses", losses);
}

void check_adapter(int in, int out, int rank, uint64_t seed, Results& results) {
  const std::vector<float> w = normal(seed, 0, static_cast<std::size_t>(in) * static_cast<std::size_t>(out), 0.1);
  Lora layer = make_lora(in, out, rank, kAlpha, w, seed);
  results.add("trainable", static_cast<double>(lora_trainable(layer)));
  results.add("start_a", layer.a);
  results.add("start_b", layer.b);
  const std::vector<float> x = normal(seed, 1, static_cast<std::size_t>(in));
  results.add("start_y", lora_forward(layer, x));
  Lora given = layer;  // with a B that is not 0
  given.b = normal(seed, 4, given.b.size());
  const std::vector<float> dy = normal(seed, 5, static_cast<std::size_t>(out));
  const LoraGradient gradient = lora_backward(given, x, dy);
  results.add("given_b", given.b);
  results.add("gradient_a", gradient.a);
  results.add("gradient_b", gradient.b);
  results.add("given_y", lora_forward(given, x));
  train(layer, seed, results);
  results.add("end_w", layer.w);
  results.add("end_a", layer.a);
  results.add("end_b", layer.b);
  results.add("end_y", lora_forward(layer, x));
  results.add("merged", lora_merge(layer));
}

void check_nf4(uint64_t seed, Results& results) {
  constexpr std::size_t kWeights = 64 * 300 + 17;  // the last block is short, and so is the last block of scales
  std::vector<float> w = normal(seed, 6, kWeights);
  std::fill(w.begin() + 64, w.begin() + 128, 0.0F);
  Nf4 q = nf4_quantize(w);
  results.add("codes", q.codes);
  results.add("scales", q.scales);
  results.add("values", nf4_dequantize(q));
  results.add("bits", nf4_bits_per_weight(q));
  nf4_quantize_scales(q);
  results.add("steps", q.steps);
  results.add("units", q.units);
  results.add("scales_left", static_cast<double>(q.scales.size()));
  results.add("double_values", nf4_dequantize(q));
  results.add("double_bits", nf4_bits_per_weight(q));
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = harness::seed_argument(argc, argv, 4, "IN OUT RANK SEED");
  Results results(argv[0]);
  check_adapter(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), seed, results);
  check_nf4(seed, results);
  return 0;
}
