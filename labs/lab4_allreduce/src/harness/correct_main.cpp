// Runs all-reduces on real processes and leaves what came of them; judges/lab4_correct.py decides whether it is right.
// Arguments: cells OPERATION:N:KIND. HPML_DATA is the seed; HPML_OWN, which each rank is told alone, makes its numbers
// its own.
//   int, mixed, special   data of this kind on MPI_COMM_WORLD (data.h)
//   skew                  two runs on the same data, the ranks delayed in two different ways
//   split, reversed       on the even or odd ranks only; with the ranks numbered the other way round
//   twice                 two calls at once, ranks delayed, other messages under way on a second communicator
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../allreduce.h"
#include "algorithm.h"
#include "cells.h"
#include "data.h"
#include "observe.h"
#include "traffic.h"

namespace {

using namespace hpml::harness;

constexpr std::size_t kGuard = 16;  // words on both sides of the data that no one may write to
constexpr float kCanary = 12345.5f;
constexpr int kMostDelay_us = 2000;

// The ranks that take part in a cell.
struct Group {
  MPI_Comm c = MPI_COMM_WORLD;
  int rank = 0, ranks = 0;

  explicit Group(const std::string& kind) {
    const Waiting waiting;
    int world = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &world);
    if (kind == "split") {
      PMPI_Comm_split(MPI_COMM_WORLD, world % 2, world, &c);
    } else if (kind == "reversed") {
      PMPI_Comm_split(MPI_COMM_WORLD, 0, -world, &c);
    }
    PMPI_Comm_rank(c, &rank);
    PMPI_Comm_size(c, &ranks);
  }
  ~Group() {
    const Waiting waiting;
    if (c != MPI_COMM_WORLD) {
      PMPI_Comm_free(&c);
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
};

class Buffer {
 public:
  explicit Buffer(std::size_t most) : memory_(most + 2 * kGuard) {}

  std::span<float> fresh(std::size_t elements) {
    std::fill(memory_.begin(), memory_.end(), kCanary);
    elements_ = elements;
    return {elements == 0 ? nullptr : memory_.data() + kGuard, elements};
  }

  // Offset from the first element of a word outside of the data that was written to, or "null".
  std::string overwritten() const {
    for (std::size_t i = 0; i < elements_ + 2 * kGuard; ++i) {
      const bool inside = i >= kGuard && i < kGuard + elements_;
      if (!inside && memory_[i] != kCanary) {
        return std::to_string(static_cast<long>(i) - static_cast<long>(kGuard));
      }
    }
    return "null";
  }

 private:
  std::vector<float> memory_;
  std::size_t elements_ = 0;
};

std::string data_kind(const std::string& kind) {
  return kind == "mixed" || kind == "special" ? kind : kind == "skew" ? "mixed" : "int";
}

// What a rank has before: of an all-gather the own chunk of its numbers, nothing that is of use elsewhere.
void fill_input(std::span<float> x, const Cell& cell, std::uint64_t seed, const Group& group) {
  if (cell.operation != "allgather") {
    fill(x, data_kind(cell.kind), seed, group.rank);
    return;
  }
  std::vector<float> whole(x.size());
  fill(whole, data_kind(cell.kind), seed, group.rank);
  std::fill(x.begin(), x.end(), -1.0f);
  const auto border = [&](std::size_t i) { return x.size() * i / static_cast<std::size_t>(group.ranks); };
  const auto own = static_cast<std::size_t>((group.rank + 1) % group.ranks);
  std::copy(whole.begin() + static_cast<long>(border(own)), whole.begin() + static_cast<long>(border(own + 1)),
            x.begin() + static_cast<long>(border(own)));
}

void delay(std::uint64_t seed, int rank) {
  usleep(static_cast<useconds_t>(mixed_bits(seed + static_cast<std::uint64_t>(rank)) % kMostDelay_us));
}

// Messages that have nothing to do with the all-reduce, under way on a communicator of their own.
class OtherTraffic {
 public:
  explicit OtherTraffic(const Group& group) {
    const Waiting waiting;
    PMPI_Comm_dup(group.c, &c_);
    const int next = (group.rank + 1) % group.ranks;
    const int previous = (group.rank + group.ranks - 1) % group.ranks;
    sent_ = group.rank;
    expected_ = previous;
    PMPI_Irecv(&received_, 1, MPI_INT, previous, 0, c_, &requests_[0]);
    PMPI_Isend(&sent_, 1, MPI_INT, next, 0, c_, &requests_[1]);
  }
  bool arrived() {
    const Waiting waiting;
    PMPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
    PMPI_Comm_free(&c_);
    return received_ == expected_;
  }

 private:
  MPI_Comm c_ = MPI_COMM_NULL;
  MPI_Request requests_[2];
  int sent_ = 0, received_ = -1, expected_ = 0;
};

void meet(const Group& group) {
  const Waiting waiting;
  PMPI_Barrier(group.c);
}

std::uint64_t hash_of_first(const Group& group, std::uint64_t hash) {
  const Waiting waiting;
  PMPI_Bcast(&hash, 1, MPI_UINT64_T, 0, group.c);
  return hash;
}

std::string leftover(const Group& group) {
  meet(group);
  int there = 0;
  MPI_Status status;
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, group.c, &there, &status);
  if (there == 0) {
    return "null";
  }
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  return "[" + std::to_string(status.MPI_SOURCE) + "," + std::to_string(status.MPI_TAG) + "," + std::to_string(bytes) +
         "]";
}

// One call, and the hash of what it has left in x.
std::uint64_t call(std::span<float> x, const Cell& cell, std::uint64_t seed, const Group& group) {
  fill_input(x, cell, seed, group);
  meet(group);
  if (cell.kind == "skew" || cell.kind == "twice") {
    delay(seed + x.size(), group.rank);
  }
  MPI_Pcontrol(1);
  run_operation(cell.operation, x, group.c);
  MPI_Pcontrol(0);
  return hash_of(x);
}

void run_cell(const Observer& observer, int index, const Cell& cell, std::uint64_t seed, Buffer& buffer) {
  const Group group(cell.kind);
  const std::span<float> x = buffer.fresh(cell.elements);
  std::string more;
  if (cell.kind == "skew") {
    const std::uint64_t before = call(x, cell, seed, group);
    delay(seed + 1, group.rank);
    more = ",\"hash_before\":" + std::to_string(before);
  }
  std::uint64_t hash = 0;
  if (cell.kind == "twice") {
    OtherTraffic other(group);
    call(x, cell, seed + 1, group);
    fill_input(x, cell, seed, group);
    delay(seed + 2, group.rank);
    run_operation(cell.operation, x, group.c);
    hash = hash_of(x);
    more = std::string(",\"other_arrived\":") + (other.arrived() ? "true" : "false");
  } else {
    hash = call(x, cell, seed, group);
  }
  const bool as_first = hash_of_first(group, hash) == hash;
  if (group.rank == 0 || !as_first || cell.operation == "reduce_scatter") {
    observer.floats(index, x);
  }
  observer.json(index, "{\"rank\":" + std::to_string(group.rank) + ",\"ranks\":" + std::to_string(group.ranks) +
                           ",\"hash\":" + std::to_string(hash) + more + ",\"overwritten\":" + buffer.overwritten() +
                           ",\"leftover\":" + leftover(group) + ",\"sent\":" + sent_as_json() + "}");
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
    observer.watch();
    const std::vector<Cell> cells = parse_cells(argc, argv);
    const char* data = std::getenv("HPML_DATA");
    const std::uint64_t seed = data == nullptr ? 1 : std::strtoull(data, nullptr, 10);
    std::size_t most = 0;
    for (const Cell& cell : cells) {
      most = std::max(most, cell.elements);
    }
    Buffer buffer(most);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      observer.begin_cell(static_cast<int>(i));
      run_cell(observer, static_cast<int>(i), cells[i], mixed_bits(seed + i), buffer);
    }
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
