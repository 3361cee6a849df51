#include "../allreduce.h"
#include "algorithm.h"

namespace hpml::harness {

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (!operation.starts_with("hier")) {
    no_operation(operation);
  }
  allreduce_hier(x, c, std::stoi(operation.substr(4)));
}

}  // namespace hpml::harness
