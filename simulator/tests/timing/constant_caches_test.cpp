// Question: does a constant access wait as long as its nearest cache takes, and for what is on its way, no longer?
#include <gtest/gtest.h>

#include "gpus.hpp"
#include "simulator/timing/cache/constant_caches.hpp"

namespace hpml::sim::timing {
namespace {

exec::Access lines(std::initializer_list<uint64_t> wanted) {
  exec::Access access;
  for (const uint64_t line : wanted) {
    access.lines[static_cast<size_t>(access.line_count++)].line = line;
  }
  return access;
}

// Jia et al. 2018, Table 3.1: a V100 takes 27, 89 and 245 cycles for the three levels.
TEST(ConstantCaches, TheNearestLevelThatHasTheLineSetsTheDelay) {
  ConstantCaches caches(gpu("v100"));
  EXPECT_EQ(caches.delay(lines({0}), Cycle{1000}), 245u - 27u) << "nothing is cached";
  EXPECT_EQ(caches.delay(lines({0}), Cycle{2000}), 0u) << "in the first level now";
  EXPECT_EQ(caches.delay(lines({1}), Cycle{2000}), 89u - 27u) << "the second level has fetched 256 bytes";
  EXPECT_EQ(caches.delay(lines({0, 1, 4}), Cycle{3000}), 245u - 27u) << "the slowest line counts";
}

TEST(ConstantCaches, WhoComesForALineOnItsWayWaitsForTheRestOfIt) {
  ConstantCaches caches(gpu("v100"));
  caches.delay(lines({0}), Cycle{1000});
  EXPECT_EQ(caches.delay(lines({0}), Cycle{1100}), 245u - 27u - 100u);
  EXPECT_EQ(caches.delay(lines({0}), Cycle{1000 + 218}), 0u);
}

TEST(ConstantCaches, ATableLargerThanTheFirstLevelIsReadFromTheSecondInEveryRound) {
  const GpuSpec spec = gpu("v100");
  ConstantCaches caches(spec);
  const uint64_t count = 16 * 1024 / exec::kConstantLineBytes;
  uint64_t slow = 0;
  for (uint64_t round = 0; round < 3; ++round) {
    for (uint64_t line = 0; line < count; ++line) {
      const uint64_t delay = caches.delay(lines({line}), Cycle{(round * count + line + 1) * 10000});
      slow += round > 0 && delay == 89 - 27 ? 1 : 0;
      EXPECT_TRUE(round == 0 || delay <= 89 - 27) << "the second level holds it";
    }
  }
  EXPECT_GE(slow, 2 * count * 9 / 10);
}

TEST(ConstantCaches, ANewKernelFindsThemEmpty) {
  ConstantCaches caches(gpu("v100"));
  caches.delay(lines({0}), Cycle{1000});
  caches.clear();
  EXPECT_EQ(caches.delay(lines({0}), Cycle{2000}), 245u - 27u);
}

}  // namespace
}  // namespace hpml::sim::timing
