// Asynchronous copies (cp.async, cp.async.bulk): which are under way, and which of them the next instruction waits for.
#include <algorithm>

#include "simulator/timing/core/sm.hpp"

namespace hpml::sim::timing {

// When the copies are there that the next instruction waits for: all of them (wait_all), or those of all but the newest
// groups (PTX ISA 9.0, 9.7.9.25.3); and those that the mbarrier waited for whose phase the warp has found over
// (9.7.13.15). Cycle 0: it waits for none.
Cycle Sm::copies_awaited(const WarpState& w) const {
  const ir::Inst& inst = *w.next;
  const bool wait = inst.control == isa::Control::copy_group && inst.mods.mode == isa::kWaitGroup;
  const bool all = inst.control == isa::Control::copy_group && inst.mods.mode == isa::kWaitAll;
  Cycle arrived;
  for (const CopyInFlight& copy : w.copies) {
    const bool old = copy.group < w.open_group && w.open_group - copy.group > inst.extra;
    arrived = all || (wait && old) ? later(arrived, copy.ready) : arrived;
  }
  for (const BarrierCopy& copy : barrier_copies_) {
    const bool awaited = w.mbarrier != nullptr && copy.mbarrier == w.mbarrier && copy.order < w.awaits;
    arrived = awaited ? later(arrived, copy.ready) : arrived;
  }
  return arrived;
}

void Sm::track_copies(WarpState& w, uint32_t load, Cycle now) {
  w.mbarrier = nullptr;  // it has waited
  for (int i = 0; i < effects_.range_count; ++i) {
    const exec::BulkRange& range = effects_.ranges[static_cast<size_t>(i)];
    if (range.mbarrier != nullptr) {
      add_barrier_copy(range.mbarrier, load, kNever, now);
    }
  }
  if (effects_.copy == exec::CopyStep::none) {
    return;
  }
  std::erase_if(w.copies, [now](const CopyInFlight& copy) { return copy.ready <= now; });
  switch (effects_.copy) {
    case exec::CopyStep::none: return;
    case exec::CopyStep::commit: ++w.open_group; return;
    case exec::CopyStep::copy:
      if (load != Lsu::kNoLoad) {
        w.copies.push_back({load, w.open_group});
      }
      return;
    case exec::CopyStep::arrival:
      for (const CopyInFlight& copy : w.copies) {
        add_barrier_copy(effects_.mbarrier, copy.load, copy.ready, now);
      }
      return;
    case exec::CopyStep::awaited:
      w.mbarrier = effects_.mbarrier;
      w.awaits = next_copy_;
      return;
  }
}

void Sm::add_barrier_copy(const std::byte* mbarrier, uint32_t load, Cycle ready, Cycle now) {
  std::erase_if(barrier_copies_, [now](const BarrierCopy& copy) { return copy.ready <= now; });
  barrier_copies_.push_back({mbarrier, load, next_copy_++, ready});
}

void Sm::barrier_copy_done(uint32_t load, Cycle when) {
  for (BarrierCopy& copy : barrier_copies_) {
    if (copy.load != load || copy.ready != kNever) {
      continue;
    }
    copy.ready = when;
    for (size_t slot = 0; slot < warps_.size(); ++slot) {
      if (warps_[slot].mbarrier == copy.mbarrier) {
        wake(static_cast<int>(slot), when);
      }
    }
  }
}

}  // namespace hpml::sim::timing
