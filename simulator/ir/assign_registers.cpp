// Liveness over the CFG, then linear scan: virtual registers that are never alive together share a slot, so that a
// warp's registers stay in the host's caches. Sharing is safe under divergence where both registers keep a lane at the
// same bytes: a lane follows one path of the CFG and every write is masked by the active lanes. The peak of live 32-bit
// registers is our estimate of the register count.
#include <algorithm>
#include <bit>

#include "common/base/check.hpp"
#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

namespace {

class BitSet {
 public:
  explicit BitSet(size_t bits) : words_((bits + 63) / 64) {}
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void clear(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  bool merge(const BitSet& other) {  // true when it grew
    bool grew = false;
    for (size_t w = 0; w < words_.size(); ++w) {
      const uint64_t merged = words_[w] | other.words_[w];
      grew |= merged != words_[w];
      words_[w] = merged;
    }
    return grew;
  }
  void subtract(const BitSet& other) {
    for (size_t w = 0; w < words_.size(); ++w) {
      words_[w] &= ~other.words_[w];
    }
  }
  template <class F>
  void each(F f) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) {
        f(w * 64 + static_cast<size_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

struct Interval {
  Pc begin = kNoPc, end = 0;
  void cover(Pc pc) {
    begin = std::min(begin, pc);
    end = std::max(end, pc);
  }
};

class Liveness {
 public:
  explicit Liveness(const Draft& draft)
      : draft_(draft), cfg_(build_cfg(draft.out)), live_in_(cfg_.blocks.size(), BitSet(draft.regs.size())) {
    solve();
  }

  std::vector<Interval> intervals() const {
    std::vector<Interval> out(draft_.regs.size());
    for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
      const BasicBlock& block = cfg_.blocks[b];
      live_in_[b].each([&](size_t r) { out[r].cover(block.begin); });
      live_out(b).each([&](size_t r) { out[r].cover(block.end - 1); });
      for (Pc pc = block.begin; pc < block.end; ++pc) {
        const auto touch = [&](uint32_t r) { out[r].cover(pc); };
        each_read(draft_.out.code[pc], touch);
        each_write(draft_.out.code[pc], touch);
      }
    }
    return out;
  }

  // Largest sum of 32-bit registers alive at one instruction: exact per instruction, not by interval.
  int peak() const {
    int peak = 0;
    for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
      std::vector<bool> alive(draft_.regs.size(), false);
      int now = 0;
      const auto change = [&](size_t r, bool on) {
        if (alive[r] != on && !draft_.regs[r].fixed) {
          alive[r] = on;
          now += on ? weight(r) : -weight(r);
        }
      };
      live_out(b).each([&](size_t r) { change(r, true); });
      for (Pc pc = cfg_.blocks[b].end; pc-- > cfg_.blocks[b].begin;) {
        const Inst& inst = draft_.out.code[pc];
        each_write(inst, [&](uint32_t r) { change(r, true); });
        peak = std::max(peak, now);
        if (inst.guard == isa::kNoSlot) {
          each_write(inst, [&](uint32_t r) { change(r, false); });
        }
        each_read(inst, [&](uint32_t r) { change(r, true); });
        peak = std::max(peak, now);
      }
    }
    return peak;
  }

 private:
  int weight(size_t r) const {
    const VirtualReg& reg = draft_.regs[r];
    return reg.type == isa::Ty::pred ? 0 : std::max(reg.bytes / 4, 1);
  }
  BitSet live_out(size_t b) const {
    BitSet out(draft_.regs.size());
    for (const int s : cfg_.blocks[b].successors) {
      if (s != cfg_.exit()) {
        out.merge(live_in_[static_cast<size_t>(s)]);
      }
    }
    return out;
  }
  void solve() {
    std::vector<BitSet> use(cfg_.blocks.size(), BitSet(draft_.regs.size())), def = use;
    for (size_t b = 0; b < cfg_.blocks.size(); ++b) {
      for (Pc pc = cfg_.blocks[b].end; pc-- > cfg_.blocks[b].begin;) {
        const Inst& inst = draft_.out.code[pc];
        if (inst.guard == isa::kNoSlot) {  // a guarded write leaves the old value in other lanes
          each_write(inst, [&](uint32_t r) {
            use[b].clear(r);
            def[b].set(r);
          });
        }
        each_read(inst, [&](uint32_t r) { use[b].set(r); });
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = cfg_.blocks.size(); b-- > 0;) {
        BitSet in = live_out(b);
        in.subtract(def[b]);
        in.merge(use[b]);
        changed |= live_in_[b].merge(in);
      }
    }
  }

  const Draft& draft_;
  Cfg cfg_;
  std::vector<BitSet> live_in_;
};

uint32_t slot_bytes(const VirtualReg& reg) {
  return reg.type == isa::Ty::pred ? 64 : std::max<uint32_t>(uint32_t{reg.bytes} * isa::kWarpSize, 64);
}

// First fit by layout: a slot freed at one instruction is reused from the next on, so that no destination overlaps a
// source of the same instruction. A predicate's bit and a number's lane are never at the same bytes: a lane that writes
// the one would change the other in a lane that is still on its way here.
class SlotPool {
 public:
  isa::Slot take(const VirtualReg& reg) {
    std::vector<isa::Slot>& free = free_[layout(reg)];
    if (!free.empty()) {
      const isa::Slot slot = free.back();
      free.pop_back();
      return slot;
    }
    const isa::Slot slot = top_;
    top_ += slot_bytes(reg);
    return slot;
  }
  void give(isa::Slot slot, const VirtualReg& reg) { free_[layout(reg)].push_back(slot); }
  uint32_t top() const { return top_; }

