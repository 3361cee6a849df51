// cp.async (PTX ISA 9.0, 9.7.9.25.3): the data moves at once; Effects tell the timing model that it is still under way.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

// Sources: src[0] the address in shared memory (plus Inst::extra), src[1] the bytes to read of Inst::elem_bytes, the
// rest being zeros, src[2] a predicate: read nothing.
constexpr size_t kDestination = 0, kSourceBytes = 1, kIgnore = 2;
// Of a bulk copy: src[2] the address of the mbarrier that counts its bytes, plus src[3].
constexpr size_t kBarrier = 2, kBarrierOffset = 3;
// ... and src[4] the blocks of the cluster it goes to, a bit by rank; each its own place and its own mbarrier.
constexpr size_t kBlocks = 4;
constexpr size_t kLargest = 16;

// Some bytes of a bulk copy: moved, or combined element by element with what is there. A sum of f32, which only global
// memory takes, flushes subnormals there.
void bring(const ir::Inst& inst, std::byte* to, const std::byte* from, size_t bytes) {
  if (inst.variant->rmw == nullptr) {
    std::memcpy(to, from, bytes);
    return;
  }
  constexpr uint64_t kFlush = 1;
  for (size_t at = 0; at < bytes; at += inst.elem_bytes) {
    uint64_t old = 0, operand = 0;
    std::memcpy(&old, to + at, inst.elem_bytes);
    std::memcpy(&operand, from + at, inst.elem_bytes);
    const uint64_t now = inst.variant->rmw(old, operand, kFlush);
    std::memcpy(to + at, &now, inst.elem_bytes);
  }
}

}  // namespace

void WarpCollectives::copy_async(const ir::Inst& inst, LaneMask active, Effects* effects) {
  const uint32_t bytes = inst.elem_bytes;
  LaneMask ignored = 0;
  if (inst.src[kIgnore] != isa::kNoSlot) {
    ignored = predicate(inst.src[kIgnore]) ^ ((inst.negate & 1u << kIgnore) != 0 ? isa::kFullMask : 0u);
  }
  std::array<uint32_t, 32> wanted{};
  LaneMask whole = 0, part = 0;
  for (LaneMask rest = active & ~ignored; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint32_t& n = wanted[static_cast<size_t>(lane)];
    n = inst.src[kSourceBytes] == isa::kNoSlot ? bytes : std::min(value_u32(inst.src[kSourceBytes], lane), bytes);
    (n == bytes ? whole : part) |= n == 0 ? 0u : 1u << lane;
  }
  std::array<std::array<std::byte, kLargest>, 32> data{};
  Places from;
  set_addresses(inst, active);
  const auto source = address_;
  ir::Inst read = plain_access(inst, isa::Mem::ld, bytes);
  if (whole != 0 && !find_places(read, whole, effects, from)) {
    return;
  }
  for (LaneMask rest = part; rest != 0; rest &= rest - 1) {  // fewer bytes: they alone must be there
    const int lane = std::countr_zero(rest);
    const uint64_t a = source[static_cast<size_t>(lane)];
    from[static_cast<size_t>(lane)] = data_at(a, lane, wanted[static_cast<size_t>(lane)]);
    if (a % bytes != 0 || from[static_cast<size_t>(lane)] == nullptr) {
      return fail(a % bytes != 0 ? TrapKind::misaligned_address : TrapKind::illegal_address,
                  fmt::format("cp.async reads {} bytes of global memory", wanted[static_cast<size_t>(lane)]), lane, a);
    }
  }
  for (LaneMask rest = whole | part; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    std::memcpy(data[lane].data(), from[lane], wanted[lane]);
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    address_.set(static_cast<size_t>(lane), value(inst.src[kDestination], lane, inst.src_bytes) + inst.extra);
  }
  ir::Inst write = plain_access(inst, isa::Mem::st, bytes);
  write.mods.space = isa::Space::shared;
  Places to;
  if (!find_places(write, active, nullptr, to)) {
    return;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    std::memcpy(const_cast<std::byte*>(to[lane]), data[lane].data(), bytes);
  }
  if (effects != nullptr) {
    effects->copy = CopyStep::copy;
  }
}

