// P2, in training: what the grader's program lab5_trainer asks, in a process of its own.
#include "../compress.hpp"

extern "C" double distill_loss(int64_t batch, int64_t classes, double temperature, double alpha, const float* teacher,
                               const float* student, const int32_t* labels, float* gradient) {
  const auto images = static_cast<std::size_t>(batch), count = images * static_cast<std::size_t>(classes);
  return lab5::distillation_loss({static_cast<int>(batch), static_cast<int>(classes), temperature, alpha}, {teacher, count},
                                 {student, count}, {labels, images}, {gradient, count});
}
