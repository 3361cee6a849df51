// E3: observers choose the real limits that the integers shall cover. Calls choose_qparams(), quantize() and
// dequantize() of your qparams.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lab5.hpp"

namespace lab5 {

// BEGIN STUDENT
// Step 1. Smallest and largest value. The moving average starts with the first batch; each later one moves it by a
// hundredth of the difference: lo += 0.01 (batch's lo - lo), and the same for hi.
Range min_max_range(std::span<const float>) { return {}; }
void ema_update(EmaObserver&, std::span<const float>) {}

// Step 2. Of |x|, sorted: the value at position (n - 1) p, between two values linearly.
float percentile_clip(std::span<const float>, double) { return 0; }

// Step 3. A histogram of kBins bins over the observed range; every value counts as the centre of its bin (float). Of
// the candidates (lo, hi) * i / 100, i = 5 ... 100, the one with the smallest squared error after quantising; of equal
// ones the larger. One value alone: the observed range.
Range mse_range(std::span<const float>, const QType&) { return {}; }

// Step 4. counts: of |x|. For i = 128 ... kBins: P = the first i bins, with all counts beyond added to its last bin. Q:
// the first i bins WITHOUT these, merged into 128 groups of i / 128 bins (the last group takes the rest); each group's
// sum is spread evenly over its bins where P > 0. Both divided by their sums: KL = sum of P log(P / Q) where P > 0; i
// does not count if some Q is 0 there. The smallest KL, of equal ones the smaller i.
KlClip kl_clip(std::span<const int64_t>) { return {}; }

// Step 5. The candidates of step 3, over the range of all logits; smallest is -sum of softmax(v) log softmax(v'), where
// v' is v quantised, over all images (rows of `classes` logits).
Range cross_entropy_range(std::span<const float>, int, const QType&) { return {}; }

// Step 6. Images that are tested must not calibrate.
std::vector<int> calibration_images(std::span<const uint64_t>, std::span<const uint64_t>, int) { return {}; }
// END STUDENT

}  // namespace lab5
