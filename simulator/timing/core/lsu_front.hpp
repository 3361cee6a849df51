#pragma once
#include <cstdint>

namespace hpml::sim::timing {

// Cycles from the issue of a memory instruction to the shared load/store stage (control, operand read, address unit)
// when nothing is in the way. Latencies in gpus/*.toml are load-to-use and contain it: it decides how they are divided
// between the stages, not their sum.
inline constexpr uint64_t kLsuFront = 8;

}  // namespace hpml::sim::timing
