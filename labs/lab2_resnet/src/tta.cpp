// T1: time to accuracy, its spread over seeds, and what the seeds allow to say.
#include "lab2.hpp"

namespace lab2 {

// BEGIN STUDENT
// Step 1. Of each curve the FIRST evaluation with accuracy >= threshold. Curves without one are censored.
// Step 2. Mean, standard deviation with n - 1, and their ratio from five successes on.
// Step 3. Bootstrap: draw n of the n values with replacement, 10 000 times; the 2.5th and 97.5th percentile of the means.
TtaSummary time_to_accuracy(std::span<const Curve>, double) { return {}; }
// END STUDENT

}  // namespace lab2