 private:
  static uint32_t layout(const VirtualReg& reg) { return reg.type == isa::Ty::pred ? 0 : reg.bytes; }

  std::map<uint32_t, std::vector<isa::Slot>> free_;  // by bytes per lane; 0: predicates
  uint32_t top_ = 0;
};

std::vector<isa::Slot> assign_slots(const Draft& draft, const std::vector<Interval>& intervals, uint32_t& frame_bytes) {
  std::vector<isa::Slot> slots(draft.regs.size(), isa::kNoSlot);
  SlotPool pool;
  std::vector<uint32_t> by_begin;
  for (uint32_t r = 0; r < draft.regs.size(); ++r) {
    if (draft.regs[r].fixed) {
      slots[r] = pool.take(draft.regs[r]);
    } else if (intervals[r].begin != kNoPc) {
      by_begin.push_back(r);
    }
  }
  std::stable_sort(by_begin.begin(), by_begin.end(),
                   [&](uint32_t a, uint32_t b) { return intervals[a].begin < intervals[b].begin; });
  std::multimap<Pc, uint32_t> active;  // by end
  for (const uint32_t r : by_begin) {
    while (!active.empty() && active.begin()->first < intervals[r].begin) {
      const uint32_t done = active.begin()->second;
      pool.give(slots[done], draft.regs[done]);
      active.erase(active.begin());
    }
    slots[r] = pool.take(draft.regs[r]);
    active.emplace(intervals[r].end, r);
  }
  frame_bytes = pool.top();
  return slots;
}

// By virtual register: does any instruction read it?
std::vector<bool> registers_read(const Draft& draft) {
  std::vector<bool> read(draft.regs.size(), false);
  for (const Inst& inst : draft.out.code) {
    each_read(inst, [&](uint32_t r) { read[r] = true; });
  }
  return read;
}

void number_dependences(Inst& inst, const std::vector<bool>& read, isa::Slot scratch, MatrixOperands* matrix) {
  if (matrix != nullptr) {
    const auto note = [scratch](std::vector<RegId>& list, uint32_t r) {
      if (r != virtual_number(scratch)) {
        list.push_back(static_cast<RegId>(r));
      }
    };
    each_read(inst, [&](uint32_t r) { note(matrix->reads, r); });
    each_write(inst, [&](uint32_t r) { note(matrix->writes, r); });
    return;
  }
  size_t reads = 0, writes = 0;
  const auto note = [scratch](auto& list, size_t& count, uint32_t r) {
    if (count < list.size() && r != virtual_number(scratch)) {
      list[count++] = static_cast<RegId>(r);
    }
  };
  each_read(inst, [&](uint32_t r) { note(inst.reads, reads, r); });
  each_write(inst, [&](uint32_t r) {
    if (inst.mem != isa::Mem::atom || read[r]) {  // ptxas makes a reduction of an atomic whose result nobody reads
      note(inst.writes, writes, r);
    }
  });
}

}  // namespace

void assign_registers(Draft& draft) {
  const Liveness liveness(draft);
  draft.out.live_registers = liveness.peak();
  const std::vector<bool> read = registers_read(draft);
  const std::vector<isa::Slot> slots = assign_slots(draft, liveness.intervals(), draft.out.frame_bytes);
  const auto place = [&](isa::Slot& slot) {
    if (is_virtual(slot)) {
      slot = slots[virtual_number(slot)];
    }
  };
  HPML_CHECK(draft.regs.size() < kNoReg, "function {} has {} registers", draft.out.name, draft.regs.size());
  for (Inst& inst : draft.out.code) {
    MatrixOperands* matrix = inst.matrix != nullptr ? draft.out.matrix_operands[inst.extra].get() : nullptr;
    number_dependences(inst, read, draft.scratch, matrix);
    if (matrix != nullptr) {
      for (std::vector<isa::Slot>* list : {&matrix->d, &matrix->a, &matrix->b, &matrix->c}) {
        for (isa::Slot& slot : *list) {
          place(slot);
        }
      }
    }
    for (isa::Slot& slot : inst.dst) {
      place(slot);
    }
    for (isa::Slot& slot : inst.src) {
      place(slot);
    }
    place(inst.guard);
    place(inst.addr);
    place(inst.carry);
  }
  for (SpecialUse& use : draft.out.specials) {
    place(use.slot);
  }
  draft.out.reg_count = static_cast<uint32_t>(draft.regs.size());
}

}  // namespace hpml::sim::ir
