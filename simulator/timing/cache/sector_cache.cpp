#include "simulator/timing/cache/sector_cache.hpp"

#include <algorithm>

#include "common/base/check.hpp"

namespace hpml::sim::timing {

SectorCache::SectorCache(uint64_t bytes, uint32_t line_bytes, uint32_t ways) {
  const uint64_t lines = bytes / line_bytes;
  if (lines == 0) {
    return;
  }
  ways_ = static_cast<uint32_t>(std::min<uint64_t>(ways, lines));
  sets_ = lines / ways_;
  tags_.assign(sets_ * ways_, 0);
  used_.assign(sets_ * ways_, 0);
  lines_.assign(sets_ * ways_, Line{});
}

SectorCache::Line* SectorCache::find(uint64_t line) {
  if (sets_ == 0) {
    return nullptr;
  }
  const size_t begin = set_begin(line);
  for (size_t i = begin; i < begin + ways_; ++i) {
    if (tags_[i] == line + 1) {
      used_[i] = ++clock_;
      return &lines_[i];
    }
  }
  return nullptr;
}

SectorCache::Line* SectorCache::insert(uint64_t line, Evicted& evicted) {
  evicted = Evicted{};
  if (sets_ == 0) {
    return nullptr;
  }
  const size_t begin = set_begin(line);
  size_t victim = begin;
  for (size_t i = begin + 1; i < begin + ways_; ++i) {
    victim = used_[i] < used_[victim] ? i : victim;
  }
  HPML_CHECK(tags_[victim] != line + 1, "line inserted twice");
  if (tags_[victim] != 0) {
    evicted = Evicted{tags_[victim] - 1, lines_[victim].dirty};
  }
  tags_[victim] = line + 1;
  used_[victim] = ++clock_;
  lines_[victim] = Line{};
  return &lines_[victim];
}

SectorCache::Line* SectorCache::oldest_dirty(uint64_t line, uint32_t most) {
  const size_t begin = set_begin(line);
  size_t oldest = begin + ways_;
  uint32_t dirty = 0;
  for (size_t i = begin; i < begin + ways_; ++i) {
    if (tags_[i] != 0 && lines_[i].dirty != 0) {
      ++dirty;
      oldest = oldest == begin + ways_ || used_[i] < used_[oldest] ? i : oldest;
    }
  }
  return dirty > most ? &lines_[oldest] : nullptr;
}

void SectorCache::clear() {
  std::fill(tags_.begin(), tags_.end(), 0);
  std::fill(used_.begin(), used_.end(), 0);
  std::fill(lines_.begin(), lines_.end(), Line{});
}

}  // namespace hpml::sim::timing
