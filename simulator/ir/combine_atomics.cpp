// Which atomics machine code carries out for a whole warp at once (Inst::combine). ptxas does so where all lanes of a
// warp name one address: one lane is elected for all, or the values are combined first. Read off what ptxas 13.0 makes
// for sm_75 and sm_80 of every atomic operation on uniform and varying addresses and values:
//   address  value    red add, and, or, xor, min, max     atom add
//   uniform  uniform  one lane asks for all               one lane asks; the others count those before them
//   uniform  varying  a sum over the warp (REDUX, or      a running sum by shuffles, if the warp is full
//                     shuffles if the warp is full)
//   varying  any      every lane asks                     every lane asks
// Values of 64 bits: additions of uniform values only. inc, dec, exch, cas and floating-point operations: never.
#include <algorithm>
#include <string_view>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

namespace {

// Which registers have the same value in every lane of a warp. An under-estimate: what is written under a branch that
// lanes may take differently, and elsewhere too, counts as varying.
class Uniformity {
 public:
  explicit Uniformity(const Draft& draft)
      : draft_(draft), flow_(draft), cfg_(build_cfg(draft.out)), varying_(draft.regs.size(), false) {
    start();
    for (bool changed = true; changed;) {
      changed = mark_results() || mark_divergent();
    }
  }

  bool uniform(isa::Slot slot) const { return !is_virtual(slot) || !varying_[virtual_number(slot)]; }

 private:
  static bool differs(Special what) {
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

  // Registers that nothing here writes: parameters of a function, and special registers.
  void start() {
    for (size_t reg = 0; reg < varying_.size(); ++reg) {
      varying_[reg] = flow_.defs[reg].empty();
    }
    for (const SpecialUse& use : draft_.out.specials) {
      if (is_virtual(use.slot)) {
        varying_[virtual_number(use.slot)] = differs(use.what);
      }
    }
  }

  bool makes_varying(const Inst& inst) const {
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

  bool mark(uint32_t reg) {
    const bool before = varying_[reg];
    varying_[reg] = true;
    return !before;
  }

  bool mark_results() {
    bool changed = false;
    for (const Inst& inst : draft_.out.code) {
      if (makes_varying(inst)) {
        each_write(inst, [&](uint32_t reg) { changed = mark(reg) || changed; });
      }
    }
    return changed;
  }

  bool mark_divergent() {
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
  bool mark_between(int branch, int joined) {
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

  const Draft& draft_;
  DefUse flow_;
  Cfg cfg_;
  std::vector<bool> varying_;
};

// Machine instructions around the one lane's request, as listed: votes and counts; the shuffles of `scan` among them.
// `again`: the basic block has elected a lane before; votes and counts are those.
uint8_t helpers(const Inst& inst, bool again) {
  const bool returns = inst.mem == isa::Mem::atom && !inst.result_unused;
  switch (inst.combine) {
    case Combine::none: return 0;
    case Combine::elect: return again ? (returns ? 2 : 0) : (returns ? 10 : 6);
    case Combine::reduce: return 8;
    case Combine::scan: return 23;
  }
  return 0;
}

// Nobody reads what the atomic returns, and there is an instruction that returns nothing.
bool becomes_reduction(const Inst& inst, const DefUse& flow) {
  if (inst.mem != isa::Mem::atom || inst.variant == nullptr || inst.mods.vec > 1) {
    return false;
  }
  const std::string_view op = inst.variant->spec->fixed;
  const isa::Slot result = inst.dst[0];
  return op != "exch" && op != "cas" && (!is_virtual(result) || flow.uses[virtual_number(result)].empty());
}

bool is_candidate(const Inst& inst) {
  if ((inst.mem != isa::Mem::atom && inst.mem != isa::Mem::red) || inst.variant == nullptr || inst.mods.vec > 1 ||
      isa::is_float(inst.variant->types[0])) {
    return false;
  }
  const std::string_view op = inst.variant->spec->fixed;
  const bool narrow = isa::bits(inst.variant->types[0]) == 32;
  const bool combines = op == "and" || op == "or" || op == "xor" || op == "min" || op == "max";
  const bool returns = inst.mem == isa::Mem::atom && !inst.result_unused;
  return op == "add" || (combines && narrow && !returns);
}

Combine combination(const Inst& inst, const Uniformity& values) {
  if (!values.uniform(inst.addr)) {
    return Combine::none;
  }
  if (values.uniform(inst.src[0])) {
    return Combine::elect;
  }
  const bool narrow = isa::bits(inst.variant->types[0]) == 32;
  const bool returns = inst.mem == isa::Mem::atom && !inst.result_unused;
  return !narrow ? Combine::none : returns ? Combine::scan : Combine::reduce;
}

}  // namespace

void combine_atomics(Draft& draft) {
  std::vector<Inst>& code = draft.out.code;
  const auto is_atomic = [](const Inst& inst) { return inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red; };
  if (std::none_of(code.begin(), code.end(), is_atomic)) {
    return;
  }
  const DefUse flow(draft);
  for (Inst& inst : code) {
    inst.result_unused = becomes_reduction(inst, flow);
  }
  if (std::none_of(code.begin(), code.end(), is_candidate)) {
    return;
  }
  const Uniformity values(draft);
  for (const BasicBlock& block : build_cfg(draft.out).blocks) {
    bool elected = false;
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      Inst& inst = code[pc];
      inst.combine = is_candidate(inst) ? combination(inst, values) : Combine::none;
      inst.helpers = std::max(inst.helpers, helpers(inst, elected));
      elected = elected || inst.combine == Combine::elect;
    }
  }
}

}  // namespace hpml::sim::ir
