// Exercise E8: all-reduce in two levels, inside nodes and between them.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
namespace {

// Ranks base, base + stride, base + 2 stride, ... of a communicator as a ring; this rank is at `place`.
struct SubRing {
  MPI_Comm c;
  int base, stride, ranks, place;

  int rank(int i) const { return base + stride * ((i + ranks) % ranks); }
  Chunk chunk(std::size_t n, int i) const { return chunk_of(n, ranks, ((i % ranks) + ranks) % ranks); }

  void exchange(const float* out, std::size_t out_size, float* in, std::size_t in_size) const {
    MPI_Sendrecv(out, static_cast<int>(out_size), MPI_FLOAT, rank(place + 1), 0, in, static_cast<int>(in_size),
                 MPI_FLOAT, rank(place - 1), 0, c, MPI_STATUS_IGNORE);
  }

  void reduce_scatter(std::span<float> x) const {
    std::vector<float> received(x.size() / ranks + 1);
    for (int step = 0; step < ranks - 1; ++step) {
      const Chunk out = chunk(x.size(), place - step);
      const Chunk in = chunk(x.size(), place - step - 1);
      exchange(x.data() + out.begin, out.size, received.data(), in.size);
      for (std::size_t i = 0; i < in.size; ++i) {
        x[in.begin + i] += received[i];
      }
    }
  }

  void allgather(std::span<float> x) const {
    for (int step = 0; step < ranks - 1; ++step) {
      const Chunk out = chunk(x.size(), place + 1 - step);
      const Chunk in = chunk(x.size(), place - step);
      exchange(x.data() + out.begin, out.size, x.data() + in.begin, in.size);
    }
  }
};

}  // namespace
// END STUDENT HELPERS

void allreduce_hier(std::span<float> x, MPI_Comm c, int ranks_per_node) {
  // BEGIN STUDENT
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(c, &rank);
  MPI_Comm_size(c, &ranks);
  if (ranks % ranks_per_node != 0) {
    allreduce_ring(x, c);
    return;
  }
  const int local = rank % ranks_per_node;
  const int node = rank / ranks_per_node;
  const SubRing inside{c, node * ranks_per_node, 1, ranks_per_node, local};
  const SubRing across{c, local, ranks_per_node, ranks / ranks_per_node, node};
  inside.reduce_scatter(x);
  const Chunk slice = inside.chunk(x.size(), local + 1);
  const std::span<float> owned = x.subspan(slice.begin, slice.size);
  across.reduce_scatter(owned);
  across.allgather(owned);
  inside.allgather(x);
  // END STUDENT
}

}  // namespace hpml
