// Steps of a whole warp or block: until each of its threads has made the step, from where it stood.
#include <algorithm>

#include "simulator/debug/explorer.hpp"

namespace hpml::sim::debug {
namespace {

constexpr uint64_t kLook = 1000;  // instructions between looks at whether the user wants us to pause

}  // namespace

// The lanes of each group, before their step.
std::vector<Explorer::Walker> Explorer::walkers(Party party) {
  const exec::WarpRef own = inspector_.thread().warp;
  const auto block = inspector_.own_block();
  std::vector<Walker> out;
  for (int warp = 0; block && warp < block->warps; ++warp) {
    const exec::WarpRef ref{own.block, warp};
    if (party != Party::block && ref != own) {
      continue;
    }
    for (const exec::LaneGroup& group : stepper_->groups(ref)) {
      out.push_back({.warp = ref,
                     .lanes = group.lanes,
                     .depth = group.calls.size(),
                     .line = inspector_.map().source(group.calls.front().place),
                     .after_barrier = group.waits == exec::Waits::barrier});
    }
  }
  return out;
}

// Takes away the lanes that have made the step.
void Explorer::take_arrived(Step step, const exec::NextInst& next, std::vector<Walker>& rest) {
  for (Walker& one : rest) {
    if (one.warp == next.warp && (one.lanes & next.lanes) != 0) {
      const bool there = step_made(step, one, next) && one.moved;
      one.moved = true;
      one.lanes &= there ? ~next.lanes : ~isa::LaneMask{0};
    }
  }
}

// Takes away the lanes whose barrier has opened. All of them count at that moment, although the executor then runs
// their warps one at a time.
void Explorer::take_released(const exec::NextInst& next, std::vector<Walker>& rest) {
  for (Walker& one : rest) {
    for (const exec::LaneGroup& group :
         one.after_barrier ? stepper_->groups(one.warp) : std::vector<exec::LaneGroup>{}) {
      one.lanes &= group.waits != exec::Waits::barrier ? ~group.lanes : ~isa::LaneMask{0};
    }
  }
  for (size_t i = 0, known = rest.size(); i < known && is_barrier(next.inst()); ++i) {
    Walker& one = rest[i];
    if (one.warp == next.warp && !one.after_barrier && (one.lanes & next.lanes) != 0) {
      Walker waits = one;  // the other lanes have not come here
      waits.lanes &= next.lanes;
      waits.after_barrier = true;
      one.lanes &= ~next.lanes;
      rest.push_back(waits);
    }
  }
}

Json Explorer::go_together(const Request& request) {
  const auto block = inspector_.own_block();
  const Thread focus = inspector_.thread();
  std::vector<Walker> rest = walkers(request.party);
  for (uint64_t executed = 1;; ++executed) {
    const auto next = stepper_->next();
    if (!next) {
      return ended();
    }
    const bool block_there = block && inspector_.block(block->id).has_value();
    for (Walker& one : rest) {
      one.lanes &= block_there ? stepper_->live_lanes(one.warp) : 0;
    }
    if (block_there && request.step == Step::barrier) {
      take_released(*next, rest);
    } else if (block_there) {
      take_arrived(request.step, *next, rest);
    }
    std::erase_if(rest, [](const Walker& one) { return one.lanes == 0; });
    if (!block_there || rest.empty()) {
      const bool lives = block_there && (stepper_->live_lanes(focus.warp) >> focus.lane & 1) != 0;
      return lives ? stopped("step", focus)
                   : stopped("exited", next_thread(),
                             {{"text", "the thread has finished; the focus is on the next one that runs"}});
    }
    if (auto change = step_and_watch(*next)) {
      return *change;
    }
    if (executed % kLook == 0 && channel_.readable(0)) {
      channel_.poll();
      if (!channel_.open()) {
        _exit(0);
      }
      return stopped("pause", next_thread());
    }
  }
}

}  // namespace hpml::sim::debug
