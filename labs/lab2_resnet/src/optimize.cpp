// C8: what a graph compiler does before it runs a network.
#include "lab2.hpp"

namespace lab2 {

// BEGIN STUDENT
// Step 1. gamma * (conv(x) - mean) / sqrt(var + eps) + beta is linear in x: scale the weights, and what is left is a
// bias.
void fold_batch_norm(const ConvShape&, const BatchNorm&, float*, float*) {}

// Step 2. Each value that is not written to memory and read again saves two passes over it.
std::vector<std::vector<int>> fuse(std::span<const GraphNode>) { return {}; }

// Step 3. Two buffers may share memory when they are not in use at the same time.
std::vector<int64_t> plan_memory(std::span<const Lifetime>) { return {}; }
// END STUDENT

}  // namespace lab2
