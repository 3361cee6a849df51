// Counts what this rank sends, by its own definitions of the MPI functions that send (the profiling interface of the
// MPI standard, chapter "Tool Support"). What a rank receives is the sum over the others' columns, so receives need no
// counter.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace hpml::harness {

struct Sent {
  std::uint64_t messages = 0, empty = 0, bytes = 0, largest = 0;
};

// Messages sent between MPI_Pcontrol(1), which clears the counters, and MPI_Pcontrol(0), by rank in MPI_COMM_WORLD.
const std::map<int, Sent>& sent();

// What the process has cost so far: of all ranks together where they are threads of one process (SMPI). Zero unless the
// environment has HPML_COSTS: it differs from run to run.
struct Costs {
  double cpu_s = 0;            // processor time, user and system
  std::uint64_t peak_kib = 0;  // most memory
};
Costs costs();

// [[peer, messages, empty messages, bytes, largest message], ...]
std::string sent_as_json();

}  // namespace hpml::harness
