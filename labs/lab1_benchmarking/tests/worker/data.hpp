#pragma once
// The vectors that the checker chooses: the same numbers as tests/lab1_data.py makes, named by one word.
//   ones | probe | sparse | ints:P,Q,M,O,P,Q,M,O | uniform:SEED | positive:SEED
#include <cstdint>
#include <string>

#include "common/base/result.hpp"
#include "common/bench/guarded.hpp"

namespace hpml::lab1 {

using bench::GuardedVector;

Result<void> fill(const std::string& word, GuardedVector& a, GuardedVector& b);

}  // namespace hpml::lab1
