// Instructions of a whole warp: shfl, vote, match, redux, activemask, elect, bar.warp.sync (PTX
// ISA 9.0, 9.7.9, 9.7.13).
//
// A .sync instruction waits until every lane of its mask that has not exited has arrived at an instruction of the same
// kind with the same mask, not necessarily at the same pc; then those lanes execute together.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lane_move.hpp"
#include "simulator/exec/detail/shuffle.hpp"

namespace hpml::sim::exec {

namespace {

// Operand that holds the member mask; -1 when the instruction has none (not .sync).
int mask_operand(const ir::Inst& inst) {
  if (inst.control == isa::Control::bar_warp_sync) {
    return 0;
  }
  switch (inst.warp) {
    case isa::Warp::shfl: return inst.src[3] != isa::kNoSlot ? 3 : -1;
    case isa::Warp::vote:
    case isa::Warp::match:
    case isa::Warp::redux: return inst.src[1] != isa::kNoSlot ? 1 : -1;
    case isa::Warp::elect: return 0;
    case isa::Warp::activemask:
    case isa::Warp::matrix:
    case isa::Warp::none: return -1;
  }
  return -1;
}

bool same_kind(const ir::Inst& a, const ir::Inst& b) {
  return a.shape == b.shape && a.warp == b.warp && a.control == b.control && a.mods.mode == b.mods.mode &&
         (a.warp != isa::Warp::matrix || a.variant == b.variant);
}

// What the lanes that execute together read and write.
struct Exchange {
  std::array<uint64_t, 32> a{}, b{}, c{};
  std::array<LaneMask, 32> mask{};  // the member mask as each lane gives it
  LaneMask predicate = 0;
  LaneMask active = 0;
  std::array<uint64_t, 32> d{};
  LaneMask p = 0;
};

void shuffle(int mode, Exchange& x) {
  for (LaneMask rest = x.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto l = static_cast<size_t>(lane);
    const ShuffleSource from =
        shuffle_source(mode, lane, x.active, static_cast<uint32_t>(x.b[l]), static_cast<uint32_t>(x.c[l]));
    x.d[l] = x.a[static_cast<size_t>(from.lane)];
    x.p |= from.in_range ? 1u << lane : 0u;
  }
}

void vote(int mode, Exchange& x) {
  const LaneMask yes = x.predicate & x.active;
  const bool all = yes == x.active, any = yes != 0;
  constexpr int kAll = 0, kAny = 1, kUni = 2;
  const bool result = mode == kAll ? all : mode == kAny ? any : mode == kUni ? all || !any : false;
  x.d.fill(yes);  // ballot
  x.p = result ? isa::kFullMask : 0;
}

void match(int mode, Exchange& x) {
  constexpr int kAny = 0;
  const uint64_t first = x.a[static_cast<size_t>(std::countr_zero(x.active))];
  LaneMask equal_all = 0;
  for (LaneMask rest = x.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    LaneMask same = 0;
    for (LaneMask other = x.active; other != 0; other &= other - 1) {
      const int o = std::countr_zero(other);
      same |= x.a[static_cast<size_t>(o)] == x.a[lane] ? 1u << o : 0u;
    }
    x.d[lane] = same;
    equal_all |= x.a[lane] == first ? 1u << lane : 0u;
  }
  if (mode != kAny) {
    const bool all = equal_all == x.active;
    x.d.fill(all ? x.active : 0);
    x.p = all ? isa::kFullMask : 0;
  }
}

void redux(int mode, isa::Ty type, Exchange& x) {
  constexpr int kAdd = 0, kMin = 1, kMax = 2, kAnd = 3, kOr = 4, kXor = 5;
  bool first = true;
  uint32_t acc = 0;
  for (LaneMask rest = x.active; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<uint32_t>(x.a[static_cast<size_t>(std::countr_zero(rest))]);
    const auto s = static_cast<int32_t>(v), t = static_cast<int32_t>(acc);
    const bool is_signed = type == isa::Ty::s32;
    if (first) {
      acc = v;
      first = false;
      continue;
    }
    switch (mode) {
      case kAdd: acc += v; break;
      case kMin: acc = (is_signed ? s < t : v < acc) ? v : acc; break;
      case kMax: acc = (is_signed ? s > t : v > acc) ? v : acc; break;
      case kAnd: acc &= v; break;
      case kOr: acc |= v; break;
      case kXor: acc ^= v; break;
      default: break;
    }
  }
  x.d.fill(acc);
}

// redux of floats (9.7.13.10): NaNs count only with .NaN, unless there is nothing else; -0 is below +0.
void redux_f32(const isa::Mods& mods, Exchange& x) {
  constexpr uint32_t kSign = 0x80000000u, kInfinity = 0x7f800000u, kNan = 0x7fffffffu;
  constexpr int kMin = 1;
  bool any_nan = false, any_number = false;
  uint32_t best = 0;
  for (LaneMask rest = x.active; rest != 0; rest &= rest - 1) {
    const auto bits = static_cast<uint32_t>(x.a[static_cast<size_t>(std::countr_zero(rest))]);
    if ((bits & ~kSign) > kInfinity) {
      any_nan = true;
      continue;
    }
    const uint32_t v = mods.abs ? bits & ~kSign : bits;
    const uint32_t key = (v & kSign) != 0 ? ~v : v | kSign;  // in the order of the numbers
    best = !any_number ? key : mods.mode == kMin ? std::min(best, key) : std::max(best, key);
    any_number = true;
  }
  const uint32_t result = (best & kSign) != 0 ? best & ~kSign : ~best;
  x.d.fill(!any_number || (any_nan && mods.nan) ? kNan : result);
}

void compute(const ir::Inst& inst, Exchange& x) {
  switch (inst.warp) {
    case isa::Warp::shfl: return shuffle(inst.mods.mode, x);
    case isa::Warp::vote: return vote(inst.mods.mode, x);
    case isa::Warp::match: return match(inst.mods.mode, x);
    case isa::Warp::redux:
      return inst.type == isa::Ty::f32 ? redux_f32(inst.mods, x) : redux(inst.mods.mode, inst.type, x);
    case isa::Warp::activemask: x.d.fill(x.active); return;
    case isa::Warp::elect: {
      const int leader = std::countr_zero(x.active);
      x.d.fill(static_cast<uint64_t>(leader));
      x.p = 1u << leader;
      return;
    }
    case isa::Warp::matrix:
    case isa::Warp::none: return;  // bar.warp.sync
  }
}

// Lanes that name different masks in one instruction (the tiles of a warp) are as many exchanges as there are masks.
void compute_by_mask(const ir::Inst& inst, Exchange& x) {
  const LaneMask all = x.active, predicate = x.predicate;
  LaneMask p = 0;
  for (LaneMask rest = all; rest != 0; rest &= ~x.active) {
    const LaneMask mask = x.mask[static_cast<size_t>(std::countr_zero(rest))];
    LaneMask same = 0;
    for (LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      same |= x.mask[static_cast<size_t>(lane)] == mask ? 1u << lane : 0u;
    }
    if (same == all) {
      return compute(inst, x);
    }
    const auto before = x.d;
    x.active = same;
    x.predicate = predicate & same;
    x.p = 0;
    compute(inst, x);
    p |= x.p & same;
    for (LaneMask others = ~same; others != 0; others &= others - 1) {
      const auto other = static_cast<size_t>(std::countr_zero(others));
      x.d[other] = before[other];
    }
  }
  x.p = p;
}

}  // namespace

void WarpCollectives::exchange(std::span<const int> members) {
  Exchange x;
  const ir::Inst* first = nullptr;
  for (const int i : members) {
    current_ = i;
    const Group& g = groups_[static_cast<size_t>(i)];
    const ir::Inst& inst = g.frame->function->code[g.pc];
    first = first != nullptr ? first : &inst;
    const LaneMask lanes = g.sync_active;
    x.active |= lanes;
    const int mask = mask_operand(inst);
    for (LaneMask rest = mask >= 0 ? lanes : 0; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      x.mask[static_cast<size_t>(lane)] = value_u32(inst.src[static_cast<size_t>(mask)], lane);
    }
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const auto l = static_cast<size_t>(lane);
      if (inst.warp == isa::Warp::vote) {
        break;
      }
      x.a[l] = inst.warp != isa::Warp::none && inst.src[0] != isa::kNoSlot && inst.warp != isa::Warp::elect
                   ? value(inst.src[0], lane, inst.src_bytes)
                   : 0;
      if (inst.warp == isa::Warp::shfl) {
        x.b[l] = value_u32(inst.src[1], lane);
        x.c[l] = value_u32(inst.src[2], lane);
      }
    }
    if (inst.warp == isa::Warp::vote) {
      x.predicate |= (predicate(inst.src[0]) ^ ((inst.negate & 1) != 0 ? isa::kFullMask : 0u)) & lanes;
    }
  }
  if (Observer* observer = grid_->services_.observer; observer != nullptr && mask_operand(*first) >= 0) {
    std::vector<ObservedGroup> together;
    for (const int i : members) {
      together.push_back(observed_group(groups_[static_cast<size_t>(i)]));
    }
    observer->warp_synced(together, x.active, x.mask);
  }
  compute_by_mask(*first, x);
  for (const int i : members) {
    current_ = i;
    const Group& g = groups_[static_cast<size_t>(i)];
    const ir::Inst& inst = g.frame->function->code[g.pc];
    const LaneMask lanes = g.sync_active;
    const bool predicate_result = inst.warp == isa::Warp::vote && inst.type == isa::Ty::pred;
    if (predicate_result) {
      set_predicate(inst.dst[0], lanes, x.p);
    } else if (inst.warp != isa::Warp::none) {
      for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        set_value(inst.dst[0], lane, inst.dst_bytes, x.d[static_cast<size_t>(lane)]);
      }
      if (inst.dst[1] != isa::kNoSlot) {
        set_predicate(inst.dst[1], lanes, x.p);
      }
    }
  }
}

