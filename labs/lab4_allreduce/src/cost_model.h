// Exercise E6: a model of the network, and the choice of the algorithm that it predicts to be the fastest.
#pragma once

#include <cstddef>
#include <span>

namespace hpml {

// A message of b bytes takes alpha + b beta seconds; adding b bytes of floats takes b gamma seconds.
struct AlphaBeta {
  double alpha, beta, gamma;
};

// One message of a ping-pong: its size, and the seconds that it took in one direction.
struct Sample {
  std::size_t bytes;
  double seconds;
};

enum class Algo { ps, tree, ring, rd, rabenseifner, hier };

// Algo::hier stands for allreduce_hier with this many ranks per node.
inline constexpr int kRanksPerNode = 8;

// Least squares line through the samples; gamma = 0. At least two different sizes are given.
AlphaBeta fit(std::span<const Sample> pingpong);

// Seconds that algorithm `a` takes for `bytes` bytes on P >= 1 ranks.
double predict(Algo a, int P, std::size_t bytes, AlphaBeta m);

// The algorithm with the smallest prediction.
Algo choose(int P, std::size_t bytes, AlphaBeta m);

}  // namespace hpml
