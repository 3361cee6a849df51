// The way from a block to the shared memory of another of its cluster.
#include <fmt/format.h>

#include <bit>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

// What an address in the shared window of the cluster names: the block, by rank, if any.
uint64_t rank_field(uint64_t address) { return address >> isa::kSharedRankShift; }

}  // namespace

// The address of the block's own memory as every block of the cluster may use it. Without explicit clusters it stays as
// it is: no other block can use it.
uint64_t WarpMemory::in_cluster(uint64_t own) const {
  const bool named = grid_->launch_.explicit_cluster && rank_field(own) == 0;
  return named ? own | uint64_t{block_->rank_ + 1} << isa::kSharedRankShift : own;
}

uint64_t WarpMemory::in_block(uint64_t address) const {
  return rank_field(address) == uint64_t{block_->rank_} + 1 ? address & isa::kSharedOffsetMask : address;
}

uint32_t WarpMemory::cta_rank(uint64_t address) const {
  const uint64_t field = rank_field(address & 0xffff'ffff);
  return field == 0 ? block_->rank_ : static_cast<uint32_t>(field - 1);
}

// The same place in the memory of the block of this rank.
uint64_t WarpMemory::at_rank(uint64_t address, uint32_t rank) {
  return (address & isa::kSharedOffsetMask) | uint64_t{rank + 1} << isa::kSharedRankShift;
}

// The block whose shared memory the address names. Null, with the reason in `why`, where that block does not exist or
// has ended.
BlockImpl* WarpMemory::owner_of(uint64_t address, std::string& why) const {
  const std::vector<BlockImpl*>& blocks = block_->cluster_->blocks;
  const uint64_t field = rank_field(address);
  if (field == 0) {
    return block_;
  }
  if (field > blocks.size()) {
    why = fmt::format("the shared memory of block rank {}: the cluster has {} {}", field - 1, blocks.size(),
                      blocks.size() == 1 ? "block" : "blocks");
    return nullptr;
  }
  BlockImpl* const owner = blocks[field - 1];
  if (owner == nullptr || owner->finished()) {
    why = fmt::format(
        "the shared memory of block rank {}, which has ended: it must wait for those that use its memory "
        "(cluster.sync() before it returns)",
        field - 1);
    return nullptr;
  }
  return owner;
}

std::byte* WarpMemory::shared_at(uint64_t address, uint64_t bytes) const {
  std::string why;
  BlockImpl* const owner = owner_of(address, why);
  const uint64_t offset = address & isa::kSharedOffsetMask;
  return owner != nullptr && offset + bytes <= owner->shared_.size() ? owner->shared_.data() + offset : nullptr;
}

// The block whose memory each lane of the access in address_ names. Where there is no such block the access traps
// (result false), or, under an observer that holds such lanes back, these leave `active`.
bool WarpMemory::find_owners(const ir::Inst& inst, LaneMask& active, Owners& owner, Places& place) {
  const bool own_only = inst.mods.space == isa::Space::shared && !inst.mods.of_cluster;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    BlockImpl*& block = owner[static_cast<size_t>(lane)];
    std::string why;
    block = owner_of(address_[static_cast<size_t>(lane)], why);
    if (block != nullptr && block != block_ && own_only) {
      why = "the shared memory of another block by an instruction for the own one (.shared, not .shared::cluster)";
      block = nullptr;
    }
    if (block != nullptr) {
      continue;
    }
    const SharedMemory none;
    if (grid_->services_.observer != nullptr && observed(inst, 1u << lane, isa::Space::shared, place, &none) == 0) {
      active &= ~(1u << lane);
      continue;
    }
    fail(TrapKind::shared_out_of_bounds,
         fmt::format("{}-byte {} {}", access_bytes(inst), is_write(inst) ? "write to" : "read of", why), lane);
    return false;
  }
  return true;
}

// The access in address_, some of whose lanes name a block. Leaves offsets there.
bool WarpMemory::cluster_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
  Owners owner = {};
  if (!find_owners(inst, active, owner, place)) {
    return false;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    address_.set(lane, address_[lane] & isa::kSharedOffsetMask);
  }
  if (active != 0 && !aligned(inst, active, isa::Space::shared)) {
    return false;
  }
  LaneMask done = 0, remote = 0;
  for (LaneMask rest = active; rest != 0;) {
    BlockImpl& block = *owner[static_cast<size_t>(std::countr_zero(rest))];
    LaneMask lanes = 0;
    for (LaneMask same = rest; same != 0; same &= same - 1) {
      const int lane = std::countr_zero(same);
      lanes |= owner[static_cast<size_t>(lane)] == &block ? 1u << lane : 0u;
    }
    rest &= ~lanes;
    if (grid_->services_.observer != nullptr) {
      const SharedMemory theirs{block.handle_, block.shared_};
      lanes = observed(inst, lanes, isa::Space::shared, place, &theirs);
    }
    if (!places_in(block, inst, lanes, place)) {
      return false;
    }
    done |= lanes;
    remote |= &block != block_ ? lanes : 0u;
  }
  if (done != 0) {
    count_shared(inst, done, effects);
  }
  if (done != 0 && effects != nullptr) {
    effects->access.remote = remote;
  }
  return true;
}

}  // namespace hpml::sim::exec
