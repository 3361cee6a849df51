#pragma once
#include "common/worker/compare.hpp"

namespace hpml::lab1 {

// Prints how many times as fast a is as b. Returns the exit status.
int print_ratio(const worker::Side& a, const worker::Side& b);

}  // namespace hpml::lab1
