// What an observer is told (observer.hpp), and what becomes of lanes that it holds back.
#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

// Tells the observer of the access in address_; returns the lanes that go on. The others are led to a place of no
// meaning, zero where they read, and the first of them becomes the launch's fault, in the words its space has for it.
LaneMask WarpMemory::observed(const ir::Inst& inst, LaneMask active, isa::Space space, Places& place,
                              const SharedMemory* of_cluster) {
  if (grid_->holding_back_) {
    return active;
  }
  const Group& group = groups_[static_cast<size_t>(current_)];
  const Frame& frame = *group.frame;
  ObservedAccess access;
  access.function = frame.function;
  access.at = &frame.function->code[group.pc];
  access.inst = &inst;
  access.block = block_->handle_;
  access.warp = index_;
  access.space = space;
  access.active = active;
  access.bytes = access_bytes(inst);
  access.address = address_.values().data();
  access.owner = of_cluster != nullptr ? of_cluster->owner : block_->handle_;
  access.shared = of_cluster != nullptr ? of_cluster->bytes : block_->shared_;
  access.local_bytes = grid_->local_bytes_;
  access.stored_bytes = inst.src_bytes;
  const bool plain_store = inst.mem == isa::Mem::st && access.at == &inst;
  for (size_t i = 0; plain_store && i < inst.mods.vec && i < access.stored.size(); ++i) {
    const isa::Slot slot = inst.src[i];
    access.stored[i] = (slot & isa::kConstBit) != 0 ? consts_ + (slot & ~isa::kConstBit) : frame.regs + slot;
  }
  const LaneMask allowed = grid_->services_.observer->access(access) & active;
  const LaneMask held = active & ~allowed;
  if (held == 0) {
    return allowed;
  }
  hold_back(inst, held & (~held + 1), space);
  grid_->nowhere_.fill(std::byte{0});
  for (LaneMask rest = held; rest != 0; rest &= rest - 1) {
    place[static_cast<size_t>(std::countr_zero(rest))] = grid_->nowhere_.data();
  }
  return allowed;
}

void WarpMemory::hold_back(const ir::Inst& inst, LaneMask lane, isa::Space space) {
  if (grid_->has_held_trap()) {
    return;
  }
  const auto before = address_;
  Places unused;
  grid_->holding_back_ = true;
  switch (space) {
    case isa::Space::shared: shared_places(inst, lane, nullptr, unused); break;
    case isa::Space::local: local_places(inst, lane, nullptr, unused); break;
    case isa::Space::generic:
    case isa::Space::global:
    case isa::Space::constant:
    case isa::Space::param: global_places(inst, lane, nullptr, unused); break;
  }
  grid_->holding_back_ = false;
  address_ = before;
}

void WarpMemory::note_written(uint64_t address, uint64_t bytes) {
  if (Observer* observer = grid_->services_.observer; observer == nullptr) {
    return;
  } else if (address < isa::kSharedWindow) {
    observer->written(block_->handle_, isa::Space::global, address, bytes);
  } else if (address < isa::kSharedWindow + isa::kSharedWindowSize) {
    std::string why;
    if (const BlockImpl* owner = owner_of(address - isa::kSharedWindow, why); owner != nullptr) {
      observer->written(owner->handle_, isa::Space::shared, address & isa::kSharedOffsetMask, bytes);
    }
  }
}

ObservedGroup WarpMemory::observed_group(const Group& group) const {
  ObservedGroup out;
  out.function = group.frame->function;
  out.inst = &group.frame->function->code[group.pc];
  out.block = block_->handle_;
  out.warp = index_;
  out.lanes = group.mask;
  out.live = live_;
  out.barrier = group.wait == Wait::block_barrier ? static_cast<int>(group.sync_mask) : -1;
  out.members = group.wait == Wait::warp_sync ? group.sync_mask : 0;
  return out;
}

void WarpMemory::append_waiting(std::vector<ObservedGroup>& out) const {
  for (const Group& group : groups_) {
    if (group.wait != Wait::none) {
      out.push_back(observed_group(group));
    }
  }
}

void GridImpl::report_deadlock() {
  if (services_.observer == nullptr) {
    return;
  }
  std::vector<ObservedGroup> waiting;
  for (const auto& block : blocks_) {
    for (int w = 0; block->in_use_ && w < block->warp_count(); ++w) {
      block->warps_[static_cast<size_t>(w)]->append_waiting(waiting);
    }
  }
  services_.observer->deadlocked(waiting);
}

}  // namespace hpml::sim::exec
