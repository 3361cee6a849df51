#include "simulator/sanitize/synccheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/sanitize/control_flow.hpp"

namespace hpml::sim::sanitize {
namespace {

bool same_block(const exec::ObservedGroup& a, const exec::ObservedGroup& b) { return a.block == b.block; }

isa::LaneMask lanes_of_warp(const exec::ObservedBlock& block, int warp) {
  const uint32_t left = block.threads - static_cast<uint32_t>(warp) * isa::kWarpSize;
  return left >= isa::kWarpSize ? isa::kFullMask : (1u << left) - 1;
}

// bar.sync and barrier.sync.aligned want the lanes of a warp at one instruction; the others may come apart.
bool is_aligned(const ir::Inst& inst) {
  if (inst.variant == nullptr || inst.variant->spec->mnemonic != "barrier") {
    return true;
  }
  return inst.variant->spec->fixed.find("aligned") != std::string_view::npos;
}

constexpr const char* kDivergenceHint =
    "every thread of the block that has not returned must reach the same __syncthreads()";

}  // namespace

void Synccheck::begin_launch() {
  blocks_.clear();
  behind_.clear();
}

void Synccheck::block_started(const exec::ObservedBlock& info) {
  const auto at = static_cast<size_t>(info.handle);
  if (at >= blocks_.size()) {
    blocks_.resize(at + 1);
  }
  const size_t threads = static_cast<size_t>(info.warps) * isa::kWarpSize;
  blocks_[at].last_access.assign(threads, nullptr);
  blocks_[at].function.assign(threads, nullptr);
}

void Synccheck::access(const exec::ObservedAccess& access) {
  Block& block = blocks_[static_cast<size_t>(access.block)];
  const size_t first = static_cast<size_t>(access.warp) * isa::kWarpSize;
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const size_t thread = first + static_cast<size_t>(std::countr_zero(rest));
    block.last_access[thread] = access.at;
    block.function[thread] = access.function;
  }
}

bool Synccheck::went_around(const ir::Function& function, const ir::Inst& barrier, const Block& block,
                            uint32_t thread) {
  const ir::Inst* last = block.last_access[thread];
  if (last == nullptr || block.function[thread] != &function) {
    return false;
  }
  const auto [it, fresh] = behind_.try_emplace({&barrier, last}, false);
  if (fresh) {
    const ir::Inst* first = function.code.data();
    it->second = lies_behind(function, static_cast<ir::Pc>(&barrier - first), static_cast<ir::Pc>(last - first));
  }
  return it->second;
}

void Synccheck::report(Kind kind, const exec::ObservedGroup& group, uint32_t thread, std::string message,
                       std::string hint) {
  if (!findings_.is_new(kind, launch_.anchor(*group.function, *group.inst))) {
    return;
  }
  Finding finding;
  finding.kind = kind;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  finding.kernel = launch_.kernel();
  finding.threads = {launch_.place(group.block, thread, *group.function, *group.inst)};
  findings_.add(std::move(finding));
}

void Synccheck::barrier_arrived(const exec::ObservedGroup& group, uint32_t threads, bool counted) {
  const uint32_t in_block = launch_.block(group.block).threads;
  const uint32_t rounded = (in_block + isa::kWarpSize - 1) / isa::kWarpSize * isa::kWarpSize;
  if (!counted || (threads % isa::kWarpSize == 0 && threads != 0 && threads <= rounded)) {
    return;
  }
  const uint32_t thread = launch_.thread_index(group.warp, std::countr_zero(group.lanes));
  const char* why = threads > rounded ? "more than the block has" : "not a multiple of the warp size";
  report(Kind::barrier_thread_count, group, thread,
         fmt::format("barrier {} is given {} threads: {}", group.barrier, threads, why),
         fmt::format("the count must be a multiple of 32, at most the {} threads of the block", in_block));
}

void Synccheck::barrier_opens(int block, std::span<const exec::ObservedGroup> waited, bool counted) {
  std::array<isa::LaneMask, 32> arrived = {};
  const exec::ObservedGroup* previous = nullptr;
  for (const exec::ObservedGroup& group : waited) {
    const bool same_warp = previous != nullptr && previous->warp == group.warp;
    if (same_warp && previous->inst != group.inst && is_aligned(*group.inst) && is_aligned(*previous->inst)) {
      report(Kind::divergent_barrier_in_warp, group, launch_.thread_index(group.warp, std::countr_zero(group.lanes)),
             fmt::format("lanes {:#010x} and {:#010x} of a warp meet at different barrier instructions",
                         previous->lanes, group.lanes),
             kDivergenceHint);
    }
    arrived[static_cast<size_t>(group.warp)] |= group.lanes;
    previous = &group;
  }
  if (counted || waited.empty() || !is_aligned(*waited[0].inst)) {
    return;
  }
  // Who is missing has exited; it may have come past the barrier on its way.
  const exec::ObservedBlock& info = launch_.block(block);
  const Block& state = blocks_[static_cast<size_t>(block)];
  for (int warp = 0; warp < info.warps; ++warp) {
    const isa::LaneMask missing = lanes_of_warp(info, warp) & ~arrived[static_cast<size_t>(warp)];
    for (isa::LaneMask rest = missing; rest != 0; rest &= rest - 1) {
      const uint32_t thread = launch_.thread_index(warp, std::countr_zero(rest));
      if (went_around(*waited[0].function, *waited[0].inst, state, thread)) {
        const bool in_warp = arrived[static_cast<size_t>(warp)] != 0;
        return report(in_warp ? Kind::divergent_barrier_in_warp : Kind::divergent_barrier_in_block, waited[0],
                      launch_.thread_index(waited[0].warp, std::countr_zero(waited[0].lanes)),
                      fmt::format("barrier in divergent code: thread {} of the block went around it", thread),
                      kDivergenceHint);
      }
    }
  }
}

