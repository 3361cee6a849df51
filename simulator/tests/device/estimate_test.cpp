// Is the estimated time the bound that its counters justify?
#include "simulator/device/estimate.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

timing::Occupancy full(const timing::GpuSpec& spec) {
  return timing::occupancy(spec, {.threads = 256, .registers_per_thread = 16, .shared_bytes = 0});
}

TEST(Estimate, OfAStreamingKernelIsItsBytesOverDramBandwidth) {
  const auto spec = t4();
  exec::Counters c;
  c.global_ld.sectors = 25'000'000;  // 800 MB
  const double ns = spec.cycles_to_ns(estimate_cycles(c, 100'000, full(spec), spec));
  EXPECT_NEAR(ns, 800e6 / (320 * spec.dram.read_efficiency), 1e3);
}

TEST(Estimate, OfAnArithmeticKernelIsItsPipesTime) {
  const auto spec = t4();
  exec::Counters c;
  c.warp_instructions = 160'000'000;
  c.lat_instructions[static_cast<size_t>(isa::Lat::fp32)] = 160'000'000;
  EXPECT_DOUBLE_EQ(estimate_cycles(c, 100'000, full(spec), spec), 2'000'000);  // 160 pipes, 2 cycles each
}

TEST(Estimate, OfOneWarpIsItsLatencies) {
  const auto spec = t4();
  exec::Counters c;
  c.warp_instructions = 1000;
  c.lat_instructions[static_cast<size_t>(isa::Lat::fp32)] = 1000;
  const auto fit = timing::occupancy(spec, {.threads = 32, .registers_per_thread = 16, .shared_bytes = 0});
  EXPECT_DOUBLE_EQ(estimate_cycles(c, 1, fit, spec), 4000);  // 4 cycles each
}

TEST(Estimate, GrowsWithTheRoundsOfBlocks) {
  const auto spec = t4();
  exec::Counters one, two;
  one.lat_instructions[static_cast<size_t>(isa::Lat::fp32)] = 160 * 8;  // one instruction per warp
  two.lat_instructions[static_cast<size_t>(isa::Lat::fp32)] = 2 * 160 * 8;
  EXPECT_DOUBLE_EQ(estimate_cycles(two, 320, full(spec), spec), 2 * estimate_cycles(one, 160, full(spec), spec));
}

}  // namespace
}  // namespace hpml::sim::device
