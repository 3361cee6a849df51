// Bonus B4: the fastest all-reduce on a network that you are not told. No points: a place on the leaderboard.
#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

void allreduce_fast(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  // Call your ring, rabenseifner, hier, double_tree or sharded_ps, or write another algorithm. You know this much: each
  // switch has the same number of hosts, which share one uplink, and consecutive ranks are neighbours. You may send
  // messages to find out more; their time counts.
  (void)x;
  (void)c;
  // END STUDENT
}

}  // namespace hpml
