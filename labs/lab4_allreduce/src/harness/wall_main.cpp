// Exercise W on real processes: the student's all-reduce and MPI's own one in turn, in pairs whose order alternates.
// Arguments: cells OPERATION:N:PAIRS. Rank 0 leaves the seconds of each pair, of the slowest rank.
#include <mpi.h>

#include <string>
#include <vector>

#include "algorithm.h"
#include "cells.h"
#include "data.h"
#include "json.h"
#include "observe.h"

namespace {

using namespace hpml::harness;

template <class Call>
double seconds_of(const Call& call) {
  PMPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  call();
  double mine = MPI_Wtime() - begin;
  double slowest = 0;
  PMPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

std::string measure(const Cell& cell, int rank) {
  std::vector<float> x(cell.elements);
  std::string text = "[";
  const int pairs = std::stoi(cell.kind);
  for (int pair = -2; pair < pairs; ++pair) {  // two pairs warm up
    double own = 0;
    double mpi = 0;
    for (int turn = 0; turn < 2; ++turn) {
      fill(x, "plain", 0, rank);
      if ((turn == 0) == (pair % 2 == 0)) {
        own = seconds_of([&] { run_operation(cell.operation, x, MPI_COMM_WORLD); });
      } else {
        mpi = seconds_of([&] {
          PMPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        });
      }
    }
    if (pair >= 0) {
      text += (text.size() > 1 ? ",[" : "[") + number(own) + "," + number(mpi) + "]";
    }
  }
  return text + "]";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Observer observer(rank, ranks);
    const std::vector<Cell> cells = parse_cells(argc, argv);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      observer.begin_cell(static_cast<int>(i));
      const std::string pairs = measure(cells[i], rank);
      if (rank == 0) {
        observer.json(static_cast<int>(i), pairs);
      }
    }
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
