#include "simulator/debug/write_watch.hpp"

#include <bit>

namespace hpml::sim::debug {
namespace {

const char* watched_space(isa::Space space) {
  return space == isa::Space::shared ? "shared" : space == isa::Space::local ? "local" : "global";
}

}  // namespace

isa::LaneMask WriteWatch::access(const exec::ObservedAccess& access) {
  const bool writes = access.inst->mem != isa::Mem::ld && access.inst->mem != isa::Mem::prefetch;
  if (!writes || place_.space != watched_space(access.space)) {
    return access.active;
  }
  if (place_.space == "shared" && block_id_(access.owner) != place_.block) {
    return access.active;
  }
  const bool local = place_.space == "local";
  if (local && (block_id_(access.block) != place_.block || access.warp != place_.warp)) {
    return access.active;
  }
  for (isa::LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (overlaps(access.address[lane], access.bytes) && (!local || lane == place_.lane)) {
      lane_ = lane;
    }
  }
  return access.active;
}

void WriteWatch::written(int block, isa::Space space, uint64_t address, uint64_t bytes) {
  const bool same_memory =
      place_.space == watched_space(space) && (space != isa::Space::shared || block_id_(block) == place_.block);
  if (same_memory && overlaps(address, bytes)) {
    lane_ = std::max(lane_, 0);
  }
}

}  // namespace hpml::sim::debug
