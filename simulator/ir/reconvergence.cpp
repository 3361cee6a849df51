// Where diverged lanes meet again: the immediate post-dominator of each potentially divergent branch.
#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/draft.hpp"

namespace hpml::sim::ir {

namespace {

// A block that only leaves the function is no place to wait at: lanes that return early must not hold up, and be held
// up by, lanes that still go through a barrier on their way there. Compilers give such lanes an exit of their own, too.
bool only_leaves(const Inst& first) {
  return first.guard == isa::kNoSlot && (first.control == isa::Control::ret || first.control == isa::Control::exit);
}

}  // namespace

void find_reconvergence(Function& function) {
  for (Inst& inst : function.code) {
    inst.reconverge = kNoPc;
    inst.is_join = false;
  }
  const Cfg cfg = build_cfg(function);
  const std::vector<int> ipdom = immediate_post_dominators(cfg);
  for (const BasicBlock& block : cfg.blocks) {
    Inst& last = function.code[block.end - 1];
    const bool may_diverge =
        (last.control == isa::Control::bra && last.guard != isa::kNoSlot) || last.control == isa::Control::brx;
    if (!may_diverge) {
      continue;
    }
    const int join = ipdom[static_cast<size_t>(cfg.block_of[block.begin])];
    if (join == cfg.exit() || only_leaves(function.code[cfg.blocks[static_cast<size_t>(join)].begin])) {
      last.reconverge = kNoPc;
      continue;
    }
    last.reconverge = cfg.blocks[static_cast<size_t>(join)].begin;
    function.code[last.reconverge].is_join = true;
  }
}

}  // namespace hpml::sim::ir
