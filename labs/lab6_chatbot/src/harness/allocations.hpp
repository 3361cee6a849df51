#pragma once
// Counts the calls of the C library's allocator in a check program; operator new is among them.
#include <cstdint>

namespace check {

int64_t allocations();

}  // namespace check
