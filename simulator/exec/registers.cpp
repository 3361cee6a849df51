// Registers of a warp's lanes, one after the other: what is not done by lanes.hpp for all at once.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

const std::byte* slot_at(const std::byte* regs, const std::byte* consts, isa::Slot slot) {
  return (slot & isa::kConstBit) != 0 ? consts + (slot & ~isa::kConstBit) : regs + slot;
}

template <class T>
T read(const std::byte* lanes, int lane) {
  T out;
  std::memcpy(&out, lanes + static_cast<size_t>(lane) * sizeof(T), sizeof out);
  return out;
}

}  // namespace

uint32_t WarpRegisters::value_u32(isa::Slot slot, int lane) const {
  return read<uint32_t>(slot_at(groups_[static_cast<size_t>(current_)].frame->regs, consts_, slot), lane);
}

uint64_t WarpRegisters::value(isa::Slot slot, int lane, int bytes) const {
  const std::byte* const lanes = slot_at(groups_[static_cast<size_t>(current_)].frame->regs, consts_, slot);
  switch (bytes) {
    case 4: return read<uint32_t>(lanes, lane);
    case 8: return read<uint64_t>(lanes, lane);
    default: break;
  }
  uint64_t out = 0;
  std::memcpy(&out, lanes + lane * bytes, static_cast<size_t>(bytes));
  return out;
}

LaneMask WarpRegisters::predicate(isa::Slot slot) const {
  const Group& g = groups_[static_cast<size_t>(current_)];
  LaneMask out;
  std::memcpy(&out, slot_at(g.frame->regs, consts_, slot), sizeof out);
  return out;
}

void WarpRegisters::set_value(isa::Slot slot, int lane, int bytes, uint64_t value) {
  std::byte* const place = groups_[static_cast<size_t>(current_)].frame->regs + slot + lane * bytes;
  switch (bytes) {
    case 4: std::memcpy(place, &value, 4); return;
    case 8: std::memcpy(place, &value, 8); return;
    default: std::memcpy(place, &value, static_cast<size_t>(bytes)); return;
  }
}

// The same value in all of `lanes`.
void WarpRegisters::set_all(isa::Slot slot, LaneMask lanes, int bytes, uint64_t value) {
  if (bytes == 4 && lanes == isa::kFullMask) {
    auto* const out = reinterpret_cast<uint32_t*>(groups_[static_cast<size_t>(current_)].frame->regs + slot);
    std::fill_n(out, isa::kWarpSize, static_cast<uint32_t>(value));
    return;
  }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    set_value(slot, std::countr_zero(rest), bytes, value);
  }
}

void WarpRegisters::set_predicate(isa::Slot slot, LaneMask lanes, LaneMask value) {
  Group& g = groups_[static_cast<size_t>(current_)];
  LaneMask old;
  std::memcpy(&old, g.frame->regs + slot, sizeof old);
  old = (old & ~lanes) | (value & lanes);
  std::memcpy(g.frame->regs + slot, &old, sizeof old);
}

}  // namespace hpml::sim::exec
