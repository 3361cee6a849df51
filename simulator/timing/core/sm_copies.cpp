// Asynchronous copies of a warp (cp.async): which are under way, and which of them the next instruction waits for.
#include "simulator/timing/core/sm.hpp"

namespace hpml::sim::timing {

// When the copies are there that the next instruction waits for: all of them (wait_all, an arrival on behalf of the
// copies), or those of all but the newest groups (PTX ISA 9.0, 9.7.9.25.3). Cycle 0: it waits for none.
Cycle Sm::copies_awaited(const WarpState& w) const {
  const ir::Inst& inst = *w.next;
  const bool wait = inst.control == isa::Control::copy_group && inst.mods.mode == isa::kWaitGroup;
  const bool all = (inst.control == isa::Control::copy_group && inst.mods.mode == isa::kWaitAll) ||
                   (inst.control == isa::Control::mbarrier && inst.variant->mbarrier == isa::Mbarrier::copies_arrive);
  Cycle arrived;
  for (const CopyInFlight& copy : w.copies) {
    const bool old = copy.group < w.open_group && w.open_group - copy.group > inst.extra;
    arrived = all || (wait && old) ? later(arrived, copy.ready) : arrived;
  }
  return arrived;
}

void Sm::track_copies(WarpState& w, uint32_t load, Cycle now) {
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
  }
}

}  // namespace hpml::sim::timing
