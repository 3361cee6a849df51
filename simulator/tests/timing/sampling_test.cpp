// Question: is a launch of which only sampling units are timed taken for what timing all of it gives?
#include <gtest/gtest.h>

#include "simulator/tests/timing/bench.hpp"

namespace hpml::sim::timing {
namespace {

using isa::Lat;

struct Compared {
  RunResult exact, estimate;
  double ratio() const { return estimate.cycles / exact.cycles; }
};

Compared compare(const GpuSpec& spec, const FakeProgram& program, uint64_t blocks, int warps, RunOptions options) {
  Bench full(spec), sampled(spec);
  Compared out{full.run(program, blocks, warps), sampled.run(program, blocks, warps, options)};
  EXPECT_FALSE(out.exact.sampled);
  EXPECT_TRUE(out.estimate.sampled);
  return out;
}

TEST(Sampling, OfALongUniformLaunchEstimatesItsCyclesAndCounters) {
  // The first blocks find no page in a TLB, the later ones do: not uniform.
  const Compared both = compare(without_tlb("t4"), mixed(), 8000, 8, {.sample_after = 200'000});
  EXPECT_LT(both.estimate.sampled_fraction, 0.6);
  // What DRAM still has to do when a timed stretch ends is not waited for after the gap: 2.5 % here.
  EXPECT_NEAR(both.ratio(), 1.0, 0.03);
  EXPECT_NEAR(double(both.estimate.counters.l2_hits) / double(both.exact.counters.l2_hits), 1.0, 0.03);
}

TEST(Sampling, ByCyclesBoundsALaunchThatMostlyWaits) {
  const Compared both = compare(gpu("t4"), mixed(), 8000, 8, {.sample_after_turns = 60'000});
  EXPECT_LT(both.estimate.sampled_fraction, 0.9);
  EXPECT_NEAR(both.ratio(), 1.0, 0.1);
}

TEST(Sampling, WritesAreNoFasterThanDram) {
  Bench bench("v100");
  const uint64_t blocks = 40'000;  // 20 MB of an L2 of 6 MB
  const FakeProgram program{store(1, [](uint64_t b, int w) { return b * 4 + uint64_t(w); })};
  const RunResult r = bench.run(program, blocks, 4, RunOptions{.sample_after = 4'000});
  ASSERT_TRUE(r.sampled);
  const double bytes = static_cast<double>(blocks) * 4 * 128;
  EXPECT_LT(bytes / r.cycles, bench.spec.dram_bytes_per_cycle());
}

// Each block loads at its start and stores at its end, so that the first part times more loads than it should, and no
// store.
TEST(Sampling, CountsAccessesThatWereNotTimed) {
  FakeProgram program;
  for (uint64_t i = 0; i < 8; ++i) {
    program.push_back(load(
        1, 1, [=](uint64_t b, int w) { return (b * 8 + uint64_t(w)) * 8 + i; }, 4));
  }
  for (int i = 0; i < 300; ++i) {
    program.push_back(op(Lat::int_alu, 2, 2));
  }
  program.push_back(store(2, [](uint64_t b, int w) { return 1'000'000 + b * 8 + uint64_t(w); }));
  const uint64_t blocks = 1500;
  const Compared both = compare(gpu("t4"), program, blocks, 8, {.sample_after = 60'000});
  const ModelCounters &exact = both.exact.counters, &estimate = both.estimate.counters;
  EXPECT_EQ(estimate.l2_sectors, exact.l2_sectors);
  EXPECT_EQ(estimate.l2_sectors[size_t(MemOp::write)], blocks * 8 * 4);
  EXPECT_EQ(estimate.l1_sectors, exact.l1_sectors);
  EXPECT_EQ(estimate.dram_read_sectors, exact.dram_read_sectors);
}

// All blocks run side by side: first all load, then all compute.
TEST(Sampling, WhatAKernelTurnsToLaterIsTimedToo) {
  FakeProgram program;
  for (uint64_t i = 0; i < 200; ++i) {
    program.push_back(load(1, 1, [=](uint64_t b, int w) { return (b * 8 + uint64_t(w)) * 200 + i; }));
  }
  for (int i = 0; i < 800; ++i) {
    program.push_back(op(Lat::int_alu, 2, 2));
  }
  EXPECT_NEAR(compare(gpu("t4"), program, 160, 8, {.sample_after = 60'000}).ratio(), 1.0, 0.03);
}

TEST(Sampling, WhatPassesThroughTheCachesInAGapIsInThemAfterIt) {
  // Each block reads what others have read: after a while everything is in L2.
  FakeProgram program;
  for (uint64_t i = 0; i < 40; ++i) {
    program.push_back(load(
        1, 1, [=](uint64_t b, int w) { return (b * 5 + uint64_t(w) * 311 + i * 73) % 20'000; }, 4));
  }
  EXPECT_NEAR(compare(gpu("t4"), program, 4000, 8, {.sample_after = 150'000}).ratio(), 1.0, 0.07);
}

TEST(Sampling, TheLastBlocksDoNotFillTheGpu) {
  const uint64_t places = 40 * 4;  // of blocks of 8 warps on a T4
  const FakeProgram program = chain(Lat::mufu, 600);
  EXPECT_NEAR(compare(gpu("t4"), program, 5 * places + 4, 8, {.sample_after = 300'000}).ratio(), 1.0, 0.02);
}

// The first wave ends in the sampling unit; what is slow then is the second, not what was fast-forwarded.
TEST(Sampling, AWindowInWhichAWaveEndsSaysNothingOfTheGapBeforeIt) {
  const uint64_t sms = 40;  // of a T4, which a block of 32 warps fills
  FakeProgram program;
  for (int i = 0; i < 100; ++i) {
    const FakeProgram step = chain(Lat::fp32, 9);
    program.insert(program.end(), step.begin(), step.end());
    program.push_back(barrier());
  }
  EXPECT_NEAR(compare(gpu("t4"), program, sms + 5, 32, {.sample_after = 680'000}).ratio(), 1.0, 0.02);
}

TEST(Sampling, GivesTheSameResultEveryTime) {
  RunResult first, second;
  for (RunResult* r : {&first, &second}) {
    Bench bench("a100");
    *r = bench.run(mixed(), 3000, 8, {.sample_after = 50'000});
  }
  EXPECT_TRUE(first.sampled);
  EXPECT_EQ(first.cycles, second.cycles);
  EXPECT_EQ(first.counters.stall_cycles, second.counters.stall_cycles);
}

TEST(Sampling, ATrapInAGapEndsTheLaunch) {
  Bench bench("t4");
  FakeProgram program = chain(Lat::fp32, 200);
  program.push_back(exit_op());
  FakeGrid grid(program, 4000, 8);
  grid.trapping_block = 600;
  const RunResult r = bench.engine->run(grid, BlockNeeds{256, 32, 0}, 256, {.sample_after = 100'000});
  EXPECT_TRUE(grid.trap().has_value());
  EXPECT_EQ(r.deadlock, "");
  EXPECT_LT(grid.blocks_started(), 1500u) << "nothing is placed after it";
}

}  // namespace
}  // namespace hpml::sim::timing
