// C6: five optimizers, as PyTorch defines them.
#include "lab2.hpp"

namespace lab2 {

// BEGIN STUDENT
// Step 1. How many values does each keep beside a parameter?
int moments(OptimizerKind) { return 0; }

// Step 2. g = gradient + weight_decay * theta first, in all five; then the rules of the handout, in the order written
//         there. Compute constants such as 1 - beta in double and round them to T once.
template <class T>
void optimizer_step(const OptimizerOptions&, int64_t, std::span<T>, std::span<const T>, std::span<T>, std::span<T>) {}
// END STUDENT

template void optimizer_step<float>(const OptimizerOptions&, int64_t, std::span<float>, std::span<const float>,
                                    std::span<float>, std::span<float>);
template void optimizer_step<double>(const OptimizerOptions&, int64_t, std::span<double>, std::span<const double>,
                                     std::span<double>, std::span<double>);

}  // namespace lab2
