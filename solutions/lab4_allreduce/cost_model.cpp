// Exercise E6: fit, predict, choose.
#include "cost_model.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hpml {

AlphaBeta fit(std::span<const Sample> pingpong) {
  // BEGIN STUDENT
  double mean_bytes = 0;
  double mean_seconds = 0;
  for (const Sample& sample : pingpong) {
    mean_bytes += static_cast<double>(sample.bytes) / static_cast<double>(pingpong.size());
    mean_seconds += sample.seconds / static_cast<double>(pingpong.size());
  }
  double covariance = 0;
  double variance = 0;
  for (const Sample& sample : pingpong) {
    const double off = static_cast<double>(sample.bytes) - mean_bytes;
    covariance += off * (sample.seconds - mean_seconds);
    variance += off * off;
  }
  const double beta = covariance / variance;
  return {mean_seconds - beta * mean_bytes, beta, 0};
  // END STUDENT
}

double predict(Algo a, int P, std::size_t bytes, AlphaBeta m) {
  // BEGIN STUDENT
  if (P == 1) {
    return 0;
  }
  const auto ranks = static_cast<unsigned>(P);
  const auto n = static_cast<double>(bytes);
  const double p = P;
  const double p2 = std::bit_floor(ranks);
  const int down = std::bit_width(ranks) - 1;  // floor(log2 P)
  const int up = std::bit_width(ranks - 1);    // ceil(log2 P)
  const int fold = std::has_single_bit(ranks) ? 0 : 1;
  const double share = (p - 1) / p;
  switch (a) {
    case Algo::ps: return 2 * (p - 1) * (m.alpha + n * m.beta) + (p - 1) * n * m.gamma;
    case Algo::tree: return 2 * up * (m.alpha + n * m.beta) + up * n * m.gamma;
    case Algo::ring: return 2 * (p - 1) * m.alpha + 2 * share * n * m.beta + share * n * m.gamma;
    case Algo::rd: return (down + 2 * fold) * (m.alpha + n * m.beta) + (down + fold) * n * m.gamma;
    case Algo::rabenseifner:
      return 2 * (down + fold) * m.alpha + (2 * (p2 - 1) / p2 + 2 * fold) * n * m.beta +
             ((p2 - 1) / p2 + fold) * n * m.gamma;
    case Algo::hier:
      if (P % kRanksPerNode != 0) {
        return predict(Algo::ring, P, bytes, m);
      }
      return 2 * (kRanksPerNode - 1 + P / kRanksPerNode - 1) * m.alpha + 2 * share * n * m.beta + share * n * m.gamma;
  }
  return 0;
  // END STUDENT
}

Algo choose(int P, std::size_t bytes, AlphaBeta m) {
  // BEGIN STUDENT
  constexpr std::array all{Algo::ps, Algo::tree, Algo::ring, Algo::rd, Algo::rabenseifner, Algo::hier};
  return *std::min_element(all.begin(), all.end(), [&](Algo one, Algo other) {
    return predict(one, P, bytes, m) < predict(other, P, bytes, m);
  });
  // END STUDENT
}

}  // namespace hpml
