// Bonus B3: is a schedule an all-reduce, and how long does it take?
#include <algorithm>
#include <vector>

#include "schedule.h"

namespace hpml {

// BEGIN STUDENT HELPERS
using Terms = std::vector<int>;  // by rank: how often its term is in a sum
// END STUDENT HELPERS

Checked check_schedule(int ranks, std::span<const std::size_t> chunk_bytes, std::span<const Transfer> schedule,
                       double alpha, double beta) {
  // BEGIN STUDENT
  const int chunks = static_cast<int>(chunk_bytes.size());
  std::vector<Terms> held;
  for (int place = 0; place < ranks * chunks; ++place) {
    held.emplace_back(ranks, 0)[place / chunks] = 1;
  }
  Checked checked{true, -1, -1, 0};
  for (std::size_t first = 0; first < schedule.size();) {
    const std::vector<Terms> before = held;
    std::vector<double> out(ranks, 0);
    std::vector<double> in(ranks, 0);
    const int step = schedule[first].step;
    for (; first < schedule.size() && schedule[first].step == step; ++first) {
      const Transfer& one = schedule[first];
      Terms& target = held[one.to * chunks + one.chunk];
      const Terms& source = before[one.from * chunks + one.chunk];
      for (int rank = 0; rank < ranks; ++rank) {
        target[rank] = source[rank] + (one.add ? target[rank] : 0);
      }
      out[one.from] += static_cast<double>(chunk_bytes[one.chunk]);
      in[one.to] += static_cast<double>(chunk_bytes[one.chunk]);
    }
    checked.seconds += alpha + beta * std::max(*std::ranges::max_element(out), *std::ranges::max_element(in));
  }
  for (int place = 0; place < ranks * chunks && checked.valid; ++place) {
    if (held[place] != Terms(ranks, 1)) {
      checked = {false, place / chunks, place % chunks, checked.seconds};
    }
  }
  return checked;
  // END STUDENT
}

}  // namespace hpml
