// Bonus B3: a checker of all-reduce schedules.
#pragma once

#include <cstddef>
#include <span>

namespace hpml {

// In step `step`, rank `from` sends its chunk to rank `to`, which adds it to its own (add) or replaces its own by it.
struct Transfer {
  int step, from, to, chunk;
  bool add;
};

struct Checked {
  bool valid;       // at the end every chunk of every rank contains each rank's term exactly once
  int rank, chunk;  // the first that does not: the lowest rank, and its lowest chunk; -1, -1 if valid
  double seconds;   // of all steps, valid or not
};

// At the beginning each chunk of a rank contains the rank's own term, once. `schedule` is sorted by step; steps without
// transfers are left out and take no time. All transfers of a step read what their senders held before the step. A
// rank may receive a chunk several times in a step if all are added; a copy is then the only one.
// A step takes alpha + beta b seconds: each rank has one port out and one port in, and b is the number of bytes of the
// port that carries the most in this step. Chunk k has chunk_bytes[k] bytes.
Checked check_schedule(int ranks, std::span<const std::size_t> chunk_bytes, std::span<const Transfer> schedule,
                       double alpha, double beta);

}  // namespace hpml
