// Exercise W on real processes: many all-reduces one after the other. How long they take is measured from outside, by
// whoever starts this program. Arguments: cells OPERATION:N:CALLS, where OPERATION may also be "mpi" (the library's own
// all-reduce) or "none" (all that is done besides). Every call sums fresh numbers, which follow from no other call's; a rank leaves a checksum over all
// elements of all calls, so that none can be left out, and the seconds that it took by its own clock.
#include <mpi.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "algorithm.h"
#include "cells.h"
#include "data.h"
#include "json.h"
#include "observe.h"

namespace {

using namespace hpml::harness;

constexpr std::uint64_t kPrime = 0x100000001b3;  // a call's checksum counts times a power of it
constexpr std::uint64_t kPublicSeed = 1;

std::uint64_t seed() {
  const char* text = std::getenv("HPML_DATA");
  return text == nullptr ? kPublicSeed : std::strtoull(text, nullptr, 10);
}

void meet() {
  const Waiting waiting;
  PMPI_Barrier(MPI_COMM_WORLD);
}

void call(const std::string& operation, std::span<float> x) {
  if (operation == "mpi") {
    const Waiting waiting;
    PMPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  } else if (operation != "none") {
    run_operation(operation, x, MPI_COMM_WORLD);
  }
}

std::uint64_t repeat(const Cell& cell, int rank) {
  std::vector<float> x(cell.elements);
  std::uint64_t checksum = 0;
  const auto calls = static_cast<std::uint64_t>(std::stoi(cell.kind));
  for (std::uint64_t k = 0; k < calls; ++k) {
    fill_quickly(x, seed() + k, rank);
    call(cell.operation, x);
    checksum = checksum * kPrime + checksum_of(x);
  }
  return checksum;
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
    if (std::getenv("HPML_WATCH") != nullptr) {  // not over a slow network, where all ranks may wait for one message
      observer.watch();
    }
    const std::vector<Cell> cells = parse_cells(argc, argv);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      observer.begin_cell(static_cast<int>(i));
      meet();
      const double begin = MPI_Wtime();
      const std::uint64_t checksum = repeat(cells[i], rank);
      const double seconds = MPI_Wtime() - begin;
      observer.json(static_cast<int>(i), "{\"operation\":\"" + cells[i].operation +
                                             "\",\"n\":" + std::to_string(cells[i].elements) +
                                             ",\"calls\":" + cells[i].kind + ",\"checksum\":" + std::to_string(checksum) +
                                             ",\"seconds\":" + number(seconds) + "}");
    }
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