namespace {

bool all_equal(const uint32_t* lanes, LaneMask active) {
  const uint32_t first = lanes[std::countr_zero(active)];
  uint32_t difference = 0;
  for (uint32_t lane = 0; lane < isa::kWarpSize; ++lane) {
    difference |= (active >> lane & 1u) != 0 ? lanes[lane] ^ first : 0u;
  }
  return difference == 0;
}

// One value in all these lanes? A constant has.
bool same_in(LaneMask active, isa::Slot slot, const uint32_t* lanes) {
  return (slot & isa::kConstBit) != 0 || all_equal(lanes, active);
}

const uint32_t* words(const std::byte* regs, const std::byte* consts, isa::Slot slot) {
  return reinterpret_cast<const uint32_t*>(lane_values(regs, consts, slot));
}

}  // namespace

// The usual exchanges, of one group with one member mask, without the copies that several groups need: the same results
// as exchange(). False: it is another one.
bool WarpCollectives::exchange_alone(const ir::Inst& inst, const Group& group) {
  const LaneMask lanes = group.sync_active;
  const int mask = mask_operand(inst);
  std::byte* const regs = group.frame->regs;
  const auto source = [&](size_t i) { return words(regs, consts_, inst.src[i]); };
  if (grid_->services_.observer != nullptr || lanes == 0 ||
      (mask >= 0 && !same_in(lanes, inst.src[static_cast<size_t>(mask)], source(static_cast<size_t>(mask))))) {
    return false;
  }
  if (inst.warp == isa::Warp::none) {
    return true;  // bar.warp.sync
  }
  if (inst.warp == isa::Warp::shfl && inst.src_bytes == 4 && inst.dst_bytes == 4) {
    const bool uniform = same_in(lanes, inst.src[1], source(1)) && same_in(lanes, inst.src[2], source(2));
    const LaneMask in_range = shuffle_words(inst.mods.mode, lanes, uniform, source(0), source(1), source(2),
                                            reinterpret_cast<uint32_t*>(regs + inst.dst[0]));
    if (inst.dst[1] != isa::kNoSlot) {
      set_predicate(inst.dst[1], lanes, in_range);
    }
    return true;
  }
  if (inst.warp == isa::Warp::vote && inst.type == isa::Ty::pred) {
    Exchange x;
    x.active = lanes;
    x.predicate = (predicate(inst.src[0]) ^ ((inst.negate & 1) != 0 ? isa::kFullMask : 0u)) & lanes;
    vote(inst.mods.mode, x);
    set_predicate(inst.dst[0], lanes, x.p);
    return true;
  }
  return false;
}

