// Measures all-reduces in virtual time: for SMPI and for the relay. Only point-to-point calls, so that nothing but the
// student's messages is on the network. Arguments: cells OPERATION:N:SEED; cell k starts at beginning_of(k).
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "algorithm.h"
#include "cells.h"
#include "clock.h"
#include "data.h"
#include "json.h"
#include "observe.h"
#include "traffic.h"

namespace {

using namespace hpml::harness;

std::string leftover() {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  return there == 0 ? "null" : std::to_string(status.MPI_SOURCE);
}

std::uint64_t seed_of(const Cell& cell) { return std::strtoull(cell.kind.c_str(), nullptr, 10); }

void measure(const Observer& observer, int index, const Cell& cell, int rank, int ranks, std::vector<float>& memory) {
  const std::span<float> x(cell.elements == 0 ? nullptr : memory.data(), cell.elements);
  const std::uint64_t seed = seed_of(cell);
  fill(x, "int", seed, rank);
  const double nominal = beginning_of(index);
  sleep_until(nominal);
  const double cpu_begin_s = costs().cpu_s;
  MPI_Pcontrol(1);
  const double begin = MPI_Wtime();
  run_operation(cell.operation, x, MPI_COMM_WORLD);
  const double end = MPI_Wtime();
  MPI_Pcontrol(0);
  const Costs spent = costs();
  sleep_until(nominal + kSlot_s / 2);  // by then all messages have arrived
  observer.json(index, "{\"operation\":\"" + cell.operation + "\",\"n\":" + std::to_string(cell.elements) +
                           ",\"begin\":" + number(begin - nominal) + ",\"end\":" + number(end - nominal) +
                           ",\"hash\":" + std::to_string(sample_hash(x, seed)) +
                           ",\"wrong\":" + wrong_elements(x, seed, ranks) + ",\"leftover\":" + leftover() +
                           ",\"cpu_begin_s\":" + number(cpu_begin_s) + ",\"cpu_end_s\":" + number(spent.cpu_s) +
                           ",\"peak_kib\":" + std::to_string(spent.peak_kib) + ",\"sent\":" + sent_as_json() + "}");
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
    std::size_t most = 0;
    for (const Cell& cell : cells) {
      most = std::max(most, cell.elements);
    }
    std::vector<float> memory(most);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      observer.begin_cell(static_cast<int>(i));
      measure(observer, static_cast<int>(i), cells[i], rank, ranks, memory);
    }
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
