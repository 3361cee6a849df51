// Liveness over the CFG, then linear scan: virtual registers that are never alive together share a slot, so that a
// warp's registers stay in the host's caches. Sharing is safe under divergence where both registers keep a lane at the
// same bytes: a lane follows one path of the CFG and every write is masked by the active lanes.
#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"
#include "simulator/ir/detail/data_flow.hpp"
#include "simulator/ir/detail/liveness.hpp"

namespace hpml::sim::ir {

namespace {

struct Interval {
  Pc begin = kNoPc, end = 0;
  void cover(Pc pc) {
    begin = std::min(begin, pc);
    end = std::max(end, pc);
  }
};

std::vector<Access> accesses_of(const Draft& draft) {
  std::vector<Access> out(draft.out.code.size());
  for (size_t pc = 0; pc < out.size(); ++pc) {
    const Inst& inst = draft.out.code[pc];
    each_read(inst, [&](uint32_t r) { out[pc].reads.push_back(r); });
    each_write(inst, [&](uint32_t r) { out[pc].writes.push_back(r); });
    out[pc].keeps_old = inst.guard != isa::kNoSlot;
  }
  return out;
}

std::vector<Interval> intervals_of(const Draft& draft) {
  const Cfg cfg = build_cfg(draft.out);
  const std::vector<Access> accesses = accesses_of(draft);
  const Liveness liveness(cfg, accesses, draft.regs.size());
  std::vector<Interval> out(draft.regs.size());
  for (size_t b = 0; b < cfg.blocks.size(); ++b) {
    const BasicBlock& block = cfg.blocks[b];
    liveness.live_in(b).each([&](size_t r) { out[r].cover(block.begin); });
    liveness.live_out(b).each([&](size_t r) { out[r].cover(block.end - 1); });
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      for (const std::vector<uint32_t>* list : {&accesses[pc].reads, &accesses[pc].writes}) {
        for (const uint32_t r : *list) {
          out[r].cover(pc);
        }
      }
    }
  }
  return out;
}

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
    if (draft.regs[r].fixed || draft.keep_apart) {
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

std::vector<isa::Slot> assign_registers(Draft& draft) {
  const std::vector<bool> read = registers_read(draft);
  const std::vector<isa::Slot> slots = assign_slots(draft, intervals_of(draft), draft.out.frame_bytes);
  const auto place = [&](isa::Slot& slot) {
    if (is_virtual(slot)) {
      slot = slots[virtual_number(slot)];
    }
  };
  HPML_CHECK(draft.regs.size() < kNoReg,
             fmt::format("function {} has {} registers", draft.out.name, draft.regs.size()));
  for (Inst& inst : draft.out.code) {
    MatrixOperands* matrix = inst.matrix != nullptr ? draft.out.matrix_operands[inst.extra].get() : nullptr;
    number_dependences(inst, read, draft.scratch, matrix);
    inst.guard_reg = is_virtual(inst.guard) ? static_cast<RegId>(virtual_number(inst.guard)) : kNoReg;
    if (matrix != nullptr) {
      for (std::vector<isa::Slot>* list : {&matrix->d, &matrix->a, &matrix->b, &matrix->c, &matrix->scales}) {
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
  return slots;
}

}  // namespace hpml::sim::ir
