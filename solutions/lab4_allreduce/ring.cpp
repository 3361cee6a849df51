// Exercise E3: reduce-scatter, all-gather and all-reduce on a ring.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
namespace {

struct Ring {
  explicit Ring(MPI_Comm c) {
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &ranks);
  }
  int next() const { return (rank + 1) % ranks; }
  int previous() const { return (rank + ranks - 1) % ranks; }
  Chunk chunk(std::size_t n, int i) const { return chunk_of(n, ranks, ((i % ranks) + ranks) % ranks); }

  int rank = 0, ranks = 0;
};

}  // namespace
// END STUDENT HELPERS

void reduce_scatter_ring(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  const Ring ring(c);
  std::vector<float> received(x.size() / ring.ranks + 1);
  for (int step = 0; step < ring.ranks - 1; ++step) {
    const Chunk out = ring.chunk(x.size(), ring.rank - step);
    const Chunk in = ring.chunk(x.size(), ring.rank - step - 1);
    MPI_Sendrecv(x.data() + out.begin, static_cast<int>(out.size), MPI_FLOAT, ring.next(), 0, received.data(),
                 static_cast<int>(in.size), MPI_FLOAT, ring.previous(), 0, c, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < in.size; ++i) {
      x[in.begin + i] += received[i];
    }
  }
  // END STUDENT
}

void allgather_ring(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  const Ring ring(c);
  for (int step = 0; step < ring.ranks - 1; ++step) {
    const Chunk out = ring.chunk(x.size(), ring.rank + 1 - step);
    const Chunk in = ring.chunk(x.size(), ring.rank - step);
    MPI_Sendrecv(x.data() + out.begin, static_cast<int>(out.size), MPI_FLOAT, ring.next(), 0, x.data() + in.begin,
                 static_cast<int>(in.size), MPI_FLOAT, ring.previous(), 0, c, MPI_STATUS_IGNORE);
  }
  // END STUDENT
}

void allreduce_ring(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  reduce_scatter_ring(x, c);
  allgather_ring(x, c);
  // END STUDENT
}

}  // namespace hpml

// HPML-CANARY-5e0c71f3b8a94d26
