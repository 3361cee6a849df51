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
void train(const Lora& layer, uint64_t seed) {
  const auto in = static_cast<std::size_t>(layer.in), out = static_cast<std::size_t>(layer.out);
  const std::vector<float> inputs = normal(seed, 2, kSamples * in), w(layer.w.begin(), layer.w.end());
  const std::vector<float> row = normal(seed, 3, in, 2 / std::sqrt(in)), column = normal(seed, 7, out, 1 / std::sqrt(out));
  const double rate = std::min(2.0 / layer.in, layer.rank / (kAlpha * kAlpha));
  for (int step = 0; step < kSteps; ++step) {
    std::vector<float> sum_a(layer.a.size()), sum_b(layer.b.size());
    for (std::size_t s = 0; s < kSamples; ++s) {
      const std::span<const float> x(inputs.data() + s * in, in);
      std::vector<float> dy = lora_forward(layer, x);
      dy.resize(out);
      const double along = std::inner_product(x.begin(), x.end(), row.begin(), 0.0);
      for (std::size_t i = 0; i < out; ++i) {
        const double before = std::inner_product(x.begin(), x.end(), w.begin() + static_cast<std::ptrdiff_t>(i * in), 0.0);
        dy[i] -= static_cast<float>(before + along * column[i]);
        dy[i] /= kSamples;
      }
      std::vector<float> a(sum_a.size()), b(sum_b.size());
      lora_backward(layer, x, dy, {a, b});
      std::ranges::transform(sum_a, a, sum_a.begin(), std::plus{});
      std::ranges::transform(sum_b, b, sum_b.begin(), std::plus{});
    }
    lora_step(layer, {sum_a, sum_b}, rate);
  }
}

void check_adapter(int in, int out, int rank, uint64_t seed, Results& results) {
  const auto width = static_cast<std::size_t>(in), height = static_cast<std::size_t>(out), thin = static_cast<std::size_t>(rank);
  std::vector<float> w = normal(seed, 0, width * height, 0.1), a(thin * width), b(height * thin, 1.0F);
  const Lora layer{in, out, rank, kAlpha, w, a, b};
  lora_start(layer, seed);
  results.add("trainable", static_cast<double>(lora_trainable(layer)));
  results.add("start_a", a);
  results.add("start_b", b);
  const std::vector<float> x = normal(seed, 1, width), dy = normal(seed, 5, height);
  results.add("start_y", lora_forward(layer, x));
  std::vector<float> other_b = normal(seed, 4, b.size()), gradient_a(a.size(), NAN), gradient_b(b.size(), NAN);
  const Lora given{in, out, rank, kAlpha, w, a, other_b};  // with a B that is not 0
  lora_backward(given, x, dy, {gradient_a, gradient_b});
  results.add("gradient_a", gradient_a);
  results.add("gradient_b", gradient_b);
  results.add("given_y", lora_forward(given, x));
  train(layer, seed);
  results.add("end_w", w);
  results.add("end_a", a);
  results.add("end_b", b);
  results.add("end_y", lora_forward(layer, x));
  results.add("merged", lora_merge(layer));
}

void check_nf4(uint64_t seed, Results& results) {
  constexpr std::size_t kWeights = 64 * 300 + 17, kScales = 301, kUnits = 2;  // the last blocks are short
  std::vector<float> w = normal(seed, 6, kWeights), scales(kScales, NAN), units(kUnits, NAN);
  std::fill(w.begin() + 64, w.begin() + 128, 0.0F);
  std::vector<uint8_t> codes((kWeights + 1) / 2, 0x5A), steps(kScales, 0x5A);
  const Nf4 single{kWeights, codes, scales, {}, {}}, twice{kWeights, codes, {}, steps, units};
  nf4_quantize(w, single);
  results.add("codes", codes);
  results.add("scales", scales);
  results.add("values", nf4_dequantize(single));
  results.add("bits", nf4_bits_per_weight(single));
  nf4_quantize_scales(scales, twice);
  results.add("steps", steps);
  results.add("units", units);
  results.add("double_values", nf4_dequantize(twice));
  results.add("double_bits", nf4_bits_per_weight(twice));
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = harness::seed_argument(argc, argv, 4, "IN OUT RANK SEED");
  Results results(argv[0]);
  check_adapter(std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), seed, results);
  check_nf4(seed, results);
  return 0;
}
