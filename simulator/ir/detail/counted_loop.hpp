#pragma once
// Loops of one basic block that count in constant steps.
#include <algorithm>
#include <map>
#include <optional>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

// do { ... counter += step; ... } while (counter < bound), or with another comparison.
struct CountedLoop {
  Pc begin = 0, end = 0;                                   // [begin, end); the last instruction is the branch back
  Pc add = 0, test = 0;                                    // places of the counter's step and of the comparison
  isa::Slot counter = isa::kNoSlot, bound = isa::kNoSlot;  // bound: a constant, or not written in the loop
  isa::Ty type = isa::Ty::none;                            // of the comparison
  isa::Cmp continues = isa::Cmp::none;                     // ne, lt, le, gt or ge: (counter, bound), for another round
  int64_t step = 0;
  // Induction variables that are used only as addresses, or to count.
  struct Induction {
    Pc add = 0;  // its place
    int64_t step = 0;
  };
  std::map<uint32_t, Induction> inductions;  // by register

  // Nothing but counting stands there: no further round needs a copy of it.
  bool only_counts(Pc pc) const {
    return pc == test || std::ranges::any_of(inductions, [&](const auto& each) { return each.second.add == pc; });
  }
};

std::optional<CountedLoop> counted_loop(const Draft& draft, const DefUse& flow, const ConstPool& pool,
                                        const BasicBlock& block);

}  // namespace hpml::sim::ir
