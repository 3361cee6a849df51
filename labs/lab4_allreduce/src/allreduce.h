// The functions of exercises E0 to E5 and E8, and of the bonuses B1, B2 and B4. Bodies are yours: chunk.cpp, ps.cpp,
// tree.cpp, ring.cpp, rd.cpp, rabenseifner.cpp, hier.cpp; double_tree.cpp, sharded_ps.cpp, fast.cpp.
//
// Every allreduce_* replaces x, on every rank of c, by the element-wise sum of the x of all ranks. All ranks pass the
// same number of elements; 0 is a legal number. The result is identical, bit for bit, on all ranks. P = 1 sends
// nothing.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace hpml {

// `size` elements from element `begin` on.
struct Chunk {
  std::size_t begin, size;
};

// Chunk i of n elements that are divided over `parts`: elements floor(n i / parts) to floor(n (i+1) / parts) - 1.
// 0 <= i < parts. Must be right for n = 3e9 and 4096 parts.
Chunk chunk_of(std::size_t n, int parts, int i);  // E0

// E1: all ranks send x to rank `server`, which adds them up in the order of ranks and sends everybody the sum.
void allreduce_ps(std::span<float> x, MPI_Comm c, int server = 0);

// E2: binomial tree with root 0. Children of r are r+1, r+2, r+4, ... below r's lowest set bit (all, for r = 0).
void allreduce_tree(std::span<float> x, MPI_Comm c);

// E3: rank r sends only to (r+1) mod P and receives only from (r-1) mod P.
// Reduce-scatter: step s = 0..P-2 sends chunk r-s; afterwards rank r owns the sum of chunk r+1 (all modulo P).
void reduce_scatter_ring(std::span<float> x, MPI_Comm c);
// All-gather: rank r starts with chunk r+1; step s sends chunk r+1-s.
void allgather_ring(std::span<float> x, MPI_Comm c);
void allreduce_ring(std::span<float> x, MPI_Comm c);

// E4: recursive doubling. With P no power of two, even ranks r < 2 (P - p2) fold into r+1 first (p2: largest power of
// two that is not above P) and receive the result at the end.
void allreduce_rd(std::span<float> x, MPI_Comm c);

// E5: recursive halving with distance doubling (partner at distance 1 first), then the reverse; chunks over p2 parts.
// With mask m, the virtual rank whose bit m is clear keeps the lower half of its range. Fold as in E4.
void allreduce_rabenseifner(std::span<float> x, MPI_Comm c);

// E8: nodes of `ranks_per_node` consecutive ranks. Ring reduce-scatter inside the node, ring all-reduce of the owned
// slice between the ranks of equal place in their nodes, ring all-gather inside the node. If ranks_per_node does not
// divide P: allreduce_ring.
void allreduce_hier(std::span<float> x, MPI_Comm c, int ranks_per_node);

// B1: two binary trees, each for one half of x: half t is chunk t of 2. A place in a tree is a number 0 to P-1.
// Place 0 is the root; its only child is the root of the places 1 to P-1. Of consecutive places, the root is the one
// whose number ends in the most zero bits; its children are the roots of the places below it and of those above it.
// Tree 0: rank r has place r. Tree 1: place P-1-r if P is even, (r+P-1) mod P if P is odd.
// Each half is cut into `segments` chunks, which go up to the root one after the other, are added up on the way, and
// come down again: `segments` messages over each edge, up and down. Both trees work at the same time.
void allreduce_double_tree(std::span<float> x, MPI_Comm c, int segments);

// B2: every rank is the server of one chunk: rank j adds up chunk j of P and sends the sum to all others.
void allreduce_sharded_ps(std::span<float> x, MPI_Comm c);

// B4: an algorithm of your choice, for a network that you are not told.
void allreduce_fast(std::span<float> x, MPI_Comm c);

}  // namespace hpml
