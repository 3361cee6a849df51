#include "algorithm.h"

#include "../allreduce.h"
#include "fail.h"

namespace hpml::harness {

namespace {

#if HPML_EXERCISE == 1
bool run(const std::string& operation, std::span<float> x, MPI_Comm c) {
  int ranks = 0;
  MPI_Comm_size(c, &ranks);
  if (operation == "ps") {
    allreduce_ps(x, c);
  } else if (operation == "ps_last") {
    allreduce_ps(x, c, ranks - 1);
  } else {
    return false;
  }
  return true;
}
#elif HPML_EXERCISE == 2
bool run(const std::string& operation, std::span<float> x, MPI_Comm c) {
  return operation == "tree" && (allreduce_tree(x, c), true);
}
#elif HPML_EXERCISE == 3
bool run(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (operation == "ring") {
    allreduce_ring(x, c);
  } else if (operation == "reduce_scatter") {
    reduce_scatter_ring(x, c);
  } else if (operation == "allgather") {
    allgather_ring(x, c);
  } else {
    return false;
  }
  return true;
}
#elif HPML_EXERCISE == 4
bool run(const std::string& operation, std::span<float> x, MPI_Comm c) {
  return operation == "rd" && (allreduce_rd(x, c), true);
}
#elif HPML_EXERCISE == 5
bool run(const std::string& operation, std::span<float> x, MPI_Comm c) {
  return operation == "rabenseifner" && (allreduce_rabenseifner(x, c), true);
}
#elif HPML_EXERCISE == 8
bool run(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (!operation.starts_with("hier")) {
    return false;
  }
  allreduce_hier(x, c, std::stoi(operation.substr(4)));
  return true;
}
#else
#error "HPML_EXERCISE is 1, 2, 3, 4, 5 or 8"
#endif

}  // namespace

void run_operation(const std::string& operation, std::span<float> x, MPI_Comm c) {
  if (!run(operation, x, c)) {
    fail("this program has no operation '" + operation + "'");
  }
}

}  // namespace hpml::harness
