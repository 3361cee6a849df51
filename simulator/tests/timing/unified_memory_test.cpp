// Question: does the tree rule reproduce the fault-group, copy and CPU-fault counts that nvprof printed on an RTX 8000?
// Rows: y[i] = x[i] + y[i], both arrays first touched by the CPU, one GPU thread (simulator_timing section 9).
#include "simulator/timing/host/unified_memory.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "simulator/tests/timing/gpus.hpp"

namespace hpml::sim::timing {
namespace {

constexpr uint64_t kBase = uint64_t{1} << 40;
constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t round_up(uint64_t v, uint64_t to) { return (v + to - 1) / to * to; }

struct Row {
  uint64_t elements, groups, copies, cpu_faults;
  double group_ms, transfer_ms;
};
constexpr Row kRows[] = {{1000000, 12, 48, 24, 1.960, 0.739},
                         {5000000, 59, 236, 118, 7.725, 3.670},
                         {10000000, 116, 464, 232, 14.810, 7.315},
                         {50000000, 575, 2300, 1150, 71.219, 36.552},
                         {100000000, 1146, 4584, 2292, 139.369, 73.075}};

// What one thread does, leaf by leaf.
UnifiedCounters add_two_vectors(const GpuSpec& spec, uint64_t elements) {
  const uint64_t bytes = elements * 4;
  const uint64_t x = kBase, y = kBase + round_up(bytes, 2 * kMiB);
  UnifiedMemory um(spec, kBase, 2 * round_up(bytes, 2 * kMiB));
  um.allocated(x, bytes);
  um.allocated(y, bytes);
  for (uint64_t at = 0; at < bytes; at += 4096) {
    for (const uint64_t array : {x, y}) {
      if (!um.on_host(array + at)) {
        um.host_fault(array + at, true);
      }
    }
  }
  uint64_t instructions = 0;
  um.begin_kernel([&] { return instructions; });
  for (uint64_t at = 0; at < bytes; at += 4096) {
    instructions += 1024 * 10;
    for (const uint64_t array : {x, y}) {
      ++instructions;
      if (!um.on_device(array + at)) {
        um.device_fault(array + at, array == y);
      }
    }
  }
  um.end_kernel();
  return um.counters();
}

TEST(UnifiedMemory, CountsEqualTheMeasuredOnes) {
  const GpuSpec spec = gpu("rtx8000");
  for (const Row& row : kRows) {
    const UnifiedCounters c = add_two_vectors(spec, row.elements);
    EXPECT_EQ(c.fault_groups, row.groups) << row.elements;
    EXPECT_EQ(c.host_to_device_copies, row.copies) << row.elements;
    EXPECT_EQ(c.cpu_faults, row.cpu_faults) << row.elements;
    EXPECT_EQ(c.host_to_device_bytes, 2 * round_up(row.elements * 4, 4096)) << row.elements;
    EXPECT_EQ(c.device_to_host_bytes, 0u);
  }
}

TEST(UnifiedMemory, TimesAreWithinFifteenPercentOfTheMeasuredOnes) {
  const GpuSpec spec = gpu("rtx8000");
  for (const Row& row : kRows) {
    const UnifiedCounters c = add_two_vectors(spec, row.elements);
    EXPECT_NEAR(c.fault_us / 1000 / row.group_ms, 1.0, 0.15) << row.elements;
    EXPECT_NEAR(c.host_to_device_us / 1000 / row.transfer_ms, 1.0, 0.05) << row.elements;
  }
}

TEST(UnifiedMemory, WhatMigratesIsToldOnce) {
  const GpuSpec spec = gpu("rtx8000");
  constexpr uint64_t kBytes = 3 * kMiB + 4096;
  UnifiedMemory um(spec, kBase, 4 * kMiB);
  um.allocated(kBase, kBytes);
  for (uint64_t at = 0; at < kBytes; at += 4096) {
    if (!um.on_host(kBase + at)) {
      um.host_fault(kBase + at, true);
    }
  }
  std::vector<int> told(kBytes / 4096, 0);
  um.tell([&](uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes; at += 4096) {
      ++told.at((at - kBase) / 4096);
    }
  });
  um.begin_kernel([] { return uint64_t{0}; });
  for (uint64_t at = 0; at < kBytes; at += 4096) {
    if (!um.on_device(kBase + at)) {
      um.device_fault(kBase + at, false);
    }
  }
  um.end_kernel();
  EXPECT_EQ(told, std::vector<int>(told.size(), 1));
}

// Two leaves of different blocks of 2 MiB, faulted `apart` instructions apart while `warps` are resident.
uint64_t groups_of_two_faults(uint64_t warps, uint64_t apart) {
  const GpuSpec spec = gpu("rtx8000");
  UnifiedMemory um(spec, kBase, 4 * kMiB);
  um.allocated(kBase, 4 * kMiB);
  uint64_t instructions = 0;
  um.begin_kernel([&] { return instructions; }, warps);
  um.device_fault(kBase, false);
  instructions += apart;
  um.device_fault(kBase + 2 * kMiB, false);
  um.end_kernel();
  return um.counters().fault_groups;
}

TEST(UnifiedMemory, FaultsWhichTheResidentWarpsMakeAtTheSameTimeAreOneGroup) {
  EXPECT_EQ(groups_of_two_faults(1, 64), 1u);
  EXPECT_EQ(groups_of_two_faults(1, 65), 2u);
  EXPECT_EQ(groups_of_two_faults(2304, 8 * 2304), 1u);
  EXPECT_EQ(groups_of_two_faults(2304, 8 * 2304 + 1), 2u);
}

TEST(TreeRule, SequentialTouchOfAFullBlockGivesSixMigrations) {
  TreeBlock block;
  std::vector<int> kib;
  for (uint32_t leaf = 0; leaf < 32; ++leaf) {
    if ((block.resident >> leaf & 1) == 0) {
      const uint32_t moved = tree_rule(block, uint32_t{1} << leaf, 51);
      kib.push_back(64 * std::popcount(moved));
      block.resident |= moved;
    }
  }
  EXPECT_EQ(kib, (std::vector<int>{64, 64, 128, 256, 512, 1024}));
}

TEST(TreeRule, ScatteredTouchesMoveOnlyTheirLeaves) {
  TreeBlock block;
  EXPECT_EQ(tree_rule(block, 1u << 0 | 1u << 8 | 1u << 16, 51), 1u << 0 | 1u << 8 | 1u << 16);
  block.resident = 1u << 4;
  EXPECT_EQ(tree_rule(block, 1u << 5, 51), 1u << 5) << "128 KiB full, 256 KiB at exactly half: not over 51 %";
  block.resident = 0b0111u << 4;
  EXPECT_EQ(tree_rule(block, 1u << 8, 51), 1u << 8);
}

TEST(UnifiedMemory, CpuTouchAfterTheKernelBringsPagesBack) {
  const GpuSpec spec = gpu("rtx8000");
  UnifiedMemory um(spec, kBase, 4 * kMiB);
  um.allocated(kBase, 2 * kMiB);
  um.begin_kernel({});
  um.device_fault(kBase, true);  // never touched by the CPU: populated on the GPU, nothing to copy
  EXPECT_TRUE(um.on_device(kBase));
  EXPECT_EQ(um.counters().host_to_device_bytes, 0u);
  EXPECT_GT(um.end_kernel(), 0.0);
  const UnifiedMemory::Range range = um.host_fault(kBase + 100, false);
  EXPECT_EQ(range.begin, kBase);
  EXPECT_EQ(range.end, kBase + 64 * 1024);
  EXPECT_FALSE(um.on_device(kBase));
  EXPECT_EQ(um.counters().device_to_host_bytes, 64u * 1024);
  EXPECT_GT(um.take_host_fault_us(), 0.0);
  EXPECT_EQ(um.take_host_fault_us(), 0.0);
}

TEST(UnifiedMemory, PrefetchMovesEverythingWithoutFaults) {
  const GpuSpec spec = gpu("v100");
  UnifiedMemory um(spec, kBase, 64 * kMiB);
  um.allocated(kBase, 20 * kMiB);
  for (uint64_t at = 0; at < 20 * kMiB; at += 65536) {
    if (!um.on_host(kBase + at)) {
      um.host_fault(kBase + at, true);
    }
  }
  const double us = um.prefetch(kBase, 20 * kMiB, true);
  EXPECT_NEAR(us, 20.0 * kMiB / (12.35e3), 1.0);
  for (uint64_t at = 0; at < 20 * kMiB; at += 65536) {
    EXPECT_TRUE(um.on_device(kBase + at));
  }
  EXPECT_EQ(um.counters().fault_groups, 0u);
  EXPECT_EQ(um.prefetch(kBase, 20 * kMiB, true), 0.0) << "already there";
}

TEST(UnifiedMemory, BeforePascalEverythingMovesAtLaunchWithoutFaults) {
  const GpuSpec spec = gpu("k80");
  UnifiedMemory um(spec, kBase, 64 * kMiB);
  um.allocated(kBase, 10 * kMiB);
  um.host_fault(kBase, true);
  um.begin_kernel({});
  EXPECT_TRUE(um.on_device(kBase));
  EXPECT_TRUE(um.on_device(kBase + 9 * kMiB));
  EXPECT_GT(um.end_kernel(), 0.0);
  EXPECT_EQ(um.counters().fault_groups, 0u);
}

TEST(UnifiedMemory, FreedPagesAreNoLongerOnTheDevice) {
  const GpuSpec spec = gpu("v100");
  UnifiedMemory um(spec, kBase, 8 * kMiB);
  um.allocated(kBase, 2 * kMiB);
  um.device_fault(kBase, true);
  um.freed(kBase);
  EXPECT_FALSE(um.on_device(kBase));
}

// Two megabytes that the host has filled.
class Advised : public testing::Test {
 protected:
  Advised() {
    um_.allocated(kBase, 2 * kMiB);
    for (uint64_t at = 0; at < 2 * kMiB; at += 65536) {
      if (!um_.on_host(kBase + at)) {
        um_.host_fault(kBase + at, true);
      }
    }
  }
  void kernel(bool writes) {
    um_.begin_kernel({});
    for (uint64_t at = 0; at < 2 * kMiB; at += 65536) {
      if (!um_.accessible(kBase + at, writes)) {
        um_.device_fault(kBase + at, writes);
      }
    }
    um_.end_kernel();
  }
  using HostAccess = UnifiedMemory::HostAccess;
  const GpuSpec spec_ = gpu("v100");
  UnifiedMemory um_{spec_, kBase, 8 * kMiB};
};

TEST_F(Advised, WhatIsReadMostlyIsOnBothSidesUntilTheHostWrites) {
  um_.advise(kBase, 2 * kMiB, memory::Advice::read_mostly, true);
  kernel(false);
  EXPECT_EQ(um_.counters().host_to_device_bytes, 2 * kMiB);
  EXPECT_TRUE(um_.on_host(kBase) && um_.on_device(kBase));
  EXPECT_EQ(um_.host_access(kBase), HostAccess::read);
  um_.host_fault(kBase, true);
  EXPECT_EQ(um_.counters().device_to_host_bytes, 0u) << "it was there";
  EXPECT_FALSE(um_.on_device(kBase));
  EXPECT_TRUE(um_.on_device(kBase + 65536)) << "others stay";
  kernel(false);
  EXPECT_EQ(um_.counters().host_to_device_bytes, 2 * kMiB + 65536);
}

TEST_F(Advised, AWriteOfTheGpuGivesUpTheCopyOfTheHost) {
  um_.advise(kBase, 2 * kMiB, memory::Advice::read_mostly, true);
  kernel(false);
  const uint64_t faults = um_.counters().gpu_faults;
  kernel(true);
  EXPECT_EQ(um_.counters().gpu_faults, faults + 32) << "each of its pages is protected";
  EXPECT_EQ(um_.counters().host_to_device_bytes, 2 * kMiB);
  EXPECT_EQ(um_.host_access(kBase), HostAccess::none);
}

TEST_F(Advised, WhatPrefersTheHostStaysThere) {
  um_.advise(kBase, 2 * kMiB, memory::Advice::prefer_host, true);
  kernel(true);
  EXPECT_EQ(um_.counters().host_to_device_bytes, 0u);
  EXPECT_TRUE(um_.over_link(kBase) && um_.on_host(kBase));
  EXPECT_EQ(um_.counters().gpu_faults, 32u) << "once a leaf, to map it";
  kernel(true);
  EXPECT_EQ(um_.counters().gpu_faults, 32u);
  um_.advise(kBase, 2 * kMiB, memory::Advice::prefer_host, false);
  kernel(true);
  EXPECT_EQ(um_.counters().host_to_device_bytes, 2 * kMiB);
  EXPECT_FALSE(um_.over_link(kBase));
}

TEST_F(Advised, WhatTheGpuAccessesIsMappedWithoutAFault) {
  um_.advise(kBase, 2 * kMiB, memory::Advice::accessed, true);
  kernel(true);
  EXPECT_EQ(um_.counters().gpu_faults, 0u);
  EXPECT_TRUE(um_.over_link(kBase));
  um_.prefetch(kBase, 2 * kMiB, true);
  EXPECT_FALSE(um_.over_link(kBase)) << "and local once it has moved";
  um_.host_fault(kBase, true);
  EXPECT_TRUE(um_.over_link(kBase)) << "mapped again where it went";
}

TEST_F(Advised, APrefetchOfWhatIsReadMostlyCopiesIt) {
  um_.advise(kBase, 2 * kMiB, memory::Advice::read_mostly, true);
  EXPECT_GT(um_.prefetch(kBase, 2 * kMiB, true), 0);
  EXPECT_EQ(um_.host_access(kBase), HostAccess::read);
  EXPECT_TRUE(um_.accessible(kBase, false));
  EXPECT_FALSE(um_.accessible(kBase, true));
}

// Blocks of 2 MiB, of which the GPU holds four.
class Oversubscribed : public testing::Test {
 protected:
  Oversubscribed() {
    um_.limit([] { return 4 * 2 * kMiB; });
    um_.allocated(kBase, 12 * kMiB);
  }
  void touch(uint64_t block) {
    for (uint64_t at = 0; at < 2 * kMiB; at += 65536) {
      if (!um_.accessible(kBase + block * 2 * kMiB + at, true)) {
        um_.device_fault(kBase + block * 2 * kMiB + at, true);
      }
    }
  }
  bool resident(uint64_t block) const { return um_.on_device(kBase + block * 2 * kMiB); }
  const GpuSpec spec_ = gpu("v100");
  UnifiedMemory um_{spec_, kBase, 16 * kMiB};
};

TEST_F(Oversubscribed, TheBlockUsedLongestAgoGoesBack) {
  um_.begin_kernel({});
  for (uint64_t block = 0; block < 5; ++block) {
    touch(block);
  }
  EXPECT_FALSE(resident(0));
  EXPECT_TRUE(resident(1) && resident(4));
  EXPECT_EQ(um_.counters().evicted_bytes, 2 * kMiB);
  EXPECT_EQ(um_.counters().device_to_host_bytes, 2 * kMiB);
  EXPECT_TRUE(um_.on_host(kBase));
  um_.end_kernel();
}

TEST_F(Oversubscribed, SweepsOverMoreThanFitsMoveEverythingEachTime) {
  for (int sweep = 0; sweep < 3; ++sweep) {
    um_.begin_kernel({});
    for (uint64_t block = 0; block < 6; ++block) {
      touch(block);
    }
    um_.end_kernel();
  }
  EXPECT_EQ(um_.counters().host_to_device_bytes, 2 * 12 * kMiB) << "the first sweep fills it from nothing";
  EXPECT_EQ(um_.counters().evicted_bytes, 2 * kMiB * (3 * 6 - 4));
}

TEST_F(Oversubscribed, ACopyThatTheHostHasCostsNothingToGiveUp) {
  for (uint64_t at = 0; at < 2 * kMiB; at += 65536) {
    if (!um_.on_host(kBase + at)) {
      um_.host_fault(kBase + at, true);
    }
  }
  um_.advise(kBase, 2 * kMiB, memory::Advice::read_mostly, true);
  um_.prefetch(kBase, 2 * kMiB, true);
  um_.prefetch(kBase + 2 * kMiB, 8 * kMiB, true);
  EXPECT_FALSE(resident(0));
  EXPECT_EQ(um_.counters().evicted_bytes, 0u);
}

}  // namespace
}  // namespace hpml::sim::timing
