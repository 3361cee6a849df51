// Time that a program spends computing, for a simulated network.
#pragma once

namespace hpml {

// Stands for `seconds` of computation. Under a simulator this is virtual time; with Open MPI the process sleeps.
void compute(double seconds);

}  // namespace hpml
