// P2: the loss of a student network that learns from a teacher's logits.
#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
// alpha * T^2 * KL(softmax(teacher / T) || softmax(student / T)) + (1 - alpha) * cross-entropy(student, labels), each the mean
// over the batch, and its gradient by the student's logits. Compute in double; subtract the largest logit before exp().
double distillation_loss(const Distillation& d, std::span<const float> teacher, std::span<const float> student,
                         std::span<const int32_t> labels, std::span<float> gradient) {
  (void)d;
  (void)teacher;
  (void)student;
  (void)labels;
  for (float& g : gradient) {
    g = 0;
  }
  return 0;
}
// END STUDENT

}  // namespace lab5
