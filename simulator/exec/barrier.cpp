// Block barriers (PTX ISA 9.0, 9.7.13.1): bar.sync, bar.arrive, bar.red, with Volta's rule that a warp has arrived when
// all its lanes that have not exited have.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {
constexpr int kPopc = 0, kAnd = 1;
}  // namespace

void WarpCollectives::block_barrier(const ir::Inst& inst, LaneMask active, Effects* effects) {
  const int lane = std::countr_zero(active);
  const uint32_t id = value_u32(inst.src[0], lane);
  if (id >= kBarriers) {
    return fail(TrapKind::illegal_instruction, fmt::format("barrier {}: there are 16", id), lane);
  }
  const uint32_t expected = inst.src[1] != isa::kNoSlot ? value_u32(inst.src[1], lane) : 0;
  if (effects != nullptr) {
    effects->barrier_id = static_cast<int>(id);
  }
  if (Observer* observer = grid_->services_.observer) {
    ObservedGroup arriving = observed_group(groups_[static_cast<size_t>(current_)]);
    arriving.barrier = static_cast<int>(id);
    observer->barrier_arrived(arriving, expected, inst.src[1] != isa::kNoSlot,
                              inst.control != isa::Control::bar_arrive);
  }
  if (inst.control == isa::Control::bar_arrive) {
    ++groups_[static_cast<size_t>(current_)].pc;
    arrive_if_joined();
    block_->warp_arrives(index_, static_cast<int>(id), expected, false);
    return;
  }
  Group& g = groups_[static_cast<size_t>(current_)];
  g.wait = Wait::block_barrier;
  g.sync_mask = id;
  g.sync_active = active;
  g.barrier_threads = expected;
  block_->used_barriers_ |= 1u << id;
  if (inst.control == isa::Control::bar_red) {
    const LaneMask yes = (predicate(inst.src[2]) ^ ((inst.negate & 4) != 0 ? isa::kFullMask : 0u)) & active;
    Barrier& barrier = block_->barrier(static_cast<int>(id));
    barrier.red_popc += static_cast<uint32_t>(std::popcount(yes));
    barrier.red_total += static_cast<uint32_t>(std::popcount(active));
  }
  choose_group();
  if (waits_at(static_cast<int>(id))) {
    block_->warp_arrives(index_, static_cast<int>(id), expected, true);
  }
}

std::optional<uint32_t> WarpCollectives::waits_at(int id) const {
  LaneMask arrived = 0;
  uint32_t threads = 0;
  for (const Group& g : groups_) {
    if (g.wait == Wait::block_barrier && g.sync_mask == static_cast<LaneMask>(id)) {
      arrived |= g.mask;
      threads = g.barrier_threads;
    }
  }
  if (live_ == 0 || (live_ & ~arrived) != 0) {
    return std::nullopt;
  }
  return threads;
}

void WarpCollectives::release_barrier(int id) {
  std::array<int, isa::kWarpSize> released;
  int count = 0;
  for (int i = 0; i < static_cast<int>(groups_.size()); ++i) {
    Group& g = groups_[static_cast<size_t>(i)];
    if (g.wait != Wait::block_barrier || g.sync_mask != static_cast<LaneMask>(id)) {
      continue;
    }
    const ir::Inst& inst = g.frame->function->code[g.pc];
    current_ = i;
    if (inst.control == isa::Control::bar_red) {
      const Barrier& barrier = block_->barrier(id);
      const bool all = barrier.red_popc == barrier.red_total, any = barrier.red_popc != 0;
      if (inst.mods.mode == kPopc) {
        set_all(inst.dst[0], g.sync_active, inst.dst_bytes, barrier.red_popc);
      } else {
        set_predicate(inst.dst[0], g.sync_active, (inst.mods.mode == kAnd ? all : any) ? isa::kFullMask : 0u);
      }
    }
    g.wait = Wait::none;
    ++g.pc;
    released[static_cast<size_t>(count++)] = i;
  }
  while (count > 0) {
    if (const int i = released[static_cast<size_t>(--count)]; i < static_cast<int>(groups_.size())) {
      current_ = i;
      arrive_if_joined();
    }
  }
  choose_group();
  let_stalled_go_on();
}

void BlockImpl::warp_arrives(int warp, int id, uint32_t expected_threads, bool waits) {
  Barrier& b = barrier(id);
  b.expected_threads = expected_threads;
  b.warps |= waits ? uint64_t{1} << warp : 0;
  b.arrivals += 1;
  used_barriers_ |= 1u << id;
  check_barrier(id);
}

bool BlockImpl::check_barrier(int id) {
  const Barrier& b = barrier(id);
  const int live = warp_count_ - finished_warps_;
  const int wanted = b.expected_threads == 0 ? live : static_cast<int>((b.expected_threads + 31) / 32);
  if (b.arrivals == 0 || b.arrivals < wanted) {
    return false;
  }
  release(id);
  return true;
}

void BlockImpl::check_barriers() {
  for (uint32_t rest = used_barriers_; rest != 0; rest &= rest - 1) {
    const int id = std::countr_zero(rest);
    if (check_barrier(id)) {
      continue;
    }
    // Lanes that exited after the others of their warp had arrived complete that warp's arrival.
    for (int w = 0; w < warp_count_; ++w) {
      if ((barrier(id).warps >> w & 1) != 0) {
        continue;
      }
      if (const std::optional<uint32_t> threads = warps_[static_cast<size_t>(w)]->waits_at(id)) {
        warp_arrives(w, id, *threads, true);
        return check_barriers();
      }
    }
  }
}

void BlockImpl::release(int id) {
  Barrier& b = barrier(id);
  const uint64_t warps = b.warps;
  if (grid_->services_.observer != nullptr) {
    std::vector<ObservedGroup> waiting;
    for (int w = 0; w < warp_count_; ++w) {
      if ((warps >> w & 1) != 0) {
        warps_[static_cast<size_t>(w)]->append_waiting(waiting);
      }
    }
    grid_->services_.observer->barrier_opens(handle_, id, waiting, b.expected_threads != 0);
  }
  uint64_t cycles = 0;
  for (int w = 0; w < warp_count_; ++w) {
    cycles = (warps >> w & 1) != 0 ? std::max(cycles, warps_[static_cast<size_t>(w)]->cycles()) : cycles;
  }
  for (int w = 0; w < warp_count_; ++w) {
    if ((warps >> w & 1) != 0) {
      warps_[static_cast<size_t>(w)]->wait_until(cycles);
      warps_[static_cast<size_t>(w)]->release_barrier(id);
    }
  }
  released_ |= warps;
  b = {};
}

void BlockImpl::warp_finished() {
  ++finished_warps_;
  check_barriers();
}

}  // namespace hpml::sim::exec
