// Reserved ranges of addresses into which memory comes later: cuMemAddressReserve and its kind.
#include <algorithm>
#include <iterator>

#include "simulator/memory/address_space.hpp"
#include "simulator/memory/detail/region.hpp"

namespace hpml::sim::memory {

uint64_t AddressSpace::reserve(uint64_t bytes, uint64_t alignment) {
  if (bytes == 0 || bytes > kRegionBytes) {
    return 0;
  }
  const auto base = region_of(Kind::device).free.take(bytes, std::max(alignment, kVaBlockBytes));
  if (!base) {
    return 0;
  }
  reserved_[*base] = bytes;
  return *base;
}

bool AddressSpace::release(uint64_t base) {
  const auto it = reserved_.find(base);
  if (it == reserved_.end()) {
    return false;
  }
  const auto open = live_.lower_bound(base);
  if (open != live_.end() && open->first < base + it->second) {
    return false;
  }
  region_of(Kind::device).free.give(base, it->second);
  reserved_.erase(it);
  return true;
}

bool AddressSpace::set_aside(uint64_t bytes) {
  if (bytes > free_bytes()) {
    return false;
  }
  used_bytes_ += bytes;
  return true;
}

bool AddressSpace::is_reserved(uint64_t base, uint64_t bytes) const {
  const auto after = reserved_.upper_bound(base);
  if (after == reserved_.begin()) {
    return false;
  }
  const auto& [first, size] = *std::prev(after);
  return bytes <= size && base - first <= size - bytes;
}

// An allocation that goes, without its memory.
void AddressSpace::take(std::map<uint64_t, Allocation>::iterator it) {
  if (observer_ != nullptr) {
    observer_->freed(it->second);
  }
  last_found_ = nullptr;
  ++generation_;
  live_.erase(it);
}

bool AddressSpace::open(uint64_t base, uint64_t bytes) {
  const auto next = live_.lower_bound(base);
  if (!is_reserved(base, bytes) || (next != live_.end() && next->first < base + bytes)) {
    return false;
  }
  auto& mapping = region_of(Kind::device).mapping;
  if (!mapping.allow(base, bytes)) {
    return false;
  }
  uint64_t from = base, to = base + bytes;
  uint8_t readers = 0;
  const auto joined = [&](uint64_t neighbour) {
    const auto it = live_.find(neighbour);
    if (it != live_.end() &&
        is_reserved(std::min(from, neighbour), std::max(to, it->second.end()) - std::min(from, neighbour))) {
      readers |= it->second.readers;
      from = std::min(from, neighbour);
      to = std::max(to, it->second.end());
      take(it);
    }
  };
  joined(to);
  if (const auto after = live_.lower_bound(base); after != live_.begin() && std::prev(after)->second.end() == base) {
    joined(std::prev(after)->first);
  }
  insert({.base = from,
          .size = to - from,
          .kind = Kind::device,
          .view = mapping.view_of(from),
          .label = {},
          .readers = readers});
  return true;
}

bool AddressSpace::close(uint64_t base, uint64_t bytes) {
  const auto after = live_.upper_bound(base);
  if (!is_reserved(base, bytes) || after == live_.begin() || !std::prev(after)->second.contains(base, bytes)) {
    return false;
  }
  const Allocation whole = std::prev(after)->second;
  take(std::prev(after));
  auto& mapping = region_of(Kind::device).mapping;
  mapping.forbid(base, bytes);
  mapping.discard(base, bytes);
  for (const auto& [from, to] : {std::pair(whole.base, base), std::pair(base + bytes, whole.end())}) {
    if (from < to) {
      insert({.base = from,
              .size = to - from,
              .kind = Kind::device,
              .view = mapping.view_of(from),
              .label = {},
              .readers = whole.readers});
    }
  }
  return true;
}

}  // namespace hpml::sim::memory
