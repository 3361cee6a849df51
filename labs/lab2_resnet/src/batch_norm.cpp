// C7: batch normalisation (Ioffe, Szegedy 2015).
#include "lab2.hpp"

namespace lab2 {

// BEGIN STUDENT
// Step 1. Training: mean and variance of every channel over the pixels, y = gamma * (x - mean) / sqrt(var + eps) + beta.
//         Keep the mean and 1 / sqrt(var + eps) in norm.mean and norm.rstd: resize both to the number of channels.
//         Compute the variance in a second pass: the sum of squares minus the square of the sum loses its digits.
// Step 2. Running statistics: biased variance for y, unbiased (n / (n - 1)) for running_var. Not training: use them.
void batch_norm_forward(BatchNorm&, int64_t, const float*, bool, float*) {}

// Step 3. dbeta = sum dy, dgamma = sum dy * xhat, dx = gamma / sigma * (dy - mean(dy) - xhat * mean(dy * xhat)), where xhat is
//         (x - mean) / sigma: the mean and the variance depend on x, too.
void batch_norm_backward(const BatchNorm&, int64_t, const float*, const float*, float*, float*, float*) {}
// END STUDENT

}  // namespace lab2
