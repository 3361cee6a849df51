// Question: do requests to L2 cost what measurements of a V100 and its neighbours say? Stores, loads past L1, dirty
// lines, atomics on one address.
#include <gtest/gtest.h>

#include "simulator/isa/decode.hpp"
#include "simulator/tests/timing/bench.hpp"

namespace hpml::sim::timing {
namespace {

using isa::Lat;

// 128-byte stores of every warp to lines of its own that stay in L2.
FakeProgram stores(int n) {
  FakeProgram out;
  for (int i = 0; i < n; ++i) {
    out.push_back(store(200, [i](uint64_t b, int w) { return b * 512 + static_cast<uint64_t>(w * 16 + i % 16); }));
  }
  return out;
}

double cycles_per_store(Bench& bench, uint64_t blocks) {
  constexpr int kWarps = 8;
  const double few = bench.run(stores(64), blocks, kWarps).cycles;
  return (bench.run(stores(320), blocks, kWarps).cycles - few) / (256.0 * kWarps);
}

TEST(L2Traffic, TheSmsOfATpcShareTheLinkThatTheirStoresTake) {
  Bench bench("v100");
  const double alone = cycles_per_store(bench, 1), all = cycles_per_store(bench, bench.spec.topology.sms);
  const double packets = 1 + 4;  // a header, four sectors
  const double expected = packets * 32 / bench.spec.l2.tpc_port_bytes_per_cycle;
  printf("one SM: expected %.1f, measured %.2f; all: expected %.1f, measured %.2f, a V100 9.4 to 11.2 cycles\n",
         expected, alone, expected * bench.spec.topology.sms_per_tpc, all);
  EXPECT_NEAR(alone, expected, 0.05 * expected);
  EXPECT_NEAR(all, expected * bench.spec.topology.sms_per_tpc, 0.05 * expected * bench.spec.topology.sms_per_tpc);
  EXPECT_GE(all, 9.4);
  EXPECT_LE(all, 11.2);
}

TEST(L2Traffic, NeighboursOnALinkGoTheSameDistance) {
  Bench bench("v100");
  const auto one = [&](uint64_t blocks) { return bench.run(stores(256), blocks, 8).cycles; };
  const double pair = one(bench.spec.topology.sms), single = one(bench.spec.topology.sms / 2);
  // Blocks go to the first SM of every TPC first; two that share do not finish one after the other.
  EXPECT_NEAR(pair / single, bench.spec.topology.sms_per_tpc, 0.1);
}

FakeProgram loads_of_one_line(isa::Cache cache) {
  FakeOp one = load(1, 9, [](uint64_t, int) { return 42; });
  const auto fill = one.access;
  one.access = [=](exec::Access& a, uint64_t b, int w) {
    fill(a, b, w);
    a.cache = cache;
  };
  return {one, op(Lat::fp32, 2, 1)};
}

TEST(L2Traffic, LoadsPastL1AreNotMergedInItsMissRegisters) {
  Bench bench("v100");
  EXPECT_EQ(bench.run(loads_of_one_line(isa::Cache::none), 1, 8).counters.l2_sectors[0], 1u);
  EXPECT_EQ(bench.run(loads_of_one_line(isa::Cache::cg), 1, 8).counters.l2_sectors[0], 8u);
}

TEST(L2Traffic, AMissBringsItsNeighbourAsCudaLimitMaxL2FetchGranularitySays) {
  constexpr int kLines = 64;
  const auto sectors = [](const char* key, int wanted) {
    Bench bench(key);
    FakeProgram program;
    for (int i = 0; i < kLines; ++i) {
      program.push_back(load(
          ir::kNoReg, 200, [i](uint64_t, int) { return static_cast<uint64_t>(i) * 3; }, wanted));
    }
    const ModelCounters counters = bench.run(program).counters;
    EXPECT_EQ(counters.l2_sectors[0], static_cast<uint64_t>(kLines * wanted));
    return counters.dram_read_sectors;
  };
  EXPECT_EQ(sectors("v100", 1), 2u * kLines);
  EXPECT_EQ(sectors("v100", 3), 4u * kLines);
  EXPECT_EQ(sectors("v100", 4), 4u * kLines);
  EXPECT_EQ(sectors("k80", 1), 1u * kLines);
}

TEST(L2Traffic, AboutThreeFifthsOfL2StayDirtyWhenAKernelEnds) {
  Bench bench("v100");
  const uint64_t lines = uint64_t{bench.spec.l2.size_kib} * 8 * 95 / 100;  // nearly all of L2, every line once
  const uint64_t blocks = lines / 128;
  FakeProgram program;
  for (int i = 0; i < 16; ++i) {
    program.push_back(store(200, [i](uint64_t b, int w) { return b * 128 + static_cast<uint64_t>(w * 16 + i); }));
  }
  const RunResult r = bench.run(program, blocks, 8);
  const double dirty = static_cast<double>(r.counters.l2_sectors[1] - r.counters.dram_write_sectors) * 32 / 1e6;
  printf("dirty at the end: %.2f MB of %.2f; a V100 keeps 3 to 4.4\n", dirty, bench.spec.l2.size_kib * 1024 / 1e6);
  EXPECT_GE(dirty, 3.0);
  EXPECT_LE(dirty, 4.4);
}

TEST(L2Traffic, ALineThatWasWrittenBackEarlyIsStillThere) {
  Bench bench("v100");
  const uint64_t lines = uint64_t{bench.spec.l2.size_kib} * 8 / 2, blocks = lines / 128;
  const auto at = [](int i) { return [i](uint64_t b, int w) { return b * 128 + static_cast<uint64_t>(w * 16 + i); }; };
  FakeProgram writes, reads;
  for (int i = 0; i < 16; ++i) {
    writes.push_back(store(200, at(i)));
    reads.push_back(load(static_cast<ir::RegId>(i), 200, at(i), 4));
  }
  const uint64_t written_back = bench.run(writes, blocks, 8).counters.dram_write_sectors;
  EXPECT_LT(bench.run(reads, blocks, 8).counters.dram_read_sectors, lines * 4 / 100) << "all but hash conflicts hit";
  EXPECT_GT(written_back, 0u);
}

TEST(L2Traffic, AFillLargerThanL2LeavesNothingOfWhatWasThere) {
  Bench bench("v100");
  const uint64_t lines = uint64_t{bench.spec.l2.size_kib} * 8 / 2, blocks = lines / 128;
  FakeProgram reads;
  for (int i = 0; i < 16; ++i) {
    reads.push_back(load(
        static_cast<ir::RegId>(i), 200, [i](uint64_t b, int w) { return b * 128 + static_cast<uint64_t>(w * 16 + i); },
        4));
  }
  const auto from_dram = [&] { return bench.run(reads, blocks, 8).counters.dram_read_sectors; };
  from_dram();
  EXPECT_LT(from_dram(), lines * 4 / 100);
  bench.engine->memory_written(uint64_t{1} << 40, uint64_t{3} * bench.spec.l2.size_kib * 1024);
  EXPECT_EQ(from_dram(), lines * 4);
}

// What local memory's stores do: `lines` of them, one warp, then the same again.
RunResult local_stores(const GpuSpec& spec, int lines) {
  Bench bench(spec);
  FakeProgram program;
  for (int i = 0; i < 2 * lines; ++i) {
    FakeOp one = store(200, [i, lines](uint64_t, int) { return static_cast<uint64_t>(i % lines); });
    const auto fill = one.access;
    one.access = [=](exec::Access& a, uint64_t b, int w) {
      fill(a, b, w);
      a.space = isa::Space::local;
    };
    program.push_back(one);
  }
  return bench.run(program);
}

TEST(L2Traffic, StoresToLocalMemoryGoOnToL2WhereTheGpuFileSaysSo) {
  GpuSpec spec = gpu("v100");
  EXPECT_EQ(local_stores(spec, 8).counters.l2_sectors[1], 2u * 8 * 4);
  spec.l1.local_write_through = false;
  EXPECT_EQ(local_stores(spec, 8).counters.l2_sectors[1], 0u);
}

// A load of doubles that hits L1, its first lane `offset` bytes behind the beginning of a line.
double cycles_per_load_of_doubles(Bench& bench, uint64_t offset) {
  FakeOp one = load(ir::kNoReg, ir::kNoReg, [](uint64_t, int) { return 0; });
  one.access = [=](exec::Access& a, uint64_t, int) {
    const int lines = offset == 0 ? 2 : 3;
    fill_lines(a, 64, 4 * lines);
    a.active = isa::kFullMask;
    a.bytes = 8;
    a.is_load = true;
    a.is_store = false;
    for (size_t lane = 0; lane < 32; ++lane) {
      a.address[lane] = 64 * 128 + offset + 8 * lane;
    }
  };
  return bench.per_repetition([&](int n) { return FakeProgram(static_cast<size_t>(n), one); }, 16) / 16;
}

TEST(L2Traffic, HalfAWarpOfDoublesAcrossTwoLinesTakesMoreThanOneLookUp) {
  Bench bench("v100");
  const double across = bench.spec.l1.tag_base_cycles + 2 / double(bench.spec.l1.tags_per_cycle);
  EXPECT_NEAR(cycles_per_load_of_doubles(bench, 0), 2.0, 0.05);
  EXPECT_NEAR(cycles_per_load_of_doubles(bench, 8), 2 * across, 0.05);
}

FakeOp atomic(ir::Combine combine, bool returns, int lanes, int i) {
  FakeOp out = op(Lat::atom_global, returns ? static_cast<ir::RegId>(i) : ir::kNoReg, 250);
  out.inst.combine = combine;
  const std::vector<std::string> suffixes = {"global", "add", "u32"};
  out.inst.variant = isa::decode("red", suffixes, 2).value().variant;
  out.access = [=](exec::Access& a, uint64_t, int) {
    fill_lines(a, 42, 1);
    a.active = lanes == 32 ? isa::kFullMask : (isa::LaneMask{1} << lanes) - 1;
    a.is_atomic = true;
    a.is_load = returns;
    a.is_store = false;
    a.same_address = lanes;
  };
  return out;
}

double cycles_per_atomic(Bench& bench, ir::Combine combine, bool returns, int lanes) {
  return bench.per_repetition([=](int n) {
    FakeProgram out;
    for (int i = 0; i < n; ++i) {
      out.push_back(atomic(combine, returns, lanes, i));
    }
    return out;
  });
}

TEST(L2Traffic, AnAtomicOfAWholeWarpThatReturnsHoldsItForARoundTripAndAShuffle) {
  Bench bench("v100");
  const double round_trip = bench.spec.l2.near_latency_cycles + bench.spec.of(Lat::atom_global).latency;
  const double expected = round_trip + bench.spec.of(Lat::shuffle).latency;
  const double measured = cycles_per_atomic(bench, ir::Combine::elect, true, 32);
  printf("expected %.0f, measured %.1f cycles: %.3f additions per clock; a V100 reaches 0.116\n", expected, measured,
         32 / measured);
  EXPECT_NEAR(measured, expected, 0.05 * expected);
}

TEST(L2Traffic, AtomicsOfLanesThatAskForThemselvesDoNotHoldTheWarp) {
  Bench bench("v100");
  const double lanes = 31 * bench.spec.l2.atomic_same_address_cycles + bench.spec.l2.slice_request_cycles;
  EXPECT_NEAR(cycles_per_atomic(bench, ir::Combine::none, true, 32), lanes, 0.1 * lanes);
}

TEST(L2Traffic, AReductionOfAWholeWarpTakesOneLanesTimeInL2) {
  Bench bench("v100");
  EXPECT_LT(cycles_per_atomic(bench, ir::Combine::elect, false, 32), 8);
}

TEST(L2Traffic, AReductionByShufflesTakesFiveOfThemWhereThereIsNoInstructionForIt) {
  Bench volta("v100"), ampere("a100");
  const double step = volta.spec.of(Lat::shuffle).latency + volta.spec.of(Lat::int_alu).latency;
  EXPECT_NEAR(cycles_per_atomic(volta, ir::Combine::reduce, false, 32), 5 * step, 0.1 * 5 * step);
  EXPECT_LT(cycles_per_atomic(ampere, ir::Combine::reduce, false, 32), step);
  // Lanes are missing: they ask for themselves.
  EXPECT_GT(cycles_per_atomic(volta, ir::Combine::reduce, false, 31), 30 * volta.spec.l2.atomic_same_address_cycles);
}

}  // namespace
}  // namespace hpml::sim::timing
