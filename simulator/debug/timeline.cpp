#include "simulator/debug/timeline.hpp"

#include <algorithm>

namespace hpml::sim::debug {
namespace {

constexpr size_t kMostKept = 16;      // starts of launches: processes
constexpr size_t kMostWrites = 4096;  // of the host

}  // namespace

bool HostWrite::touches(uint64_t at, uint64_t bytes) const {
  for (uint64_t layer = 0; layer < depth; ++layer) {
    const uint64_t base = address + layer * slice;
    if (at + bytes <= base || width == 0) {
      continue;
    }
    // The row that the place begins in, and the next one.
    const uint64_t first = at > base && pitch > 0 ? std::min((at - base) / pitch, height - 1) : 0;
    for (uint64_t row = first; row < std::min(first + 2, height); ++row) {
      const uint64_t start = base + row * pitch;
      if (at < start + width && start < at + bytes) {
        return true;
      }
    }
  }
  return false;
}

void Timeline::add(int number, std::unique_ptr<History> start) {
  complete_ &= start != nullptr;
  kept_ += start != nullptr ? 1 : 0;
  launches_.push_back({.number = number, .history = std::move(start)});
  if (kept_ <= kMostKept) {
    return;
  }
  const auto oldest = std::ranges::find_if(launches_, [](const Launch& one) { return one.history != nullptr; });
  oldest->history.reset();
  --kept_;
  complete_ = false;
}

Timeline::Launch Timeline::take_last() {
  Launch last = std::move(launches_.back());
  launches_.pop_back();
  return last;
}

void Timeline::wrote(HostWrite write) {
  launches_.back().after.push_back(std::move(write));
  if (++writes_ <= kMostWrites) {
    return;
  }
  const auto oldest = std::ranges::find_if(launches_, [](const Launch& one) { return !one.after.empty(); });
  oldest->after.pop_front();
  --writes_;
  complete_ = false;
}

}  // namespace hpml::sim::debug
