#pragma once
// Told of every instruction as a warp issues it, and of what the warp waited for: the model's side of a debugger.
#include <cstdint>
#include <span>

#include "simulator/ir/kernel.hpp"
#include "simulator/timing/counters.hpp"

namespace hpml::sim::timing {

// Cycles are those of Engine::clock().
struct Issue {
  uint64_t block = 0;  // linear
  int warp = 0;
  const ir::Inst* inst = nullptr;
  uint64_t at = 0;
  bool free = false;        // no machine instruction: it costs nothing, and waits for nothing
  uint64_t held_until = 0;  // by its last instruction, a barrier, or its start, for this reason
  Stall held_for = Stall::wait;
  uint64_t operands_at = 0;  // when the last operand was there, and what waiting for it counts as
  Stall operands_for = Stall::wait;
  std::span<const ir::Inst* const> in_flight;  // loads that have not returned yet
};

class IssueWatch {
 public:
  virtual ~IssueWatch() = default;
  // SMs issue one after the other: RunOptions::threads is 1.
  virtual void issued(const Issue& issue) = 0;
};

}  // namespace hpml::sim::timing
