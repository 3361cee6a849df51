// E1 and E2: from real numbers to integers and back; weights per tensor and per channel. README.md works every formula
// on four numbers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab5.hpp"

namespace lab5 {

// BEGIN STUDENT
// Step 1. The range must hold 0: lo = min(lo, 0), hi = max(hi, 0). The scale is computed in double and rounded to float:
//   asymmetric: scale = (hi - lo) / (qmax - qmin), zero = rint(qmin - lo / scale), kept in [qmin, qmax];
//   symmetric:  scale = max(-lo, hi) / qmax, zero = 0.
// The zero point is computed in double from the scale AFTER it was rounded, because that is the scale that is stored.
// lo = hi = 0: scale 1, zero 0. lo > hi, or a limit that is infinite or no number: throw std::invalid_argument with the
// tensor's name in its text.
QParams choose_qparams(std::string_view, double, double, const QType& type) { return {1.0F, 0, type.qmin, type.qmax}; }

// Step 2. q = rint(x / scale) + zero, kept in [qmin, qmax], in this order: round (half to even: std::nearbyint), add,
// limit. What is no number gives zero; infinities give the limits. The division is one of floats.
int32_t quantize(float, const QParams&) { return 0; }

// Step 3. scale * (q - zero).
float dequantize(int32_t, const QParams&) { return 0; }

// Step 4. Smallest, largest, mean, and the root of the mean squared deviation.
WeightStatistics weight_statistics(std::span<const float>) { return {}; }

// Step 5. `bins` bins of equal width from lo to hi; hi itself lies in the last one; values outside are not counted.
std::vector<int64_t> histogram(std::span<const float>, float, float, int) { return {}; }

// Step 6. narrow_type(bits), symmetric: the scale comes from the largest |w|, of all weights or of each output channel.
// Element i belongs to output channel i % co.
QuantizedWeights quantize_weights(std::span<const float>, int, int, bool) { return {}; }

// Step 7. And back.
std::vector<float> dequantize_weights(const QuantizedWeights&, int) { return {}; }

// Step 8. 10 log10(sum of x^2 / sum of (x - approximation)^2), in double; infinite when they are equal.
double sqnr_db(std::span<const float>, std::span<const float>) { return 0; }
// END STUDENT

}  // namespace lab5
