#include "simulator/ir/detail/counted_loop.hpp"

#include <algorithm>

namespace hpml::sim::ir {

namespace {

bool is_word(isa::Ty type) {
  switch (type) {
    case isa::Ty::b32:
    case isa::Ty::u32:
    case isa::Ty::s32:
    case isa::Ty::b64:
    case isa::Ty::u64:
    case isa::Ty::s64: return true;
    default: return false;
  }
}

// lo, ls, hi and hs compare unsigned types only, as lt, le, gt and ge of these types do.
isa::Cmp plain(isa::Cmp cmp) {
  switch (cmp) {
    case isa::Cmp::lo: return isa::Cmp::lt;
    case isa::Cmp::ls: return isa::Cmp::le;
    case isa::Cmp::hi: return isa::Cmp::gt;
    case isa::Cmp::hs: return isa::Cmp::ge;
    default: return cmp;
  }
}

isa::Cmp opposite(isa::Cmp cmp) {
  switch (cmp) {
    case isa::Cmp::eq: return isa::Cmp::ne;
    case isa::Cmp::ne: return isa::Cmp::eq;
    case isa::Cmp::lt: return isa::Cmp::ge;
    case isa::Cmp::le: return isa::Cmp::gt;
    case isa::Cmp::gt: return isa::Cmp::le;
    case isa::Cmp::ge: return isa::Cmp::lt;
    default: return isa::Cmp::none;
  }
}

// With its operands exchanged.
isa::Cmp exchanged(isa::Cmp cmp) {
  switch (cmp) {
    case isa::Cmp::lt: return isa::Cmp::gt;
    case isa::Cmp::le: return isa::Cmp::ge;
    case isa::Cmp::gt: return isa::Cmp::lt;
    case isa::Cmp::ge: return isa::Cmp::le;
    default: return cmp;
  }
}

// Does the step bring a counter that compares so to where it no longer does?
bool ends(isa::Cmp cmp, int64_t step) {
  switch (cmp) {
    case isa::Cmp::ne: return true;
    case isa::Cmp::lt:
    case isa::Cmp::le: return step > 0;
    case isa::Cmp::gt:
    case isa::Cmp::ge: return step < 0;
    default: return false;
  }
}

class Finder {
 public:
  Finder(const Draft& draft, const DefUse& flow, const ConstPool& pool, const BasicBlock& block)
      : draft_(draft), flow_(flow), pool_(pool), block_(block) {}

  std::optional<CountedLoop> find() {
    const Inst& branch = at(block_.end - 1);
    if (branch.control != isa::Control::bra || branch.target != block_.begin || !is_virtual(branch.guard)) {
      return std::nullopt;
    }
    const std::optional<Pc> test = only(flow_.defs[virtual_number(branch.guard)]);
    const std::optional<Pc> reader = only(flow_.uses[virtual_number(branch.guard)]);
    if (!test || !reader || !only_decides(at(*test), branch.guard)) {
      return std::nullopt;
    }
    loop_.begin = block_.begin;
    loop_.end = block_.end;
    loop_.test = *test;
    loop_.type = at(*test).variant->types[0];
    for (const bool swapped : {false, true}) {
      const isa::Cmp written = plain(at(*test).mods.cmp), cmp = swapped ? exchanged(written) : written;
      loop_.continues = branch.guard_negated ? opposite(cmp) : cmp;
      if (counts(at(*test).src[swapped ? 1 : 0], at(*test).src[swapped ? 0 : 1])) {
        find_inductions();
        return loop_;
      }
    }
    return std::nullopt;
  }

