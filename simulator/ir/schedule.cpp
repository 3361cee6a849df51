// Orders the instructions of each basic block as ptxas would: by the length of the chain that hangs on each, so that
// loads start long before their values are needed. Without it an in-order machine waits for every load at its use.
// Memory accesses keep their order where they might touch the same bytes; nothing crosses a barrier, a call, an atomic,
// a volatile access or a read of a clock.
#include <algorithm>
#include <queue>

#include "simulator/ir/detail/cfg.hpp"
#include "simulator/ir/detail/data_flow.hpp"
#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::ir {

namespace {

// How far an instruction may overtake others, in instructions: what keeps the register need near ptxas's.
constexpr size_t kWindow = 64;

// Rough cycles to a dependent instruction: their order of size decides what is started first, not their value.
uint64_t weight(const Inst& inst) {
  switch (inst.lat) {
    case isa::Lat::none: return 0;
    case isa::Lat::ld_global:
    case isa::Lat::ld_local:
    case isa::Lat::atom_global: return 200;
    case isa::Lat::ld_shared:
    case isa::Lat::ld_const:
    case isa::Lat::shuffle: return 30;
    case isa::Lat::mufu:
    case isa::Lat::conv:
    case isa::Lat::conv64:
    case isa::Lat::fp64:
    case isa::Lat::tensor: return 20;
    default: return 5;
  }
}

bool is_product(const Inst& inst) {
  return inst.variant != nullptr && inst.variant->matrix != nullptr &&
         (inst.variant->matrix->op == isa::MatrixOp::multiply || inst.variant->matrix->op == isa::MatrixOp::warpgroup);
}

bool is_fence(const Inst& inst) {
  const bool ordered = inst.mods.sem != isa::Sem::weak || inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red ||
                       inst.mem == isa::Mem::fence || inst.mem == isa::Mem::prefetch;
  return ordered || inst.control != isa::Control::none || inst.refresh_special || inst.unsupported ||
         (inst.shape == isa::Shape::warp && !is_product(inst));
}

bool may_touch_same_bytes(const Inst& a, const Inst& b) {
  const bool one_is_generic = a.mods.space == isa::Space::generic || b.mods.space == isa::Space::generic;
  if (a.mods.space != b.mods.space && !one_is_generic) {
    return false;
  }
  const auto bytes = [](const Inst& i) { return int64_t{i.elem_bytes} * i.mods.vec; };
  const bool same_base = a.addr == b.addr && a.mods.space == b.mods.space;
  return !same_base || (a.offset < b.offset + bytes(b) && b.offset < a.offset + bytes(a));
}

bool is_copy(const Inst& inst) { return inst.mem == isa::Mem::copy_async || inst.mem == isa::Mem::copy_bulk; }

// A copy reads one space and writes another, at addresses that are not compared: loads of spaces it does not write may
// pass it, and nothing else.
bool may_pass_copy(const Inst& other, const Inst& copy) {
  const isa::Space space = other.mods.space;
  const bool from_global = space == isa::Space::global && copy.mem == isa::Mem::copy_async;
  const bool never_copied = space == isa::Space::constant || space == isa::Space::param || space == isa::Space::local;
  return other.mem == isa::Mem::ld && (from_global || never_copied);
}

bool keeps_order(const Inst& first, const Inst& second) {
  if (is_copy(first) || is_copy(second)) {
    return is_copy(first) ? is_copy(second) || !may_pass_copy(second, first) : !may_pass_copy(first, second);
  }
  const bool one_writes = first.mem == isa::Mem::st || second.mem == isa::Mem::st;
  return one_writes && may_touch_same_bytes(second, first);
}

// One block's dependence graph, by position in the block.
class Graph {
 public:
  Graph(const Draft& draft, const BasicBlock& block)
      : draft_(draft), begin_(block.begin), size_(block.end - block.begin), after_(size_), waits_for_(size_, 0) {
    std::vector<std::vector<size_t>> readers(draft.regs.size());
    std::vector<size_t> writer(draft.regs.size(), kNobody);
    for (size_t i = 0; i < size_; ++i) {
      add_register_order(i, readers, writer);
      add_memory_order(i);
    }
    height_.assign(size_, 0);
    for (size_t i = size_; i-- > 0;) {
      for (const size_t next : after_[i]) {
        height_[i] = std::max(height_[i], height_[next]);
      }
      height_[i] += weight(at(i));
    }
  }

