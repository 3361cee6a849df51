// loss loss SEED STEPS BATCH VOCABULARY EXTRA: sum (double), tokens (int64), row losses, d_logits. The logits of EXTRA more
//   steps follow, all of them padding.
// loss clip SEED LIMIT N...: norm (double), then the clipped gradients of tensors of N values; LIMIT may be "null".
// loss teacher SEED RATIO N: prints N times 0 or 1.
#include "harness/check.hpp"
#include "harness/compute.hpp"

namespace {

// Logits from -120 to 120: without the largest subtracted, exp overflows or loses the rest.
void print_loss(uint64_t seed, int steps, int batch, int vocabulary, int extra) {
  const int rows = (steps + extra) * batch;
  const auto lengths = check::lengths(seed, batch, steps);
  std::vector<float> logits = check::values(seed, 0, int64_t{rows} * vocabulary), mask, row_losses = check::stale(rows);
  std::vector<int32_t> targets;
  for (float& logit : logits) {
    logit *= 120;
  }
  for (int row = 0; row < rows; ++row) {
    const bool real = row / batch < lengths[static_cast<size_t>(row % batch)];
    mask.push_back(real ? 1.0F : 0.0F);
    targets.push_back(real ? static_cast<int32_t>(lab6::uniform(seed, "target", static_cast<uint64_t>(row)) * vocabulary)
                           : lab6::kPad);
  }
  auto d_logits = check::stale(int64_t{rows} * vocabulary);
  lab6::PoolCompute compute(2);
  const lab6::Loss loss = lab6::masked_loss(rows, vocabulary, logits.data(), targets.data(), mask.data(),
                                            row_losses.data(), d_logits.data(), compute);
  check::Results results;
  results.write(std::vector<double>{loss.sum});
  results.write(std::vector<int64_t>{loss.tokens});
  results.write(row_losses);
  results.write(d_logits);
}

void print_clipped(uint64_t seed, std::optional<double> limit, const std::vector<int>& sizes) {
  std::vector<std::vector<float>> gradients;
  std::vector<std::span<float>> spans;
  for (size_t i = 0; i < sizes.size(); ++i) {
    gradients.push_back(check::values(seed, static_cast<int>(i), sizes[i]));
  }
  spans.assign(gradients.begin(), gradients.end());
  check::Results results;
  results.write(std::vector<double>{lab6::clip_gradients(spans, limit)});
  for (const auto& gradient : gradients) {
    results.write(gradient);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 4 ? argv[1] : "";
  const auto seed = static_cast<uint64_t>(argc > 2 ? std::atoll(argv[2]) : 0);
  if (what == "loss" && argc == 7) {
    print_loss(seed, std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]), std::atoi(argv[6]));
  } else if (what == "clip") {
    std::vector<int> sizes;
    for (int i = 4; i < argc; ++i) {
      sizes.push_back(std::atoi(argv[i]));
    }
    const bool none = std::string_view(argv[3]) == "null";
    print_clipped(seed, none ? std::nullopt : std::optional(std::atof(argv[3])), sizes);
  } else if (what == "teacher") {
    for (int step = 0; step < std::atoi(argv[4]); ++step) {
      std::printf("%d", lab6::use_teacher(std::atof(argv[3]), seed, step) ? 1 : 0);
    }
    std::printf("\n");
  } else {
    check::fail("usage: loss loss|clip|teacher ...");
  }
  return 0;
}
