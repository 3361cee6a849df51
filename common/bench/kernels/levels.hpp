#pragma once
// The tables of the levels; those of another architecture are not compiled.
#include "common/bench/kernels/table.hpp"

namespace hpml::bench {

extern const KernelTable kBaseline;  // what every processor of the architecture has: SSE2, NEON, or nothing special
#if defined(__x86_64__)
extern const KernelTable kAvx2;
extern const KernelTable kAvx512;
#endif

}  // namespace hpml::bench
