// Starting times in virtual time: all ranks of a simulated run begin a cell at the same moment, without a message.
#pragma once

#include <mpi.h>

#include "compute.h"

namespace hpml::harness {

inline constexpr double kSlot_s = 100;  // from the beginning of one cell to that of the next one

inline double beginning_of(int cell) { return (cell + 1) * kSlot_s; }
inline void sleep_until(double time) { compute(time - MPI_Wtime()); }

}  // namespace hpml::harness
