#include "../allreduce.h"
#include "algorithm.h"

namespace hpml::harness {

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (operation != "rd") {
    no_operation(operation);
  }
  allreduce_rd(x, c);
}

}  // namespace hpml::harness
