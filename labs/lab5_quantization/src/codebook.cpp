// E4: 2^bits values stand for all weights; a weight is an index into them.
#include <algorithm>
#include <cmath>

#include "lab5.hpp"

namespace lab5 {

// BEGIN STUDENT
// Step 1. Centroids start evenly from the smallest to the largest weight: min + j (max - min) / (k - 1). Each round
// gives every weight its nearest centroid (of equally near ones the one with the lower index) and notes the sum of the
// squared distances; then each centroid moves to the mean of its weights. A centroid without weights stays. Stop when a
// round changes no index, after 300 rounds at the latest.
Codebook make_codebook(std::span<const float>, int) { return {}; }

// Step 2. All weights of a cluster are one number, so its gradient is the sum of theirs.
std::vector<float> codebook_gradient(const Codebook&, std::span<const float>) { return {}; }

// Step 3. An index per weight, and the codebook's floats shared by all.
double bits_per_weight(int, int64_t) { return 0; }
// END STUDENT

}  // namespace lab5
