// P2: the loss of a student network that learns from a teacher's logits.
#include <algorithm>
#include <cmath>

#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
namespace {

// log(softmax(logits / temperature))
std::vector<double> log_softmax(std::span<const float> logits, double temperature) {
  const double highest = *std::ranges::max_element(logits);
  double sum = 0;
  std::vector<double> result;
  for (const float logit : logits) {
    result.push_back((logit - highest) / temperature);
    sum += std::exp(result.back());
  }
  for (double& value : result) {
    value -= std::log(sum);
  }
  return result;
}

}  // namespace

double distillation_loss(const Distillation& d, std::span<const float> teacher, std::span<const float> student,
                         std::span<const int32_t> labels, std::span<float> gradient) {
  const auto classes = static_cast<std::size_t>(d.classes);
  const double t = d.temperature;
  double loss = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.batch); ++i) {
    const auto label = static_cast<std::size_t>(labels[i]);
    const std::vector<double> soft = log_softmax(student.subspan(i * classes, classes), t);
    const std::vector<double> wanted = log_softmax(teacher.subspan(i * classes, classes), t);
    const std::vector<double> hard = log_softmax(student.subspan(i * classes, classes), 1);
    double divergence = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double p = std::exp(wanted[c]);
      divergence += p * (wanted[c] - soft[c]);
      const double from_teacher = t * (std::exp(soft[c]) - p);
      const double from_label = std::exp(hard[c]) - (c == label ? 1.0 : 0.0);
      gradient[i * classes + c] = static_cast<float>((d.alpha * from_teacher + (1 - d.alpha) * from_label) / d.batch);
    }
    loss += d.alpha * t * t * divergence - (1 - d.alpha) * hard[label];
  }
  return loss / d.batch;
}
// END STUDENT

}  // namespace lab5
// HPML-CANARY-5e0c71f3b8a94d26