// The current group, or several waiting groups, execute their instructions together.
void WarpCollectives::run_synced(std::span<const int> members, Effects* effects) {
  const Group& first = groups_[static_cast<size_t>(members.front())];
  const ir::Inst& inst = first.frame->function->code[first.pc];
  current_ = members.front();  // it may have been waiting while another group, or none, was current
  if (inst.warp == isa::Warp::matrix) {
    matrix_together(members, effects);
  } else if (members.size() > 1 || !exchange_alone(inst, first)) {
    exchange(members);
  }
  for (const int i : members) {
    Group& g = groups_[static_cast<size_t>(i)];
    g.wait = Wait::none;
    g.sync_active = 0;
    ++g.pc;
  }
  if (members.size() == 1) {
    current_ = members.front();
    arrive_if_joined();
    if (current_ < 0) {
      choose_group();
    }
    return;
  }
  // Any of them may stand at a meeting point now; the highest index first, so that indices below stay valid.
  std::vector<int> order(members.begin(), members.end());
  std::sort(order.rbegin(), order.rend());
  for (const int i : order) {
    if (i < static_cast<int>(groups_.size()) && groups_[static_cast<size_t>(i)].wait == Wait::none) {
      current_ = i;
      arrive_if_joined();
    }
  }
  choose_group();
}

