#pragma once
// Tags of a sectored, set-associative cache with LRU replacement. No time, no data: valid and dirty bits per sector.
// Used by L1 and by every L2 slice.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpml::sim::timing {

// A fixed 64-bit mixing function (finaliser of splitmix64): spreads lines over sets and slices.
constexpr uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class SectorCache {
 public:
  struct Line {
    uint8_t valid = 0, dirty = 0;  // sector masks
    uint64_t fill = 0;             // cycle at which the newest of its sectors arrives (L2: fills in flight)
  };
  struct Evicted {
    uint64_t line = 0;
    uint8_t dirty = 0;  // sectors to write back
  };

  SectorCache() = default;
  // bytes = 0: a cache that never hits.
  SectorCache(uint64_t bytes, uint32_t line_bytes, uint32_t ways);

  // The line if its tag is present (its sectors may still be invalid), marked as used; else null.
  Line* find(uint64_t line);
  // Makes room for `line`, which must not be present; evicted says what had to go. Null when the cache has no lines.
  Line* insert(uint64_t line, Evicted& evicted);
  // The least recently used dirty line of the set that `line` belongs to, if more than `most` of them are; else null.
  // Precondition: the cache has lines.
  Line* oldest_dirty(uint64_t line, uint32_t most);
  void clear();
  uint64_t line_count() const { return lines_.size(); }

 private:
  size_t set_begin(uint64_t line) const {
    const uint64_t hash = mix(line);
    const bool power_of_two = (sets_ & (sets_ - 1)) == 0;  // usually: then without a division
    return static_cast<size_t>(power_of_two ? hash & (sets_ - 1) : hash % sets_) * ways_;
  }
  uint32_t ways_ = 0;
  uint64_t sets_ = 0;
  uint64_t clock_ = 0;
  std::vector<uint64_t> tags_;  // line + 1; 0 = empty. Apart from lines_ so that a set's tags share host cache lines
  std::vector<uint64_t> used_;
  std::vector<Line> lines_;
};

}  // namespace hpml::sim::timing
