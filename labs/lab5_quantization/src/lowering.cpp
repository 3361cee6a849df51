// E5: a trained network becomes one of integers. Calls choose_qparams() and quantize_weights() of your qparams.cpp.
#include <algorithm>
#include <cmath>

#include "lab5.hpp"

namespace lab5 {

// BEGIN STUDENT
// Step 1. k = gamma / sqrt(var + eps) per output channel; weight' = k weight; bias' = beta - k mean (+ k bias). In
// double, rounded to float at the end.
FoldedConv fold_batch_norm(std::span<const float>, std::span<const float>, const BatchNormValues&) { return {}; }

// Step 2. rint(bias / (input_scale * weight_scale)), in double; what needs 32 bits or more beside the sign is refused
// with std::invalid_argument.
int32_t quantize_bias(float, float, float) { return 0; }

// Step 3. m = m0 * 2^-31 * 2^-n with m0 in [2^30, 2^31), rounded; if rounding gives 2^31, half of that and n - 1. m
// outside (0, 1) is refused with std::invalid_argument.
Multiplier make_multiplier(double) { return {}; }

// Step 4. (acc * m0 + 2^(30 + n)) >> (31 + n) in 64 bits, plus zero, kept in [qmin, qmax]: one rounding, ties upward. For
// n > 32 the result of the shift is 0, but C++ does not define a shift by 64 bits or more.
int32_t requantize(int32_t, const Multiplier&, int32_t, int32_t, int32_t) { return 0; }

// Step 5. bias + sum over the window of (x - zero) * w. Outside of the image x is `zero`, so nothing is added.
void conv_acc(const ConvShape&, const uint8_t*, int32_t, const int8_t*, const int32_t*, int32_t*) {}

// Step 6. rint(ra (qa - za) + rb (qb - zb)) + zy in float, kept in [qmin, qmax].
int32_t add_quantized(int32_t, int32_t, const AddParams&) { return 0; }

// Step 7. A convolution takes the batch norm behind it along, and convolution, addition and average take the relu: it
// is the limit clamp_lo = zero of their output. Activations are kU8 with the range of the last node that went in;
// weights are 8 bits, per channel. Multipliers: conv input scale * weight scale / output scale; avg_pool input scale /
// (pixels * output scale). The linear node keeps its accumulators.
IntNet lower(const FloatNet&) { return {}; }

// Step 8. Bytes of the model, and an image through it.
int64_t model_bytes(const IntNet&) { return 0; }
std::vector<int32_t> run(const IntNet&, const uint8_t*) { return {}; }
// END STUDENT

}  // namespace lab5
