// E2: replies from the exported files alone. E3: how long a reply takes.
#include "export.hpp"

namespace lab6 {

// BEGIN STUDENT
// Step 1. Pad the questions to the longest, run the encoder once. Step 2. Run the decoder word by word until every
// reply has ended. Step 3. measure_latency(): what is inside the two readings of the clock is what you measure.
std::vector<std::vector<int32_t>> greedy_replies(GraphRunner&, GraphRunner&, std::span<const std::vector<int32_t>>) {
  return {};
}

Latency measure_latency(const Subject&, int64_t, int64_t, const std::function<double()>&) { return {}; }
// END STUDENT

}  // namespace lab6
