// M3: masked loss, teacher forcing, clipping.
#include "fast_math.hpp"
#include "lab6.hpp"

namespace lab6 {

// Step 1: log of the softmax, minus the largest logit. Step 2: the gradient. Step 3: row losses added in their order.
Loss masked_loss(int rows, int vocabulary, const float* logits, const int32_t* targets, const float* mask,
                 float* row_losses, float* d_logits, Compute& compute) {
  (void)rows, (void)vocabulary, (void)logits, (void)targets, (void)mask, (void)row_losses, (void)d_logits, (void)compute;
  return {};
}

// Step 4.
bool use_teacher(double ratio, uint64_t seed, int64_t step) {
  (void)ratio, (void)seed, (void)step;
  return true;
}

// Step 5.
double clip_gradients(std::span<const std::span<float>> gradients, std::optional<double> limit) {
  (void)gradients, (void)limit;
  return 0;
}

}  // namespace lab6
