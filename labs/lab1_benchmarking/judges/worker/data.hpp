#pragma once
// The vectors that the checker chooses: the same numbers as judges/lab1_data.py makes, named by one word.
//   ones | probe | ints:P,Q,M,O,P,Q,M,O | uniform:SEED | positive:SEED
#include <cstdint>
#include <span>
#include <string>

#include "common/base/result.hpp"

namespace hpml::lab1 {

Result<void> fill(const std::string& word, std::span<float> a, std::span<float> b);

}  // namespace hpml::lab1
