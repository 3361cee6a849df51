#include "../allreduce.h"
#include "algorithm.h"

namespace hpml::harness {

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  int ranks = 0;
  MPI_Comm_size(c, &ranks);
  if (operation == "ps") {
    allreduce_ps(x, c);
  } else if (operation == "ps_last") {
    allreduce_ps(x, c, ranks - 1);
  } else {
    no_operation(operation);
  }
}

}  // namespace hpml::harness
