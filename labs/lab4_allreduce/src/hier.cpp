// Exercise E8: all-reduce in two levels, inside nodes and between them.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

void allreduce_hier(std::span<float> x, MPI_Comm c, int ranks_per_node) {
  // BEGIN STUDENT
  // Step 1: if ranks_per_node does not divide P: allreduce_ring.
  // Step 2: ring reduce-scatter among the ranks of the node. Then you own chunk (local + 1) mod g of g chunks.
  // Step 3: ring all-reduce of that chunk among the ranks with your local number, one of each node.
  // Step 4: ring all-gather among the ranks of the node.
  (void)x;
  (void)c;
  (void)ranks_per_node;
  // END STUDENT
}

}  // namespace hpml
