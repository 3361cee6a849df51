#pragma once
// Loops of one basic block that count in constant steps.
#include <map>
#include <optional>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

// It goes on while `counter goes_on bound`, which is tested after the step.
struct CountedLoop {
  Pc begin = 0, end = 0;                                   // [begin, end); the last instruction is the branch back
  Pc add = 0, test = 0;                                    // the counter's step, the comparison
  isa::Slot counter = isa::kNoSlot, bound = isa::kNoSlot;  // bound: a constant, or not written in the loop
  isa::Ty type = isa::Ty::none;                            // of the comparison
  isa::Cmp goes_on = isa::Cmp::none;                       // ne, or what the step leads away from
  int64_t step = 0;
  // Registers that grow by a constant in each round and are used as addresses, or to count, only.
  std::map<uint32_t, Pc> inductions;  // by number: their steps
};

std::optional<CountedLoop> counted_loop(const Draft& draft, const DefUse& flow, const ConstPool& pool,
                                        const BasicBlock& block);
// The constant that an addition adds to the register it writes; nothing if it does something else.
std::optional<int64_t> step_of(const Draft& draft, const ConstPool& pool, const Inst& inst);

}  // namespace hpml::sim::ir
