#include "../allreduce.h"
#include "algorithm.h"

namespace hpml::harness {

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (operation != "fast") {
    no_operation(operation);
  }
  allreduce_fast(x, c);
}

}  // namespace hpml::harness
