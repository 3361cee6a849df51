#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "common/nn/random.hpp"
#include "networks/network.hpp"
#include "student.hpp"

namespace hpml::lab5 {
namespace {

using worker::Answer;
using worker::Failure;

constexpr int kBatch = 50, kStudentWidth = 8, kFirst = kCalibrationImages;
constexpr double kRate = 0.02;

// Some labels become another class.
void spoil(std::vector<int32_t>& labels, double share, uint64_t seed) {
  const nn::Random random(seed, nn::stream_id("wrong labels"));
  for (size_t i = 0; i < labels.size(); ++i) {
    if (random.uniform(2 * i) < share) {
      labels[i] = (labels[i] + 1 + random.below(2 * i + 1, nn::kClasses - 1)) % nn::kClasses;
    }
  }
}

// All logits of the teacher, n x classes.
std::vector<float> logits_of(nn::Network& network, const Images& images) {
  std::vector<float> logits;
  for (int first = 0; first < images.count(); first += kBatch) {
    const auto some = network.infer(images.pixels.view().images(first, std::min(kBatch, images.count() - first)));
    logits.insert(logits.end(), some.span().begin(), some.span().end());
  }
  return logits;
}

struct Lesson {
  const Images& images;
  std::vector<float> teacher;
  std::vector<int32_t> labels;
};

// Trains a student network on the lesson and returns its accuracy on the test images.
Answer<double> learn(Distiller& distiller, const Lesson& lesson, const DistillOptions& options,
                     const DistillationSettings& settings, const Images& test) {
  nn::ThreadPool pool(1);
  const nn::Slots slots = nn::baseline_slots();
  auto built = nn::Network::build(nn::resnet8_cifar(kStudentWidth), {.batch = 100, .seed = options.seed}, slots, pool);
  if (!built.ok()) {
    return Failure{worker::kOurFault, built.error().to_string()};
  }
  const auto optimizer = slots.optimizer({.lr = kRate}, pool);
  nn::Tensor batch({kBatch, nn::kImageSide, nn::kImageSide, nn::kImagePlanes});
  std::vector<float> teacher(kBatch * nn::kClasses);
  std::vector<int32_t> labels(kBatch);
  const nn::FlushDenormals flush;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const auto order = nn::permutation(lesson.images.count(), options.seed, nn::stream_id("order", static_cast<uint64_t>(epoch)));
    for (size_t first = 0; first + kBatch <= order.size(); first += kBatch) {
      for (size_t i = 0; i < kBatch; ++i) {
        const int sample = order[first + i];
        const auto from = lesson.images.pixels.view().images(sample, 1).span();
        std::ranges::copy(from, batch.data() + i * nn::kImageBytes);
        std::copy_n(lesson.teacher.begin() + int64_t{sample} * nn::kClasses, nn::kClasses, teacher.begin() + static_cast<int64_t>(i) * nn::kClasses);
        labels[i] = lesson.labels[static_cast<size_t>(sample)];
      }
      Answer<double> loss = 0.0;
      if (settings.alpha == 0) {  // what distillation is compared with is nothing of the student's
        built->train_step(batch.view(), labels);
        optimizer->step(built->parameters());
        continue;
      }
      built->train_step(batch.view(), [&](nn::View<const float> logits, nn::View<float> gradient) {
        loss = distiller.loss(settings, teacher, logits.span(), labels, gradient.span());
        return loss.ok() ? *loss : 0.0;
      });
      HPML_TRY_VOID(std::move(loss));
      optimizer->step(built->parameters());
    }
  }
  return accuracy(*built, test);
}

}  // namespace

Answer<Ok> run_distill(const DistillOptions& options) {
  nn::ThreadPool pool(1);
  const nn::Slots slots = nn::baseline_slots();
  auto built = nn::Network::build(nn::resnet8_cifar(), {.batch = 100, .training = false}, slots, pool);
  if (!built.ok()) {
    return Failure{worker::kOurFault, built.error().to_string()};
  }
  if (const Result<void> read = read_weights(options.weights, *built); !read.ok()) {
    return Failure{worker::kUsage, read.error().to_string()};
  }
  const Images images = synthetic_images(kTrainSeed, kFirst, options.images), test = synthetic_images(kTestSeed, 0, kTestImages);
  Lesson lesson{images, logits_of(*built, images), images.labels};
  spoil(lesson.labels, options.wrong_labels, options.seed);
  HPML_TRY(const auto distiller, Distiller::start(options.library, kBatch, nn::kClasses));
  fmt::print("{:.4f}\n", accuracy(*built, test));
  for (const double alpha : {options.alpha, 0.0}) {
    HPML_TRY(const double reached, learn(*distiller, lesson, options, {options.temperature, alpha}, test));
    fmt::print("{:.4f}\n", reached);
  }
  return Ok{};
}

}  // namespace hpml::lab5