 private:
  const Inst& at(Pc pc) const { return draft_.out.code[pc]; }
  // A comparison of integers whose result is the guard, and nothing else.
  bool only_decides(const Inst& test, isa::Slot guard) const {
    return is(test, "setp", "") && test.guard == isa::kNoSlot && test.mods.boolop == isa::BoolOp::none &&
           test.dst[0] == guard && (!is_virtual(test.dst[1]) || test.dst[1] == draft_.scratch) &&
           is_word(test.variant->types[0]);
  }
  bool inside(Pc pc) const { return pc >= block_.begin && pc < block_.end; }
  // The only place in the loop; nothing: several, or none.
  std::optional<Pc> only(const std::vector<Pc>& places) const {
    std::optional<Pc> found;
    for (const Pc pc : places) {
      if (inside(pc) && found) {
        return std::nullopt;
      }
      found = inside(pc) ? std::optional(pc) : found;
    }
    return found;
  }

  bool counts(isa::Slot counter, isa::Slot bound) {
    if (!is_virtual(counter) || (is_virtual(bound) && std::ranges::any_of(flow_.defs[virtual_number(bound)],
                                                                          [&](Pc pc) { return inside(pc); }))) {
      return false;
    }
    const std::optional<Pc> add = only(flow_.defs[virtual_number(counter)]);
    const std::optional<int64_t> step = add ? step_of(at(*add)) : std::nullopt;
    if (!step || *add > loop_.test || isa::bits(at(*add).type) != isa::bits(loop_.type) ||
        !ends(loop_.continues, *step)) {
      return false;
    }
    loop_.add = *add;
    loop_.step = *step;
    loop_.counter = counter;
    loop_.bound = bound;
    return true;
  }

  // The constant that an addition adds to the register it writes; nothing if it does something else.
  std::optional<int64_t> step_of(const Inst& inst) const {
    const bool sum = is(inst, "add", ""), difference = is(inst, "sub", "");
    const isa::Slot reg = inst.dst[0];
    if ((!sum && !difference) || inst.guard != isa::kNoSlot || inst.mods.sat || !is_word(inst.type) ||
        !is_virtual(reg) || draft_.regs[virtual_number(reg)].bytes * 8 != isa::bits(inst.type)) {
      return std::nullopt;
    }
    const bool second = inst.src[0] == reg;
    if (!second && (difference || inst.src[1] != reg)) {
      return std::nullopt;
    }
    const isa::Slot constant = inst.src[second ? 1 : 0];
    const std::optional<uint64_t> bits = (constant & isa::kConstBit) != 0 ? pool_.value(constant) : std::nullopt;
    if (!bits) {
      return std::nullopt;
    }
    const int64_t value = isa::bits(inst.type) == 32 ? static_cast<int32_t>(*bits) : static_cast<int64_t>(*bits);
    constexpr int64_t kMost = int64_t{1} << 24;  // further rounds stay in range
    return value == 0 || std::abs(value) > kMost ? std::nullopt : std::optional(difference ? -value : value);
  }

  void find_inductions() {
    for (Pc pc = block_.begin; pc < block_.end; ++pc) {
      const std::optional<int64_t> step = step_of(at(pc));
      if (!step) {
        continue;
      }
      const uint32_t number = virtual_number(at(pc).dst[0]);
      const auto only_address = [&](Pc use) {
        const Inst& inst = at(use);
        const bool access = inst.mem == isa::Mem::ld || inst.mem == isa::Mem::st || inst.mem == isa::Mem::atom ||
                            inst.mem == isa::Mem::red;
        return !inside(use) || use == pc || (use == loop_.test && pc == loop_.add) ||
               (access && inst.addr == at(pc).dst[0] && inst.matrix == nullptr &&
                std::ranges::find(inst.src, inst.addr) == inst.src.end());
      };
      if (only(flow_.defs[number]) && std::ranges::all_of(flow_.uses[number], only_address)) {
        loop_.inductions.emplace(number, CountedLoop::Induction{pc, *step});
      }
    }
  }

  const Draft& draft_;
  const DefUse& flow_;
  const ConstPool& pool_;
  const BasicBlock& block_;
  CountedLoop loop_;
};

}  // namespace

std::optional<CountedLoop> counted_loop(const Draft& draft, const DefUse& flow, const ConstPool& pool,
                                        const BasicBlock& block) {
  return Finder(draft, flow, pool, block).find();
}

}  // namespace hpml::sim::ir
