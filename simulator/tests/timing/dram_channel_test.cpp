// Question: do writes beside reads leave in bursts that reads wait for, and writes alone at once?
#include "simulator/timing/dram/channel.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/timing/gpus.hpp"

namespace hpml::sim::timing {
namespace {

// Cycles that a channel of this GPU needs for a sector of mixed traffic.
double sector_cycles(const GpuSpec& spec) {
  return 32.0 * spec.dram.channels / (spec.dram_bytes_per_cycle() * spec.dram.mixed_efficiency);
}

// The longest wait of a read while as many sectors are written as are read, `gap` cycles between one and the next.
double longest_wait(const GpuSpec& spec, uint64_t gap, int count) {
  DramChannel channel(spec);
  uint64_t longest = 0;
  for (int i = 0; i < count; ++i) {
    const Cycle now{1000 + gap * static_cast<uint64_t>(i)};
    longest = std::max(longest, channel.read(now, 1));
    channel.write(now, 1);
  }
  return static_cast<double>(longest);
}

TEST(DramChannel, ReadsBesideWritesWaitForABurstOfThem) {
  const GpuSpec spec = gpu("h200");
  const double burst = spec.dram.write_burst_ns * spec.clocks.core_mhz * 1e-3;
  const uint64_t gap = 4 * static_cast<uint64_t>(sector_cycles(spec) + 1);  // far from what the bus can do
  EXPECT_NEAR(longest_wait(spec, gap, 5000), burst, 0.02 * burst);
  EXPECT_LE(longest_wait(spec, gap, 500), 1.0) << "before there are enough writes for a burst";
}

TEST(DramChannel, WithoutBurstsReadsHardlyWait) {
  GpuSpec spec = gpu("h200");
  spec.dram.write_burst_ns = 0;
  EXPECT_LE(longest_wait(spec, 8, 5000), 2 * sector_cycles(spec));
}

TEST(DramChannel, WritesAloneAreNotHeldBack) {
  const GpuSpec spec = gpu("h200");
  DramChannel channel(spec);
  channel.write(Cycle{1000}, 64);
  const double waited = static_cast<double>(channel.read(Cycle{1000}, 1));
  EXPECT_NEAR(waited, 64 * 32.0 * spec.dram.channels / (spec.dram_bytes_per_cycle() * spec.dram.write_efficiency), 2.0);
}

}  // namespace
}  // namespace hpml::sim::timing