void WarpCollectives::warp_op(const ir::Inst& inst, LaneMask active, Effects* effects) {
  Group& g = groups_[static_cast<size_t>(current_)];
  const int operand = mask_operand(inst);
  g.sync_active = active;
  if (operand < 0 && inst.warp != isa::Warp::matrix) {
    g.wait = Wait::warp_sync;
    const int alone = current_;
    return run_synced({&alone, 1}, effects);
  }
  const LaneMask members =
      operand < 0 ? isa::kFullMask : value_u32(inst.src[static_cast<size_t>(operand)], std::countr_zero(active));
  g.wait = Wait::warp_sync;
  g.sync_mask = members;
  // Lanes whose guard is false are at this pc and will not come: nobody waits for them.
  LaneMask covered = g.mask;
  if ((members & live_ & ~covered) == 0) {
    const int alone = current_;
    return run_synced({&alone, 1}, effects);
  }
  const std::vector<int> together = waiting_with(current_, covered);
  if ((members & live_ & ~covered) != 0) {
    choose_group();
    return;
  }
  run_synced(together, effects);
}

std::vector<int> WarpCollectives::waiting_with(int first, LaneMask& covered) const {
  const Group& g = groups_[static_cast<size_t>(first)];
  const ir::Inst& inst = g.frame->function->code[g.pc];
  std::vector<int> together = {first};
  covered = g.mask;
  for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
    const Group& other = groups_[static_cast<size_t>(i)];
    if (i != first && other.wait == Wait::warp_sync && other.sync_mask == g.sync_mask &&
        same_kind(other.frame->function->code[other.pc], inst)) {
      together.push_back(i);
      covered |= other.mask;
    }
  }
  return together;
}

// Executes a warp-wide instruction for which nobody is missing but lanes that have exited, and `absent` ones. False:
// there is none.
bool WarpCollectives::run_complete(LaneMask absent) {
  for (int i = static_cast<int>(groups_.size()) - 1; i >= 0; --i) {
    const Group& g = groups_[static_cast<size_t>(i)];
    if (g.wait != Wait::warp_sync) {
      continue;
    }
    LaneMask covered = 0;
    const std::vector<int> together = waiting_with(i, covered);
    if ((g.sync_mask & live_ & ~covered & ~absent) == 0) {
      run_synced(together, nullptr);
      return true;
    }
  }
  return false;
}

}  // namespace hpml::sim::exec
