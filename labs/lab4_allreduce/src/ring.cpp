// Exercise E3: reduce-scatter, all-gather and all-reduce on a ring.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

void reduce_scatter_ring(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  // P - 1 steps. Step s: send chunk r - s to r + 1, receive chunk r - s - 1 from r - 1 into a buffer, add it to x.
  // Sending and receiving must go on at the same time: MPI_Sendrecv.
  (void)x;
  (void)c;
  // END STUDENT
}

void allgather_ring(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  // P - 1 steps. Step s: send chunk r + 1 - s, receive chunk r - s straight into its place in x.
  (void)x;
  (void)c;
  // END STUDENT
}

void allreduce_ring(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  // The two functions above, one after the other.
  (void)x;
  (void)c;
  // END STUDENT
}

}  // namespace hpml
