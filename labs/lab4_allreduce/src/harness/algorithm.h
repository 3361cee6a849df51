// The all-reduce of one exercise under its name, so that the same main serves all of them.
#pragma once

#include <mpi.h>

#include <span>
#include <string>

namespace hpml::harness {

// Runs `operation` of the exercise that this program is built for (HPML_EXERCISE): "ps", "ps_last" (server P-1), "tree",
// "ring", "reduce_scatter", "allgather", "rd", "rabenseifner", "hier8" (any number of ranks per node).
void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c);

}  // namespace hpml::harness
