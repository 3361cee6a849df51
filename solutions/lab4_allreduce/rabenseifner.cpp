// Exercise E5: all-reduce by recursive halving and doubling (Rabenseifner), for any number of ranks.
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
namespace {

// A range of chunks [first, last), and the elements in it.
struct Range {
  int first, last;

  Chunk elements(std::size_t n, int parts) const {
    const std::size_t begin = chunk_of(n, parts, first).begin;
    const Chunk end = chunk_of(n, parts, last - 1);
    return {begin, end.begin + end.size - begin};
  }
};

void halving_doubling(std::span<float> x, MPI_Comm c, int place, int power, int rest) {
  const auto partner = [&](int mask) {
    const int other = place ^ mask;
    return other < rest ? 2 * other + 1 : other + rest;
  };
  std::vector<float> received(x.size());
  std::vector<Range> kept{{0, power}};
  for (int mask = 1; mask < power; mask *= 2) {
    const Range now = kept.back();
    const int middle = (now.first + now.last) / 2;
    const Range low{now.first, middle};
    const Range high{middle, now.last};
    const bool keeps_low = (place & mask) == 0;
    const Chunk out = (keeps_low ? high : low).elements(x.size(), power);
    const Chunk in = (keeps_low ? low : high).elements(x.size(), power);
    MPI_Sendrecv(x.data() + out.begin, static_cast<int>(out.size), MPI_FLOAT, partner(mask), 0, received.data(),
                 static_cast<int>(in.size), MPI_FLOAT, partner(mask), 0, c, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < in.size; ++i) {
      x[in.begin + i] += received[i];
    }
    kept.push_back(keeps_low ? low : high);
  }
  for (int mask = power / 2; mask > 0; mask /= 2) {
    const Range mine = kept.back();
    kept.pop_back();
    const Range both = kept.back();
    const Range theirs = mine.first == both.first ? Range{mine.last, both.last} : Range{both.first, mine.first};
    const Chunk out = mine.elements(x.size(), power);
    const Chunk in = theirs.elements(x.size(), power);
    MPI_Sendrecv(x.data() + out.begin, static_cast<int>(out.size), MPI_FLOAT, partner(mask), 0, x.data() + in.begin,
                 static_cast<int>(in.size), MPI_FLOAT, partner(mask), 0, c, MPI_STATUS_IGNORE);
  }
}

}  // namespace
// END STUDENT HELPERS

void allreduce_rabenseifner(std::span<float> x, MPI_Comm c) {
  // BEGIN STUDENT
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(c, &rank);
  MPI_Comm_size(c, &ranks);
  const int count = static_cast<int>(x.size());
  int power = 1;
  while (power * 2 <= ranks) {
    power *= 2;
  }
  const int rest = ranks - power;
  const bool folds = rank < 2 * rest;
  if (folds && rank % 2 == 0) {
    MPI_Send(x.data(), count, MPI_FLOAT, rank + 1, 0, c);
    MPI_Recv(x.data(), count, MPI_FLOAT, rank + 1, 0, c, MPI_STATUS_IGNORE);
    return;
  }
  if (folds) {
    std::vector<float> other(x.size());
    MPI_Recv(other.data(), count, MPI_FLOAT, rank - 1, 0, c, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += other[i];
    }
  }
  halving_doubling(x, c, folds ? rank / 2 : rank - rest, power, rest);
  if (folds) {
    MPI_Send(x.data(), count, MPI_FLOAT, rank - 1, 0, c);
  }
  // END STUDENT
}

}  // namespace hpml
