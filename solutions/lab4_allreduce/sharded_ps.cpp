// Bonus B2: all-reduce by a parameter server in P parts: every rank serves one chunk.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
// END STUDENT HELPERS

void allreduce_sharded_ps(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(c, &rank);
  MPI_Comm_size(c, &ranks);
  const Chunk own = chunk_of(x.size(), ranks, rank);
  std::vector<float> terms(own.size * ranks);  // of the own chunk, by rank
  for (int step = 1; step < ranks; ++step) {
    const int to = (rank + step) % ranks;
    const int from = (rank + ranks - step) % ranks;
    const Chunk out = chunk_of(x.size(), ranks, to);
    MPI_Sendrecv(x.data() + out.begin, static_cast<int>(out.size), MPI_FLOAT, to, 0, terms.data() + own.size * from,
                 static_cast<int>(own.size), MPI_FLOAT, from, 0, c, MPI_STATUS_IGNORE);
  }
  for (std::size_t i = 0; i < own.size; ++i) {
    float sum = rank == 0 ? x[own.begin + i] : terms[i];
    for (int other = 1; other < ranks; ++other) {
      sum += other == rank ? x[own.begin + i] : terms[own.size * other + i];
    }
    x[own.begin + i] = sum;
  }
  for (int step = 1; step < ranks; ++step) {
    const int to = (rank + step) % ranks;
    const int from = (rank + ranks - step) % ranks;
    const Chunk in = chunk_of(x.size(), ranks, from);
    MPI_Sendrecv(x.data() + own.begin, static_cast<int>(own.size), MPI_FLOAT, to, 0, x.data() + in.begin,
                 static_cast<int>(in.size), MPI_FLOAT, from, 0, c, MPI_STATUS_IGNORE);
  }
  // END STUDENT
}

}  // namespace hpml
