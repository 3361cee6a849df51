#pragma once
// Counts every operator new of the test program.
#include <cstdint>

namespace hpml::nn {

int64_t allocations();

}  // namespace hpml::nn
