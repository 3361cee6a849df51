#include "simulator/ir/detail/uniformity.hpp"

namespace hpml::sim::ir {

namespace {

bool differs(Special what) {
  switch (what) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::warpid:
    case Special::lanemask_eq:
    case Special::lanemask_lt:
    case Special::lanemask_le:
    case Special::lanemask_gt:
    case Special::lanemask_ge: return true;
    default: return changes_over_time(what);
  }
}

}  // namespace

Uniformity::Uniformity(const Draft& draft)
    : draft_(draft), flow_(draft), cfg_(build_cfg(draft.out)), varying_(draft.regs.size(), false) {
  start();
  for (bool changed = true; changed;) {
    changed = mark_results() || mark_divergent();
  }
}

// Registers that nothing here writes: parameters of a function, and special registers.
void Uniformity::start() {
  for (size_t reg = 0; reg < varying_.size(); ++reg) {
    varying_[reg] = flow_.defs[reg].empty();
  }
  for (const SpecialUse& use : draft_.out.specials) {
    if (is_virtual(use.slot)) {
      varying_[virtual_number(use.slot)] = differs(use.what);
    }
  }
}

bool Uniformity::makes_varying(const Inst& inst) const {
  const bool load = inst.mem == isa::Mem::ld;
  if (inst.control == isa::Control::call ||
      (inst.mem != isa::Mem::none && !load && inst.mem != isa::Mem::cvta_to && inst.mem != isa::Mem::cvta_from)) {
    return true;
  }
  if (inst.shape == isa::Shape::warp || (load && inst.mods.space == isa::Space::local)) {
    return true;
  }
  bool varies = false;
  each_read(inst, [&](uint32_t reg) { varies = varies || varying_[reg]; });
  return varies;
}

bool Uniformity::mark(uint32_t reg) {
  const bool before = varying_[reg];
  varying_[reg] = true;
  return !before;
}

bool Uniformity::mark_results() {
  bool changed = false;
  for (const Inst& inst : draft_.out.code) {
    if (makes_varying(inst)) {
      each_write(inst, [&](uint32_t reg) { changed = mark(reg) || changed; });
    }
  }
  return changed;
}

bool Uniformity::mark_divergent() {
  bool changed = false;
  for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
    const Inst& last = draft_.out.code[cfg_.blocks[b].end - 1];
    if (last.control == isa::Control::bra && !uniform(last.guard)) {
      const int joined = last.reconverge == kNoPc ? cfg_.exit() : cfg_.block_of[last.reconverge];
      changed = mark_between(static_cast<int>(b), joined) || changed;
    }
  }
  return changed;
}

// What the blocks between a branch and the block where its lanes meet again write, if others write it too.
bool Uniformity::mark_between(int branch, int joined) {
  bool changed = false;
  std::vector<bool> seen(cfg_.blocks.size() + 1, false);
  seen[static_cast<size_t>(joined)] = true;
  seen[static_cast<size_t>(cfg_.exit())] = true;
  std::vector<int> next = cfg_.blocks[static_cast<size_t>(branch)].successors;
  while (!next.empty()) {
    const auto at = static_cast<size_t>(next.back());
    next.pop_back();
    if (seen[at]) {
      continue;
    }
    seen[at] = true;
    next.insert(next.end(), cfg_.blocks[at].successors.begin(), cfg_.blocks[at].successors.end());
    for (Pc pc = cfg_.blocks[at].begin; pc < cfg_.blocks[at].end; ++pc) {
      each_write(draft_.out.code[pc],
                 [&](uint32_t reg) { changed = (flow_.defs[reg].size() > 1 && mark(reg)) || changed; });
    }
  }
  return changed;
}

}  // namespace hpml::sim::ir
