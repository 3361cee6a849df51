// The all-reduce of one exercise by its name, so that the same main serves all of them: *_run.cpp has one each.
#pragma once

#include <mpi.h>

#include <span>
#include <string>

#include "fail.h"

namespace hpml::harness {

// Runs an operation of the exercise that this program is built for: "ps", "ps_last" (server P-1), "tree", "ring",
// "reduce_scatter", "allgather", "rd", "rabenseifner", "hier8" (or any other number of ranks per node),
// "dtree4" (or any other number of segments), "sharded", "fast".
void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c);

[[noreturn]] inline void no_operation(const std::string& operation) {
  fail("this program has no operation '" + operation + "'");
}

}  // namespace hpml::harness
