#include "../allreduce.h"
#include "algorithm.h"

namespace hpml::harness {

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (operation == "ring") {
    allreduce_ring(x, c);
  } else if (operation == "reduce_scatter") {
    reduce_scatter_ring(x, c);
  } else if (operation == "allgather") {
    allgather_ring(x, c);
  } else {
    no_operation(operation);
  }
}

}  // namespace hpml::harness
