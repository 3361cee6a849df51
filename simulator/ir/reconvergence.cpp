// Where diverged lanes meet again: the immediate post-dominator of each potentially divergent branch.
#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/draft.hpp"

namespace hpml::sim::ir {

void find_reconvergence(Function& function) {
  const Cfg cfg = build_cfg(function);
  const std::vector<int> ipdom = immediate_post_dominators(cfg);
  for (const BasicBlock& block : cfg.blocks) {
    Inst& last = function.code[block.end - 1];
    const bool may_diverge = (last.control == isa::Control::bra && last.guard != isa::kNoSlot) || last.control == isa::Control::brx;
    if (!may_diverge) {
      continue;
    }
    const int join = ipdom[static_cast<size_t>(cfg.block_of[block.begin])];
    if (join == cfg.exit()) {
      last.reconverge = kNoPc;
      continue;
    }
    last.reconverge = cfg.blocks[static_cast<size_t>(join)].begin;
    function.code[last.reconverge].is_join = true;
  }
}

}  // namespace hpml::sim::ir
