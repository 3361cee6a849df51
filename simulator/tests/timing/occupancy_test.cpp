// Question: does residency follow NVIDIA's rule? Expected values computed by hand from simulator_timing section 8.
#include "simulator/timing/occupancy.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/timing/gpus.hpp"

namespace hpml::sim::timing {
namespace {

struct Case {
  const char* gpu;
  uint32_t threads, registers, shared;
  uint32_t blocks;
  const char* why;
};

TEST(Occupancy, FollowsTheRuleOnEveryComputeCapability) {
  const Case cases[] = {
      {"v100", 256, 32, 0, 8, "64 warps / 8"},
      {"v100", 256, 33, 0, 6, "33 x 32 = 1056 -> 1280 regs per warp; 4 x floor(16384 / 1280) = 48 warps / 8"},
      {"v100", 32, 16, 0, 32, "block limit 32"},
      {"v100", 1024, 64, 0, 1, "2048 per warp: 4 x 8 = 32 warps / 32"},
      {"v100", 1024, 65, 0, 0, "2304 per warp x 32 warps > 65536"},
      {"v100", 128, 32, 33000, 2, "33000 -> 33024; 98304 / 33024 = 2"},
      {"v100", 96, 40, 0, 16, "1280 per warp: 48 warps / 3"},
      {"t4", 256, 32, 0, 4, "32 warps / 8"},
      {"t4", 32, 16, 0, 16, "block limit 16, not 32"},
      {"t4", 64, 255, 0, 4, "8160 -> 8192 per warp: 4 x 2 = 8 warps / 2"},
      {"t4", 256, 32, 20000, 3, "20000 -> 20224; 65536 / 20224 = 3"},
      {"rtx8000", 1024, 32, 0, 1, "32 warps / 32"},
      {"a100", 256, 32, 0, 8, "64 warps / 8"},
      {"a100", 32, 16, 1, 32, "1 + 1024 -> 1152 bytes: 145 blocks; block limit 32"},
      {"a100", 256, 32, 48 * 1024, 3, "49152 + 1024 = 50176; 167936 / 50176 = 3"},
      {"a100", 64, 16, 8192, 18, "8192 + 1024 = 9216; 167936 / 9216 = 18"},
      {"h100", 512, 40, 0, 3, "1280 per warp: 48 warps / 16"},
      {"h100", 128, 32, 100000, 2, "100000 + 1024 -> 101120; 233472 / 101120 = 2"},
      {"k80", 256, 32, 0, 8, "64 warps / 8; registers allow 4 x floor(32768 / 1024) = 128"},
      {"k80", 64, 16, 0, 16, "block limit 16"},
      {"k80", 512, 64, 0, 4, "2048 per warp: 64 warps / 16"},
      {"k80", 256, 255, 0, 2, "8192 per warp: 4 x 4 = 16 warps / 8; the block takes exactly 65536"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(occupancy(gpu(c.gpu), BlockNeeds{c.threads, c.registers, c.shared}).blocks_per_sm, c.blocks)
        << c.gpu << " " << c.threads << " threads, " << c.registers << " registers, " << c.shared << " B: " << c.why;
  }
}

TEST(Occupancy, PartOfAWarpTakesAWholeOne) {
  EXPECT_EQ(occupancy(gpu("v100"), BlockNeeds{33, 16, 0}).warps_per_block, 2u);
  EXPECT_EQ(occupancy(gpu("v100"), BlockNeeds{1, 16, 0}).warps_per_block, 1u);
}

TEST(Carveout, IsTheSmallestThatDoesNotLowerOccupancy) {
  const GpuSpec v100 = gpu("v100");
  EXPECT_EQ(carveout_bytes(v100, BlockNeeds{256, 32, 0}), 0u);
  EXPECT_EQ(carveout_bytes(v100, BlockNeeds{256, 32, 2048}), 16u * 1024) << "8 blocks x 2 KiB";
  EXPECT_EQ(carveout_bytes(v100, BlockNeeds{256, 32, 40 * 1024}), 96u * 1024) << "2 blocks x 40 KiB";
  EXPECT_EQ(l1_bytes(v100, 0), 128u * 1024);
  EXPECT_EQ(l1_bytes(v100, 96 * 1024), 32u * 1024);
  const GpuSpec t4 = gpu("t4");
  EXPECT_EQ(l1_bytes(t4, carveout_bytes(t4, BlockNeeds{256, 32, 0})), 64u * 1024);
  EXPECT_EQ(l1_bytes(t4, carveout_bytes(t4, BlockNeeds{256, 32, 16 * 1024})), 32u * 1024);
}

}  // namespace
}  // namespace hpml::sim::timing
