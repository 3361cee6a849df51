#include "simulator/memory/detail/free_list.hpp"

#include <iterator>

namespace hpml::sim::memory::detail {

std::optional<uint64_t> FreeList::take(uint64_t bytes, uint64_t alignment) {
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [start, size] = *it;
    const uint64_t place = (start + alignment - 1) / alignment * alignment;
    const uint64_t skipped = place - start;
    if (skipped > size || size - skipped < bytes) {
      continue;
    }
    const uint64_t rest = size - skipped - bytes;
    if (skipped != 0) {
      it->second = skipped;
    } else {
      free_.erase(it);
    }
    if (rest != 0) {
      free_[place + bytes] = rest;
    }
    return place;
  }
  return std::nullopt;
}

void FreeList::give(uint64_t start, uint64_t bytes) {
  auto it = free_.emplace(start, bytes).first;
  if (const auto next = std::next(it); next != free_.end() && start + bytes == next->first) {
    it->second += next->second;
    free_.erase(next);
  }
  if (it != free_.begin()) {
    const auto before = std::prev(it);
    if (before->first + before->second == start) {
      before->second += it->second;
      free_.erase(it);
    }
  }
}

}  // namespace hpml::sim::memory::detail
