#include <cstring>

#include "simulator/ir/detail/draft.hpp"
#include "simulator/ir/detail/layout.hpp"

namespace hpml::sim::ir {

isa::Slot ConstPool::reserve(uint8_t container) {
  const size_t offset = align_up(bytes_.size(), 64);
  bytes_.resize(offset + size_t{container} * isa::kWarpSize);
  return isa::kConstBit | static_cast<isa::Slot>(offset);
}

isa::Slot ConstPool::get(uint64_t bits, uint8_t container) {
  if (container < 8) {
    bits &= (uint64_t{1} << (container * 8)) - 1;
  }
  const auto [it, inserted] = seen_.try_emplace({bits, container}, isa::kNoSlot);
  if (inserted) {
    it->second = reserve(container);
    values_[it->second] = bits;
    std::byte* out = bytes_.data() + (it->second & ~isa::kConstBit);
    for (int lane = 0; lane < isa::kWarpSize; ++lane) {
      std::memcpy(out + lane * container, &bits, container);
    }
  }
  return it->second;
}

std::optional<uint64_t> ConstPool::value(isa::Slot slot) const {
  const auto it = values_.find(slot);
  return it == values_.end() ? std::nullopt : std::optional(it->second);
}

// A predicate is one lane mask: container 0 keeps masks apart from broadcast numbers.
isa::Slot ConstPool::mask(isa::LaneMask mask) {
  const auto [it, inserted] = seen_.try_emplace({mask, uint8_t{0}}, isa::kNoSlot);
  if (inserted) {
    it->second = reserve(4);
    std::memcpy(bytes_.data() + (it->second & ~isa::kConstBit), &mask, sizeof mask);
  }
  return it->second;
}

}  // namespace hpml::sim::ir
