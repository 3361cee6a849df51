// Bonus B1: all-reduce by two binary trees, each for one half of the vector.
#include <array>
#include <vector>

#include "allreduce.h"

namespace hpml {

// BEGIN STUDENT HELPERS
namespace {

// A rank's part of one tree.
struct Half {
  std::span<float> x;
  int segments = 0, tag = 0, parent = -1, depth = 0;
  std::vector<int> children;
  std::vector<std::vector<float>> received;  // by child

  std::span<float> segment(int k) const {
    const Chunk chunk = chunk_of(x.size(), segments, k);
    return x.subspan(chunk.begin, chunk.size);
  }
};

// Of the place `place` > 0: the lowest bit that is set says how high it is above the leaves.
int parent_of(int place, int ranks) {
  const int bit = place & -place;
  const int above = (place ^ bit) | (bit << 1);
  return above < ranks ? above : place ^ bit;
}

Half half(std::span<float> x, int segments, int ranks, int rank, int tree) {
  // Of a rank, and back: both ways of tree 1 are their own mirror, or a turn by one.
  const auto place_of = [&](int r) { return tree == 0 ? r : ranks % 2 == 0 ? ranks - 1 - r : (r + ranks - 1) % ranks; };
  const auto rank_at = [&](int p) { return tree == 0 ? p : ranks % 2 == 0 ? ranks - 1 - p : (p + 1) % ranks; };
  const Chunk chunk = chunk_of(x.size(), 2, tree);
  Half one{x.subspan(chunk.begin, chunk.size), segments, tree};
  const int own = place_of(rank);
  for (int place = own; place > 0; place = parent_of(place, ranks)) {
    ++one.depth;
  }
  one.parent = own > 0 ? rank_at(parent_of(own, ranks)) : -1;
  for (int place = 1; place < ranks; ++place) {
    if (parent_of(place, ranks) == own) {
      one.children.push_back(rank_at(place));
      one.received.emplace_back(one.x.size() / segments + 1);
    }
  }
  return one;
}

// Starts everything that a rank sends and receives in a round.
void start(Half& one, int round, int height, MPI_Comm c, std::vector<MPI_Request>& requests) {
  const auto exists = [&](int k) { return k >= 0 && k < one.segments; };
  const auto send = [&](int k, int to) {
    MPI_Isend(one.segment(k).data(), static_cast<int>(one.segment(k).size()), MPI_FLOAT, to, one.tag, c,
              &requests.emplace_back());
  };
  const int up = round - (height - one.depth);
  const int down = round - height - one.depth;
  for (std::size_t child = 0; child < one.children.size(); ++child) {
    if (exists(up + 1)) {
      MPI_Irecv(one.received[child].data(), static_cast<int>(one.segment(up + 1).size()), MPI_FLOAT,
                one.children[child], one.tag, c, &requests.emplace_back());
    }
    if (exists(down)) {
      send(down, one.children[child]);
    }
  }
  if (one.parent >= 0 && exists(up)) {
    send(up, one.parent);
  }
  if (one.parent >= 0 && exists(down + 1)) {
    const std::span<float> segment = one.segment(down + 1);
    MPI_Irecv(segment.data(), static_cast<int>(segment.size()), MPI_FLOAT, one.parent, one.tag, c,
              &requests.emplace_back());
  }
}

// Adds the children's segment k.
void add(Half& one, int k) {
  if (k < 0 || k >= one.segments) {
    return;
  }
  const std::span<float> segment = one.segment(k);
  for (const std::vector<float>& child : one.received) {
    for (std::size_t i = 0; i < segment.size(); ++i) {
      segment[i] += child[i];
    }
  }
}

}  // namespace
// END STUDENT HELPERS

void allreduce_double_tree(std::span<float> x, MPI_Comm c, int segments) {
  // BEGIN STUDENT
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(c, &rank);
  MPI_Comm_size(c, &ranks);
  int height = 0;
  while (1 << height < ranks) {
    ++height;
  }
  std::array<Half, 2> halves{half(x, segments, ranks, rank, 0), half(x, segments, ranks, rank, 1)};
  for (int round = 0; ranks > 1 && round < segments - 1 + 2 * height; ++round) {
    std::vector<MPI_Request> requests;
    for (Half& one : halves) {
      start(one, round, height, c, requests);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (Half& one : halves) {
      add(one, round - (height - one.depth) + 1);
    }
  }
  // END STUDENT
}

}  // namespace hpml
