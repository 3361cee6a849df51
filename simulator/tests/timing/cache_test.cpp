// Question: do the tag array and the miss registers keep, evict, merge and refuse as a sectored cache must?
#include <gtest/gtest.h>

#include "simulator/timing/cache/mshr.hpp"
#include "simulator/timing/cache/sector_cache.hpp"

namespace hpml::sim::timing {
namespace {

TEST(SectorCache, EvictsTheLeastRecentlyUsedLineAndReportsItsDirtySectors) {
  SectorCache cache(4 * 128, 128, 4);  // one set of four
  SectorCache::Evicted evicted;
  for (uint64_t line = 0; line < 4; ++line) {
    SectorCache::Line* entry = cache.insert(line, evicted);
    entry->valid = 0xf;
    entry->dirty = static_cast<uint8_t>(line);
    EXPECT_EQ(evicted.dirty, 0);
  }
  EXPECT_NE(cache.find(0), nullptr);  // 0 is used again: 1 is the oldest now
  cache.insert(9, evicted);
  EXPECT_EQ(evicted.line, 1u);
  EXPECT_EQ(evicted.dirty, 1);
  EXPECT_EQ(cache.find(1), nullptr);
  EXPECT_NE(cache.find(0), nullptr);
  EXPECT_EQ(cache.find(9)->valid, 0) << "a new line has no sectors yet";
}

TEST(SectorCache, KeepsAWorkingSetOfItsSizeExceptForHashConflicts) {
  SectorCache cache(128 * 1024, 128, 16);
  SectorCache::Evicted evicted;
  for (uint64_t line = 0; line < 512; ++line) {
    cache.insert(line * 64, evicted);  // half the capacity, at a stride that would hit few sets without hashing
  }
  int kept = 0;
  for (uint64_t line = 0; line < 512; ++line) {
    kept += cache.find(line * 64) != nullptr ? 1 : 0;
  }
  EXPECT_GE(kept, 500);
}

TEST(SectorCache, WithoutCapacityNeverHits) {
  SectorCache cache(0, 128, 4);
  SectorCache::Evicted evicted;
  EXPECT_EQ(cache.insert(1, evicted), nullptr);
  EXPECT_EQ(cache.find(1), nullptr);
}

TEST(Mshr, ALoadIsDoneWhenItsLastSectorArrives) {
  Mshr mshr(16, 8);
  const int entry = mshr.add(-1, 100, 0b0011, true);
  mshr.wait(entry, 1, 0b0001);
  mshr.wait(entry, 2, 0b0011);
  std::vector<uint32_t> done;
  mshr.arrive(entry, 0b0001, [&](uint32_t load) { done.push_back(load); });
  EXPECT_EQ(done, (std::vector<uint32_t>{1}));
  mshr.arrive(entry, 0b0010, [&](uint32_t load) { done.push_back(load); });
  EXPECT_EQ(done, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(mshr.find(100), -1);
  EXPECT_EQ(mshr.pending_sectors(), 0);
}

TEST(Mshr, RefusesSectorsBeyondItsCapacityAndWaitersBeyondItsMerges) {
  Mshr mshr(4, 1);
  const int entry = mshr.add(-1, 1, 0b1111, true);
  EXPECT_FALSE(mshr.can_add(-1, 1));
  for (uint32_t load = 0; load < 4; ++load) {
    EXPECT_TRUE(mshr.can_add(entry, 0));
    mshr.wait(entry, load, 0b0001);
  }
  EXPECT_FALSE(mshr.can_add(entry, 0));
}

TEST(Mshr, FindsLinesThatShareABucket) {
  Mshr mshr(4096, 8);
  for (uint64_t line = 0; line < 1000; ++line) {
    mshr.add(-1, line, 1, true);
  }
  for (uint64_t line = 0; line < 1000; line += 2) {
    mshr.arrive(mshr.find(line), 1, [](uint32_t) {});
  }
  for (uint64_t line = 0; line < 1000; ++line) {
    EXPECT_EQ(mshr.find(line) >= 0, line % 2 == 1) << line;
  }
}

}  // namespace
}  // namespace hpml::sim::timing
