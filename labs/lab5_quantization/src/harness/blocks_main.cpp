// P4. Run: blocks COUNT SEED
#include <algorithm>

#include "../compress.hpp"
#include "compress_check.hpp"

int main(int argc, char** argv) {
  using namespace lab5;
  const uint64_t seed = harness::seed_argument(argc, argv, 2, "COUNT SEED");
  std::vector<float> x = harness::normal(seed, 0, static_cast<std::size_t>(std::atoi(argv[1])));
  // A block of zeros, one with two values of the largest magnitude, one whose halves of a step lie exactly between two
  // integers, one of numbers that are too small for a normal fp16.
  const float special[4][2] = {{0, 0}, {2.5F, -2.5F}, {127, 0.5F}, {3e-6F, -1e-6F}};
  for (std::size_t block = 0; block < 4; ++block) {
    for (std::size_t i = 0; i < kBlockWeights; ++i) {
      x[block * kBlockWeights + i] = i < 2 ? special[block][i] : special[block][1] * static_cast<float>(i % 5);
    }
  }
  harness::Results results(argv[0]);
  const std::vector<uint8_t> q8 = q8_0_quantize(x), q4 = q4_0_quantize(x);
  results.add("q8", q8);
  results.add("q4", q4);
  results.add("q8_values", q8_0_dequantize(q8));
  results.add("q4_values", q4_0_dequantize(q4));
  const std::span<const float> odd = std::span(x).first(33);
  results.add_refusal("refuses_q8", [&] { q8_0_quantize(odd); });
  results.add_refusal("refuses_q4", [&] { q4_0_quantize(odd); });
  results.add_refusal("refuses_bytes", [&] { q8_0_dequantize(std::span<const uint8_t>(q8).first(33)); });
  std::vector<uint16_t> halves;
  std::vector<float> back;
  for (uint32_t h = 0; h < 65536; ++h) {
    back.push_back(float_from_half(static_cast<uint16_t>(h)));
  }
  for (const float value : harness::normal(seed, 1, 4000)) {
    const int exponent = static_cast<int>(halves.size() % 48) - 30;
    halves.push_back(half_from_float(std::ldexp(value, exponent)));
  }
  for (const float value : {65504.0F, 65519.996F, 65520.0F, 1e9F, 5.9604645e-8F, 2.9802322e-8F, 2.9802326e-8F, 6.1e-5F, -0.0F}) {
    halves.push_back(half_from_float(value));
  }
  results.add("from_half", back);
  results.add("to_half", halves);
  return 0;
}
