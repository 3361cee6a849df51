// P2. Run: distill BATCH CLASSES SEED
#include "../compress.hpp"
#include "compress_check.hpp"

int main(int argc, char** argv) {
  using namespace lab5;
  const uint64_t seed = harness::seed_argument(argc, argv, 3, "BATCH CLASSES SEED");
  const int batch = std::atoi(argv[1]), classes = std::atoi(argv[2]);
  const std::size_t count = static_cast<std::size_t>(batch) * static_cast<std::size_t>(classes);
  const std::vector<float> teacher = harness::normal(seed, 0, count, 3), student = harness::normal(seed, 1, count, 2);
  std::vector<float> far(count);  // logits that overflow exp()
  for (std::size_t i = 0; i < count; ++i) {
    far[i] = student[i] * 300;
  }
  std::vector<int32_t> labels;
  for (int i = 0; i < batch; ++i) {
    labels.push_back(static_cast<int32_t>(harness::random_bits(seed, 2, static_cast<uint64_t>(i)) % static_cast<uint64_t>(classes)));
  }
  harness::Results results(argv[0]);
  const double settings[][2] = {{1, 1}, {4, 1}, {100, 1}, {4, 0.9}, {2, 0.5}, {4, 0}};
  for (std::size_t i = 0; i < std::size(settings); ++i) {
    for (const bool large : {false, true}) {
      const std::string tail = large ? "_large" : "";
      std::vector<float> gradient(count, NAN);
      const Distillation d{batch, classes, settings[i][0], settings[i][1]};
      results.add(harness::numbered("loss", i) + tail, distillation_loss(d, teacher, large ? far : student, labels, gradient));
      results.add(harness::numbered("gradient", i) + tail, gradient);
    }
  }
  return 0;
}