// cp.async.bulk: one thread copies a contiguous range. In 16-byte pieces of 32 lanes, as wide as a plain access can be.
bool WarpCollectives::copy_bulk_lane(const ir::Inst& inst, int lane, Effects* effects) {
  if (inst.matrix != nullptr) {
    return copy_tensor_lane(inst, lane, effects);
  }
  const bool to_shared = inst.src[kBarrier] != isa::kNoSlot;
  const uint64_t from = address_[static_cast<size_t>(lane)];
  const uint64_t to = value(inst.src[kDestination], lane, inst.src_bytes) + inst.extra;
  const uint64_t barrier =
      to_shared ? value(inst.src[kBarrier], lane, inst.dst_bytes) + value(inst.src[kBarrierOffset], lane, 8) : 0;
  count_bulk(inst, lane, to_shared);
  if (inst.src[kBlocks] == isa::kNoSlot) {
    return copy_range(inst, lane, from, to, barrier, effects);
  }
  for (auto blocks = static_cast<uint32_t>(value(inst.src[kBlocks], lane, 2)); blocks != 0; blocks &= blocks - 1) {
    const auto rank = static_cast<uint32_t>(std::countr_zero(blocks));
    // Its bytes are read once.
    if (!copy_range(inst, lane, from, at_rank(to, rank), at_rank(barrier, rank), effects)) {
      return false;
    }
    effects = nullptr;
  }
  return true;
}

void WarpCollectives::count_bulk(const ir::Inst& inst, int lane, bool to_shared) {
  const uint64_t bytes = value_u32(inst.src[kSourceBytes], lane);
  if (!to_shared) {
    tally_->counters.bulk_written += bytes;
  } else if (inst.mods.space == isa::Space::global) {
    tally_->counters.bulk_read += bytes;
  }
}

// `barrier`: for a copy to shared memory.
bool WarpCollectives::copy_range(const ir::Inst& inst, int lane, uint64_t from, uint64_t to, uint64_t barrier,
                                 Effects* effects) {
  constexpr uint64_t kPiece = 16;
  const bool to_shared = inst.src[kBarrier] != isa::kNoSlot;
  const uint64_t bytes = value_u32(inst.src[kSourceBytes], lane);
  if (bytes % kPiece != 0) {
    fail(TrapKind::misaligned_address, fmt::format("cp.async.bulk of {} bytes: not a multiple of 16", bytes), lane,
         from);
    return false;
  }
  const ir::Inst read = plain_access(inst, isa::Mem::ld, kPiece);
  ir::Inst write = plain_access(inst, isa::Mem::st, kPiece);
  write.mods.space = to_shared ? isa::Space::shared : isa::Space::global;
  write.mods.of_cluster = to_shared;
  for (uint64_t done = 0; done < bytes; done += kPiece * isa::kWarpSize) {
    const uint64_t pieces = std::min<uint64_t>((bytes - done) / kPiece, isa::kWarpSize);
    const auto lanes = static_cast<LaneMask>((uint64_t{1} << pieces) - 1);
    Places source, destination;
    for (size_t i = 0; i < pieces; ++i) {
      address_.set(i, from + done + i * kPiece);
    }
    if (!piece_places(read, lanes, to_shared ? effects : nullptr, source, false)) {
      return false;
    }
    for (size_t i = 0; i < pieces; ++i) {
      address_.set(i, to + done + i * kPiece);
    }
    if (!piece_places(write, lanes, to_shared ? nullptr : effects, destination, false)) {
      return false;
    }
    for (size_t i = 0; i < pieces; ++i) {
      bring(inst, const_cast<std::byte*>(destination[i]), source[i], kPiece);
    }
  }
  if (effects != nullptr && bytes > 0 && (!to_shared || inst.mods.space == isa::Space::global)) {
    using Op = BulkRange::Op;
    const Op op = to_shared ? Op::read : inst.variant->rmw != nullptr ? Op::reduce : Op::write;
    effects->ranges[static_cast<size_t>(effects->range_count++)] = {
        op, to_shared ? from : to, bytes, to_shared ? shared_at(barrier, sizeof(uint64_t)) : nullptr};
  }
  return !to_shared || complete_bytes(barrier, bytes, lane);
}

void WarpCollectives::copy_bulk(const ir::Inst& inst, LaneMask active, Effects* effects) {
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    set_addresses(inst, active);
    if (!copy_bulk_lane(inst, std::countr_zero(rest), effects)) {
      return;
    }
  }
}

// The wait has nothing to do here: the timing model keeps the warp until its copies have arrived.
void WarpCollectives::copy_group(const ir::Inst& inst, Effects* effects) {
  if (effects != nullptr && inst.mods.mode == 0) {
    effects->copy = CopyStep::commit;
  }
}

}  // namespace hpml::sim::exec