  // Position in the block of the instruction that comes first, second, ...
  std::vector<size_t> order() {
    std::vector<size_t> out;
    std::vector<bool> done(size_, false);
    size_t oldest = 0;
    while (out.size() < size_) {
      size_t best = kNobody;
      for (size_t i = oldest; i < std::min(size_, oldest + kWindow); ++i) {
        if (!done[i] && waits_for_[i] == 0 && (best == kNobody || height_[i] > height_[best])) {
          best = i;
        }
      }
      done[best] = true;
      out.push_back(best);
      for (const size_t next : after_[best]) {
        --waits_for_[next];
      }
      while (oldest < size_ && done[oldest]) {
        ++oldest;
      }
    }
    return out;
  }

 private:
  static constexpr size_t kNobody = ~size_t{0};
  const Inst& at(size_t i) const { return draft_.out.code[begin_ + i]; }
  void link(size_t before, size_t after) {
    if (before != kNobody && before != after) {
      after_[before].push_back(after);
      ++waits_for_[after];
    }
  }

  void add_register_order(size_t i, std::vector<std::vector<size_t>>& readers, std::vector<size_t>& writer) {
    const uint32_t scratch = virtual_number(draft_.scratch);
    each_read(at(i), [&](uint32_t r) {
      link(writer[r], i);
      readers[r].push_back(i);
    });
    each_write(at(i), [&](uint32_t r) {
      if (r == scratch) {
        return;  // nobody reads it
      }
      link(writer[r], i);
      for (const size_t reader : readers[r]) {
        link(reader, i);
      }
      readers[r].clear();
      writer[r] = i;
    });
  }

  void add_memory_order(size_t i) {
    const Inst& inst = at(i);
    if (is_fence(inst) || i + 1 == size_) {
      for (size_t before = last_fence_ == kNobody ? 0 : last_fence_; before < i; ++before) {
        link(before, i);
      }
      last_fence_ = i;
      return;
    }
    link(last_fence_, i);
    const auto moves_data = [](const Inst& one) {
      return one.mem == isa::Mem::ld || one.mem == isa::Mem::st || is_copy(one);
    };
    for (size_t before = last_fence_ == kNobody ? 0 : last_fence_; moves_data(inst) && before < i; ++before) {
      if (moves_data(at(before)) && keeps_order(at(before), inst)) {
        link(before, i);
      }
    }
  }

  const Draft& draft_;
  Pc begin_;
  size_t size_;
  std::vector<std::vector<size_t>> after_;
  std::vector<size_t> waits_for_;
  std::vector<uint64_t> height_;
  size_t last_fence_ = kNobody;
};

void reorder(Draft& draft, const BasicBlock& block, const std::vector<size_t>& order) {
  std::vector<Inst> moved;
  moved.reserve(order.size());
  for (const size_t i : order) {
    moved.push_back(draft.out.code[block.begin + i]);
  }
  // Lanes meet at the block's first place, whichever instruction stands there.
  const bool is_join = draft.out.code[block.begin].is_join;
  std::copy(moved.begin(), moved.end(), draft.out.code.begin() + block.begin);
  for (Pc pc = block.begin; pc < block.end; ++pc) {
    draft.out.code[pc].is_join = pc == block.begin && is_join;
  }
}

}  // namespace

void schedule(Draft& draft) {
  for (const BasicBlock& block : build_cfg(draft.out).blocks) {
    if (block.end - block.begin > 2) {
      reorder(draft, block, Graph(draft, block).order());
    }
  }
}

}  // namespace hpml::sim::ir
