// Question: does a simulated microbenchmark measure the figures of the GPU file?
#include "simulator/timing/engine.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "simulator/tests/timing/bench.hpp"

namespace hpml::sim::timing {
namespace {

using isa::Lat;

FakeProgram chase(int n, const std::function<uint64_t(int)>& line) {
  FakeProgram out;
  for (int i = 0; i < n; ++i) {
    const uint64_t at = line(i);
    out.push_back(load(1, 1, [at](uint64_t, int) { return at; }));
  }
  return out;
}

TEST(Engine, DependentChainCostsTheLatencyOfItsClass) {
  for (const std::string& key : all_gpus()) {
    Bench bench(key);
    for (const Lat lat :
         {Lat::int_alu, Lat::int_mul, Lat::fp32, Lat::fp16, Lat::fp64, Lat::mufu, Lat::popc, Lat::fp32_div}) {
      EXPECT_DOUBLE_EQ(bench.per_repetition([&](int n) { return chain(lat, n); }), bench.spec.of(lat).latency)
          << key << " " << isa::name(lat);
    }
  }
}

TEST(Engine, IndependentInstructionsCostTheIssueInterval) {
  for (const std::string& key : all_gpus()) {
    Bench bench(key);
    for (const Lat lat : {Lat::int_alu, Lat::fp32, Lat::fp64, Lat::mufu}) {
      EXPECT_NEAR(bench.per_repetition([&](int n) { return independent(lat, n); }), bench.spec.of(lat).interval, 0.01)
          << key << " " << isa::name(lat);
    }
  }
}

// ptxas waits so long: 12 or 13 cycles from a comparison to what it guards, 4 to an operand, 5 behind a branch.
TEST(Engine, AGuardIsWaitedForLongerThanAnOperand) {
  for (const std::string& key : all_gpus()) {
    Bench bench(key);
    FakeOp guarded = op(Lat::int_alu, 1, 1);
    guarded.inst.guard_reg = 1;
    const auto cycles = [&](const FakeOp& one) {
      return bench.per_repetition([&](int n) { return FakeProgram(static_cast<size_t>(n), one); });
    };
    EXPECT_DOUBLE_EQ(cycles(guarded), bench.spec.core.guard_cycles) << key;
    EXPECT_DOUBLE_EQ(cycles(op(Lat::branch)), bench.spec.core.branch_cycles) << key;
  }
}

// What the branch would skip is predicated; it waits for the guard though nothing is a branch.
TEST(Engine, WhatAFoldedBranchSkipsWaitsForItsGuard) {
  Bench bench("a100");
  FakeOp folded = op(Lat::branch);
  folded.inst.machine_ops = 0;
  folded.inst.control = isa::Control::bra;
  folded.inst.guard_reg = 1;
  const double cycles = bench.per_repetition([&](int n) {
    FakeProgram out;
    for (int i = 0; i < n; ++i) {
      out.insert(out.end(), {op(Lat::int_alu, 1, 2), folded, op(Lat::int_alu, 2)});
    }
    return out;
  });
  EXPECT_DOUBLE_EQ(cycles, bench.spec.core.guard_cycles + bench.spec.of(Lat::int_alu).latency);
}

TEST(Engine, ChaseInL1CostsThePublishedLoadToUse) {
  for (const std::string& key : all_gpus()) {
    Bench bench(key);
    if (!bench.spec.l1.caches_global) {
      continue;
    }
    const double cycles = bench.per_repetition([](int n) { return chase(n, [](int) { return 7; }); });
    EXPECT_DOUBLE_EQ(cycles, bench.spec.of(Lat::ld_global).latency) << key;
  }
}

TEST(Engine, ChaseInL2CostsThePublishedLoadToUse) {
  for (const std::string& key : all_gpus()) {
    Bench bench(key);
    bench.engine->memory_written(0, 1024 * 1024);
    const double cycles = bench.per_repetition([](int n) { return chase(n, [](int i) { return uint64_t(i) * 9; }); });
    EXPECT_GE(cycles, bench.spec.l2.near_latency_cycles) << key;
    EXPECT_LE(cycles, bench.spec.l2.far_latency_cycles) << key;
  }
}

TEST(Engine, ChaseInDramCostsThePublishedLoadToUse) {
  for (const std::string& key : all_gpus()) {
    Bench bench(without_tlb(key));
    // Each run has lines of its own: nothing is in L2.
    uint64_t base = 0;
    const double cycles = bench.per_repetition([&](int n) {
      base += 1 << 20;
      return chase(n, [&](int i) { return base + uint64_t(i) * 9; });
    });
    const double far = bench.spec.l2.far_latency_cycles - bench.spec.l2.near_latency_cycles;
    EXPECT_GE(cycles, bench.spec.dram.latency_cycles) << key;
    EXPECT_LE(cycles, bench.spec.dram.latency_cycles + far) << key;
  }
}

FakeOp shared_load(int wavefronts, int ideal) {
  FakeOp out = op(Lat::ld_shared, 1, 1);
  out.access = [=](exec::Access& a, uint64_t, int) {
    a.space = isa::Space::shared;
    a.is_load = true;
    a.active = isa::kFullMask;
    a.bytes = 4;
    a.wavefronts = wavefronts;
    a.ideal_wavefronts = ideal;
  };
  return out;
}

// A100: 23, 25, 29, 37 cycles for 1, 2, 4, 8 ways.
TEST(Engine, SharedLoadWithBankConflictsCostsTwoCyclesPerFurtherWay) {
  Bench bench("a100");
  for (const int ways : {1, 2, 4, 8}) {
    const double cycles =
        bench.per_repetition([&](int n) { return FakeProgram(static_cast<size_t>(n), shared_load(ways, 1)); });
    EXPECT_DOUBLE_EQ(cycles, 21 + 2 * ways);
  }
}

// 20 + 2 x warps on Turing, 21 + 2 x warps on A100 (IISWC 2024), 22 for one warp on V100.
TEST(Engine, BarrierCostsTwentyPlusTwoPerWarp) {
  for (const auto& [key, base] : std::vector<std::pair<std::string, int>>{{"t4", 20}, {"a100", 21}, {"v100", 20}}) {
    Bench bench(key);
    for (const int warps : {1, 2, 8, 32}) {
      const double cycles =
          bench.per_repetition([](int n) { return FakeProgram(static_cast<size_t>(n), barrier()); }, warps);
      EXPECT_DOUBLE_EQ(cycles, base + 2 * warps) << key << " " << warps;
    }
  }
}

TEST(Engine, CopiesOfAPendingLoadDoNotStall) {
  Bench bench(without_tlb("v100"));
  // ld r1; mov r2, r1; ld r3: the second load must not wait for the first.
  FakeProgram program{load(1, 9, [](uint64_t, int) { return 100; }), op(Lat::none, 2, 1),
                      load(3, 9, [](uint64_t, int) { return 5000; }), op(Lat::fp32, 4, 2), op(Lat::fp32, 5, 3)};
  const double both = bench.run(program).cycles - bench.spec.core.block_start_cycles;
  EXPECT_LT(both, 1.5 * bench.spec.dram.latency_cycles);
  EXPECT_GT(both, bench.spec.dram.latency_cycles);
}

TEST(Engine, StreamingReadReachesTheMeasuredDramBandwidth) {
  for (const char* key : {"v100", "t4", "a100"}) {
    Bench bench(key);
    const uint64_t blocks = bench.spec.topology.sms * 16;
    FakeProgram program;
    for (uint64_t i = 0; i < 8; ++i) {
      program.push_back(load(
          static_cast<ir::RegId>(i), 200, [=](uint64_t b, int w) { return i * blocks * 8 + b * 8 + uint64_t(w); }, 4));
    }
    const RunResult r = bench.run(program, blocks, 8);
    const double bytes = static_cast<double>(r.counters.dram_read_sectors) * 32;
    EXPECT_DOUBLE_EQ(bytes, static_cast<double>(blocks) * 8 * 8 * 128);
    const double reached = bytes / r.cycles / bench.spec.dram_bytes_per_cycle();
    EXPECT_GT(reached, 0.85 * bench.spec.dram.read_efficiency) << key;
    EXPECT_LE(reached, bench.spec.dram.read_efficiency) << key;
  }
}

TEST(Engine, ABlockIssuesItsFirstInstructionWhenItHasStarted) {
  GpuSpec spec = gpu("v100");
  const double start = spec.core.block_start_cycles;
  const FakeProgram program{op(Lat::fp32, 1, 2)};
  const double delayed = Bench(spec).run(program).cycles;
  // Blocks that fill an SM: each round starts after the one before has gone.
  const uint64_t round = uint64_t{spec.topology.sms} * 2;
  const double rounds = Bench(spec).run(program, 3 * round, 32).cycles;
  spec.core.block_start_cycles = 0;
  EXPECT_DOUBLE_EQ(delayed, Bench(spec).run(program).cycles + start);
  EXPECT_GT(rounds, 3 * start);
}

TEST(Engine, APartitionKeepsWhatItHasReadFromTheOther) {
  Bench bench("a100");
  // A chain of reads of many lines: half of them have their home in the other partition.
  FakeProgram program;
  for (uint64_t i = 0; i < 64; ++i) {
    program.push_back(load(1, 1, [i](uint64_t, int) { return i; }));
  }
  const double cold = bench.run(program).cycles, first = bench.run(program).cycles, again = bench.run(program).cycles;
  const double near = 64.0 * bench.spec.l2.near_latency_cycles;
  EXPECT_GT(cold, 64.0 * bench.spec.dram.latency_cycles);
  EXPECT_NEAR(again - bench.spec.core.block_start_cycles, near, 0.05 * near);
  EXPECT_DOUBLE_EQ(first, again) << "the copies were made when the lines came from DRAM";
}

TEST(Engine, AnL2SliceTakesSmallRequestsNoFasterThanItsTagsAndPartialWritesSlower) {
  Bench bench("v100");
  const uint64_t blocks = uint64_t{bench.spec.topology.sms} * 2, lines = 16'384;
  const auto at = [=](uint64_t i) {
    return [=](uint64_t b, int w) { return (b * 8 + uint64_t(w) + i * 997) % lines; };
  };
  FakeProgram reads, writes;
  for (uint64_t i = 0; i < 64; ++i) {
    reads.push_back(load(static_cast<ir::RegId>(i), 200, at(i)));
    writes.push_back(store(200, at(i), 32));
  }
  bench.run(reads, blocks, 8);
  const RunResult read = bench.run(reads, blocks, 8), written = bench.run(writes, blocks, 8);
  const double slices = bench.spec.l2.slices;
  const double read_requests = static_cast<double>(read.counters.l2_sectors[0]);
  const double write_requests = static_cast<double>(written.counters.l2_sectors[1]) / 4;
  EXPECT_EQ(read.counters.dram_read_sectors, 0u);
  EXPECT_GE(read.cycles, read_requests * bench.spec.l2.slice_request_cycles / slices);
  const double tpcs = bench.spec.topology.sms / double(bench.spec.topology.sms_per_tpc);
  const double each = bench.spec.l2.slice_request_cycles + 4 * bench.spec.l2.slice_partial_cycles;
  const double in_slices = write_requests * each / slices;
  const double on_links = write_requests * (1 + 4) * 32 / bench.spec.l2.tpc_port_bytes_per_cycle / tpcs;
  EXPECT_GE(written.cycles, std::max(in_slices, on_links));
  // 80 SMs, whose next write waits for its slice, keep 0.65 of 64 slices busy: r = b + b^2 / (2 (1 - b)) for r = 80
  // / 64.
  EXPECT_LE(written.cycles, 1.1 * std::max(in_slices / 0.65, on_links));
}

// What an H100 showed: of writes of four bytes to every sector of lines anywhere, 60 SMs bring 30 sectors a clock to
// L2, 132 SMs 48.7. The links of 60 SMs carry 68. The cost of a part is fitted to transposes, which makes it too small
// for these.
TEST(Engine, AWriteOfPartsOfSectorsHoldsUpItsSmUntilTheSliceIsFree) {
  const auto each_clock = [](uint64_t blocks) {
    Bench bench("h100");
    FakeProgram program;
    for (uint64_t i = 0; i < 40; ++i) {
      program.push_back(store(
          200, [=](uint64_t b, int w) { return ((b * 16 + uint64_t(w)) * 40 + i) * 7919 % 25'000 * 8; }, 32));
    }
    bench.run(program, blocks, 16);  // the lines are in L2
    const RunResult r = bench.run(program, blocks, 16);
    return static_cast<double>(r.counters.l2_sectors[1]) / static_cast<double>(r.cycles);
  };
  const GpuSpec spec = Bench("h100").spec;
  const double in_slices = spec.l2.slices * 4 / (spec.l2.slice_request_cycles + 4 * spec.l2.slice_partial_cycles);
  EXPECT_LT(each_clock(60), 0.75 * in_slices);
  EXPECT_NEAR(each_clock(132), 48.7, 0.2 * 48.7);
}

TEST(Engine, MissesOnOneSectorAreMergedAndCountedOnce) {
  Bench bench("v100");
  FakeProgram program{load(1, 9, [](uint64_t, int) { return 42; }), op(Lat::fp32, 2, 1)};
  const RunResult r = bench.run(program, 1, 8);
  EXPECT_EQ(r.counters.l2_sectors[0], 1u);
  EXPECT_EQ(r.counters.dram_read_sectors, bench.spec.l2.fetch_bytes / 32);
  EXPECT_EQ(r.counters.l1_sectors, 8u);
}

TEST(Engine, StoresGoThroughToL2AndComeBackAsL2Hits) {
  Bench bench("v100");
  const RunResult w = bench.run({store(1, [](uint64_t, int) { return 42; })});
  EXPECT_EQ(w.counters.l2_sectors[1], 4u);
  EXPECT_EQ(w.counters.dram_read_sectors, 0u);
  const RunResult r = bench.run({load(
                                     1, 9, [](uint64_t, int) { return 42; }, 4),
                                 op(Lat::fp32, 2, 1)});
  EXPECT_EQ(r.counters.l2_hits, 4u);
  EXPECT_EQ(r.counters.l1_hits, 0u) << "L1 is empty when a kernel starts";
}

TEST(Engine, EveryWarpCycleHasExactlyOneReason) {
  Bench bench("t4");
  FakeProgram program{load(1, 9, [](uint64_t b, int w) { return b * 64 + uint64_t(w); }), op(Lat::fp32, 2, 1),
                      barrier(), op(Lat::mufu, 3, 2), op(Lat::int_alu, 4, 3)};
  const RunResult r = bench.run(program, 1, 16);
  const uint64_t reasons = std::accumulate(r.counters.stall_cycles.begin(), r.counters.stall_cycles.end(), uint64_t{0});
  // One block: its 16 warps are resident from cycle 0 until each issues its exit.
  EXPECT_LE(reasons, 16u * static_cast<uint64_t>(r.cycles));
  EXPECT_GE(reasons, 16u * static_cast<uint64_t>(r.cycles) - 16u * 40u);
  EXPECT_EQ(r.counters.stall_cycles[static_cast<size_t>(Stall::selected)], r.counters.issued);
  EXPECT_EQ(r.counters.issued, 16u * 6u);
  EXPECT_GT(r.counters.stall_cycles[static_cast<size_t>(Stall::long_scoreboard)], 0u);
  EXPECT_GT(r.counters.stall_cycles[static_cast<size_t>(Stall::barrier)], 0u);
}

// Loads of shared memory with 32-way bank conflicts, each followed by one of global memory.
FakeProgram conflicts_and_loads() {
  FakeProgram out;
  for (ir::RegId i = 0; i < 8; ++i) {
    for (ir::RegId k = 0; k < 7; ++k) {
      FakeOp shared = op(Lat::ld_shared, static_cast<ir::RegId>(10 + 7 * i + k), 1);
      shared.access = [](exec::Access& a, uint64_t, int) {
        a.space = isa::Space::shared;
        a.active = isa::kFullMask;
        a.bytes = 4;
        a.is_load = true;
        a.wavefronts = 32;
        a.ideal_wavefronts = 1;
      };
      out.push_back(shared);
    }
    out.push_back(load(static_cast<ir::RegId>(100 + i), 1, [](uint64_t, int) { return 42; }));
  }
  return out;
}

TEST(Engine, AQueueFullOfSharedAccessesIsTheMiosThrottleAndOneFullOfGlobalLoadsTheLgs) {
  Bench bench("v100");
  const RunResult shared = bench.run(conflicts_and_loads(), 1, 16);
  EXPECT_GT(shared.counters.stall_cycles[static_cast<size_t>(Stall::mio_throttle)], 0u);
  EXPECT_EQ(shared.counters.stall_cycles[static_cast<size_t>(Stall::lg_throttle)], 0u);
  FakeProgram loads;
  for (ir::RegId i = 0; i < 64; ++i) {
    loads.push_back(load(
        static_cast<ir::RegId>(10 + i), 1, [=](uint64_t, int w) { return i * 100 + uint64_t(w); }, 4));
  }
  const RunResult global = bench.run(loads, 1, 16);
  EXPECT_GT(global.counters.stall_cycles[static_cast<size_t>(Stall::lg_throttle)], 0u);
  EXPECT_EQ(global.counters.stall_cycles[static_cast<size_t>(Stall::mio_throttle)], 0u);
}

TEST(Engine, BlocksSpreadOverSmsBeforeDoublingUp) {
  Bench bench("t4");
  FakeProgram program = chain(Lat::mufu, 50);
  program.push_back(exit_op());
  FakeGrid grid(program, 80, 4);
  bench.engine->run(grid, BlockNeeds{128, 32, 0}, 16, {});
  std::vector<int> per_sm(40, 0);
  for (size_t i = 0; i < 40; ++i) {
    ++per_sm[static_cast<size_t>(grid.placed_on[i])];
  }
  EXPECT_EQ(per_sm, std::vector<int>(40, 1));
  EXPECT_EQ(grid.placed_on[0], 0);
  EXPECT_EQ(grid.placed_on[1], 2) << "first SM of every TPC, then the second";
}

TEST(Engine, TheSameLaunchGivesTheSameCountersEveryTime) {
  RunResult first, second;
  for (RunResult* r : {&first, &second}) {
    Bench bench("a100");
    *r = bench.run(mixed(), 500, 4);
  }
  EXPECT_EQ(first.cycles, second.cycles);
  EXPECT_EQ(first.counters.stall_cycles, second.counters.stall_cycles);
  EXPECT_EQ(first.counters.l2_hits, second.counters.l2_hits);
}

TEST(Engine, ABarrierThatNobodyReleasesIsReportedAsDeadlock) {
  Bench bench("v100");
  FakeGrid grid({barrier(), exit_op()}, 1, 2);
  grid.barriers_release = false;
  const RunResult r = bench.engine->run(grid, BlockNeeds{64, 32, 0}, 16, {});
  EXPECT_NE(r.deadlock.find("sm 0: 2 warps"), std::string::npos) << r.deadlock;
  EXPECT_NE(r.deadlock.find("barrier"), std::string::npos) << r.deadlock;
}

}  // namespace
}  // namespace hpml::sim::timing
