#pragma once
// The order in which a grid runs without time: what run_rest() and the stepper must agree on.
#include <cstdint>

namespace hpml::sim::exec {

// Instructions a warp runs before the next one gets its turn: long enough that switching costs nothing, short enough
// that a spinning warp soon lets the one it waits for run.
inline constexpr uint64_t kSlice = 20'000;
// Passes over the resident blocks without a block finishing before another block is admitted: what it waits for may be
// in a block that has not started (decoupled look-back, software grid barriers).
inline constexpr int kFruitlessPasses = 4;
// Passes in a row in which every warp only went round the loop it waits in, before this is called a deadlock.
inline constexpr int kIdlePasses = 10'000;

}  // namespace hpml::sim::exec
