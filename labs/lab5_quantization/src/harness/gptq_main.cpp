// P4. Run: gptq ROWS D SAMPLES BITS CORRELATION% SEED. The inputs of neighbouring columns are correlated (AR(1)).
#include <algorithm>

#include "../compress.hpp"
#include "compress_check.hpp"

namespace {

using namespace lab5;

std::vector<float> correlated(const GptqShape& shape, double rho, uint64_t seed) {
  const auto d = static_cast<std::size_t>(shape.d);
  const std::vector<float> noise = harness::normal(seed, 1, static_cast<std::size_t>(shape.samples) * d);
  std::vector<float> x = noise;
  const double fresh = std::sqrt(1 - rho * rho);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % d == 0 ? noise[i] : static_cast<float>(rho * x[i - 1] + fresh * noise[i]);
  }
  return x;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = harness::seed_argument(argc, argv, 6, "ROWS D SAMPLES BITS CORRELATION% SEED");
  const GptqShape shape{std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])};
  const auto d = static_cast<std::size_t>(shape.d);
  const std::vector<float> w = harness::normal(seed, 0, static_cast<std::size_t>(shape.rows) * d);
  const std::vector<float> x = correlated(shape, std::atof(argv[5]) / 100, seed);
  harness::Results results(argv[0]);
  results.add("nearest", round_to_nearest(shape, w));
  results.add("inputs", x);
  results.add("gptq", gptq(shape, w, x, 0.01));
  // Inputs whose H is a multiple of the identity: no column can make up for another.
  std::vector<float> identity(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    identity[i * d + i] = 1;
  }
  results.add("identity", gptq({shape.rows, shape.d, shape.d, shape.bits}, w, identity, 0));
  // Columns 3 and d - 1 are never used: their diagonal of H is 0.
  std::vector<float> dead = x;
  for (std::size_t i = 0; i < dead.size(); ++i) {
    dead[i] = i % d == 3 || i % d == d - 1 ? 0.0F : dead[i];
  }
  results.add("dead", gptq(shape, w, dead, 0));
  // Column 5 is an outlier of the inputs, column 3 is still unused.
  for (std::size_t i = 5; i < dead.size(); i += d) {
    dead[i] *= 50;
  }
  results.add("smooth50", smooth_factors(shape, w, dead, 0.5));
  results.add("smooth80", smooth_factors(shape, w, dead, 0.8));
  return 0;
}
