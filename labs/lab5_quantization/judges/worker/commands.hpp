#pragma once
// What lab5_worker can do. Each returns the exit status: 0 done, or one of common/worker/failure.hpp.
#include <cstdint>
#include <string>

#include "common/worker/failure.hpp"

namespace hpml::lab5 {

// Says it on stderr and returns the status.
int complain(const worker::Failure& failure);

// Every element of products (gemm) or convolutions (conv) of a student's library against 64-bit sums.
struct ExactOptions {
  std::string what, library, level;  // level: a name of levels.hpp, "vector": those above blocked that are here, "best"
  uint64_t seed = 0;
};
int run_exact(const ExactOptions& options);

// How many times as fast as a chain of the level's own multiplications in registers, at the level the library chooses.
struct SpeedOptions {
  std::string library, what, level;  // level: empty: the library's best
};
int run_speed(const SpeedOptions& options);

}  // namespace hpml::lab5