void Synccheck::check_masks(const exec::ObservedGroup& group, isa::LaneMask lanes,
                            const std::array<isa::LaneMask, 32>& masks) {
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const isa::LaneMask mask = masks[static_cast<size_t>(lane)];
    if ((mask >> lane & 1) == 0) {
      return report(Kind::mask_without_caller, group, launch_.thread_index(group.warp, lane),
                    fmt::format("the mask {:#010x} does not name lane {}, which executes the instruction", mask, lane),
                    "a thread must be named in the mask it passes");
    }
  }
}

void Synccheck::warp_synced(std::span<const exec::ObservedGroup> groups, isa::LaneMask together,
                            const std::array<isa::LaneMask, 32>& masks) {
  const exec::ObservedGroup& first = groups[0];
  for (const exec::ObservedGroup& group : groups) {
    check_masks(group, group.lanes & together, masks);
  }
  const isa::LaneMask mask = masks[static_cast<size_t>(std::countr_zero(together))];
  isa::LaneMask here = 0;
  for (const exec::ObservedGroup& group : groups) {
    here |= group.lanes;
  }
  if (const isa::LaneMask absent = mask & first.live & ~here; absent != 0) {
    return report(Kind::mask_lane_missing, first, launch_.thread_index(first.warp, std::countr_zero(together)),
                  fmt::format("the mask {:#010x} names lanes that never come: {:#010x}", mask, absent),
                  "name only the lanes that execute the instruction");
  }
  const isa::LaneMask gone = mask & lanes_of_warp(launch_.block(first.block), first.warp) & ~first.live;
  const Block& state = blocks_[static_cast<size_t>(first.block)];
  for (isa::LaneMask rest = gone; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (went_around(*first.function, *first.inst, state, launch_.thread_index(first.warp, lane))) {
      return report(Kind::mask_lane_missing, first, launch_.thread_index(first.warp, std::countr_zero(together)),
                    fmt::format("the mask {:#010x} names lane {}, which went around the instruction", mask, lane),
                    "name only the lanes that execute it: __ballot_sync() before the branch gives them");
    }
  }
}

// Some lanes wait for others that never come: which barrier, and who is missing.
void Synccheck::report_missing(const exec::ObservedGroup& group, const std::array<isa::LaneMask, 32>& arrived) {
  const uint32_t thread = launch_.thread_index(group.warp, std::countr_zero(group.lanes));
  if (group.barrier < 0) {
    const isa::LaneMask missing = group.members & group.live & ~group.lanes;
    return report(Kind::mask_lane_missing, group, thread,
                  fmt::format("the mask {:#010x} names lanes that never come: {:#010x}", group.members, missing),
                  "name only the lanes that execute the instruction");
  }
  constexpr int kClusterBarrier = 16;
  if (group.barrier == kClusterBarrier) {
    return report(Kind::divergent_barrier_in_block, group, thread,
                  "other threads of the cluster never arrive at its barrier",
                  "every thread of the cluster that has not returned must reach cluster.sync()");
  }
  const isa::LaneMask missing = group.live & ~arrived[static_cast<size_t>(group.warp)];
  if (missing != 0) {
    return report(Kind::divergent_barrier_in_warp, group, thread,
                  fmt::format("barrier in divergent code: lanes {:#010x} of the warp never reach it", missing),
                  kDivergenceHint);
  }
  report(Kind::divergent_barrier_in_block, group, thread,
         "barrier in divergent code: other warps of the block never reach it", kDivergenceHint);
}

void Synccheck::deadlocked(std::span<const exec::ObservedGroup> waiting) {
  for (size_t begin = 0; begin < waiting.size();) {
    size_t end = begin;
    while (end < waiting.size() && same_block(waiting[begin], waiting[end])) {
      ++end;
    }
    const auto block = waiting.subspan(begin, end - begin);
    for (const exec::ObservedGroup& group : block) {
      std::array<isa::LaneMask, 32> arrived = {};
      for (const exec::ObservedGroup& other : block) {
        arrived[static_cast<size_t>(other.warp)] |= other.barrier == group.barrier ? other.lanes : 0;
      }
      report_missing(group, arrived);
    }
    begin = end;
  }
}

}  // namespace hpml::sim::sanitize
