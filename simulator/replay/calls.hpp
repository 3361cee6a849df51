#pragma once
// What a recording asks of its GPUs, without the data: the order of its calls, for comparing two runs of one program,
// and for finding the pass that is timed.
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/replay/inputs.hpp"
#include "simulator/replay/reader.hpp"

namespace hpml::sim::replay {

struct Calls {
  std::vector<uint64_t> digests;      // of every event, without its times; of a part of an input, where it was
  std::vector<std::string> launches;  // names of kernels and library operations
};

Result<Calls> calls_of(Reader reader, Inputs inputs);

// Whether both are the same but for how often one block of calls, which both make, is repeated in a row: a program that
// iterates until its data converges. All that such a run can tell its GPUs of its data is one number.
bool same_but_for_a_count(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b);

// Of the launches of a program: [first, timed) is the pass that warms up, [timed, end) is the same again, and timed.
// The longest such pass at the end; without one both are the end.
struct Passes {
  size_t warm_up = 0, timed = 0;
};
Passes passes_of(const std::vector<std::string>& launches);

}  // namespace hpml::sim::replay
