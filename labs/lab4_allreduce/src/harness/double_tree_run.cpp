#include "../allreduce.h"
#include "algorithm.h"

namespace hpml::harness {

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (!operation.starts_with("dtree")) {
    no_operation(operation);
  }
  allreduce_double_tree(x, c, std::stoi(operation.substr(5)));
}

}  // namespace hpml::harness
