// Exercise E5: all-reduce by recursive halving and doubling (Rabenseifner), for any number of ranks.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

void allreduce_rabenseifner(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  // Step 1: fold as in E4. Step 2: numbers v as in E4; chunks over p2 parts; every v starts with the range [0, p2).
  // Step 3 (halving): for mask = 1, 2, 4, ...: exchange halves of the range with v ^ mask. The rank whose bit is clear
  //     keeps the lower half. Add what comes in to the half that you keep.
  // Step 4 (doubling): the same steps in reverse: send the range that you have, receive the half that you gave away.
  // Step 5: unfold.
  (void)x;
  (void)c;
  // END STUDENT
}

}  // namespace hpml
