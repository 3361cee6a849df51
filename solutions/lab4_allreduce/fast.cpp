// Bonus B4: the fastest all-reduce on a network that you are not told. No points: a place on the leaderboard.
#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

void allreduce_fast(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  // Near ranks first: the large parts stay below the switches, however many hosts these have.
  allreduce_rabenseifner(x, c);
  // END STUDENT
}

}  // namespace hpml
