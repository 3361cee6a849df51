// Do counters appear under the profiler's names with the profiler's formulas?
#include "simulator/device/counters.hpp"

#include <gtest/gtest.h>

#include <map>

#include "simulator/device/formulas.hpp"
#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

using exec::Counters;
using timing::ModelCounters;
using timing::Pipe;
using timing::Stall;

using ByName = std::map<std::string, double, std::less<>>;

ByName by_name(const metrics::Values& values) {
  ByName found;
  for (const metrics::Named& entry : values) {
    EXPECT_TRUE(entry.value.known()) << entry.name;
    EXPECT_TRUE(found.emplace(entry.name, entry.value.as_double()).second) << entry.name << " twice";
  }
  return found;
}

const KernelInfo kNoKernel;
const LaunchRequest kNoRequest;

ByName counted(const Counters& counters, const std::optional<ModelCounters>& modelled = {}, double cycles = 0) {
  LaunchFacts facts{.kernel = kNoKernel, .request = kNoRequest, .fit = {}, .counters = counters, .modelled = modelled};
  facts.fit.blocks_per_sm = 1;
  facts.cycles = cycles;
  return by_name(launch_counters(facts, t4()));
}

// One warp of a vector add c[i] = a[i] + b[i]: two loads and one store of 32 x 4 bytes.
Counters one_warp_of_vector_add() {
  Counters c;
  c.global_ld = {.requests = 2, .sectors = 8, .lines = 2, .bytes = 256};
  c.global_st = {.requests = 1, .sectors = 4, .lines = 1, .bytes = 128};
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::fadd)] = 32;
  c.warp_instructions = 10;
  c.thread_instructions = 300;
  c.thread_instructions_pred_on = 280;
  return c;
}

TEST(ExactMetrics, CoalescedAccessesHaveFourFullSectorsPerRequest) {
  const auto m = counted(one_warp_of_vector_add());
  EXPECT_EQ(m.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 2);
  EXPECT_EQ(m.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 8);
  EXPECT_EQ(m.at("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"), 4.0);
  EXPECT_EQ(m.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"), 100.0);
  EXPECT_EQ(m.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 1);
  EXPECT_EQ(m.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 4);
  EXPECT_EQ(m.at("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"), 4.0);
}

TEST(ExactMetrics, StridedLoadsUseAnEighthOfEachSector) {
  Counters c;
  c.global_ld = {.requests = 1, .sectors = 32, .lines = 32, .bytes = 128};  // stride of 128 bytes, 4-byte words
  const auto m = counted(c);
  EXPECT_EQ(m.at("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"), 32.0);
  EXPECT_EQ(m.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"), 12.5);
}

TEST(ExactMetrics, BankConflictsAreThePassesBeyondTheLeast) {
  Counters c;
  c.shared_ld = {.requests = 3, .wavefronts = 64, .ideal_wavefronts = 3};
  c.shared_st = {.requests = 2, .wavefronts = 2, .ideal_wavefronts = 2};
  const auto m = counted(c);
  EXPECT_EQ(m.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), 64);
  EXPECT_EQ(m.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), 61);
  EXPECT_EQ(m.at("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"), 0);
}

TEST(ExactMetrics, ThreadRatiosTellLanesAndPredicatedLanesPerInstruction) {
  const auto m = counted(one_warp_of_vector_add());
  EXPECT_EQ(m.at("smsp__thread_inst_executed_per_inst_executed.ratio"), 30.0);
  EXPECT_EQ(m.at("smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"), 28.0);
}

TEST(ExactMetrics, RatiosWithoutARequestAreZeroAndNotANumberNever) {
  for (const auto& [name, value] : counted(Counters{}, ModelCounters{})) {
    if (!name.starts_with("launch__") && name != "gpusim__launch_overhead_us.sum") {
      EXPECT_EQ(value, 0) << name;
    }
  }
}

TEST(ExactMetrics, WhatWasNotTimedIsLeftOut) {
  const auto m = counted(Counters{});
  EXPECT_TRUE(m.contains("gpu__time_duration.sum"));
  EXPECT_FALSE(m.contains("sm__cycles_elapsed.max"));
  EXPECT_FALSE(m.contains("launch__cluster_dim_x"));
}

TEST(ExactMetrics, EveryThreadOperationHasItsOwnCounter) {
  Counters c;
  const std::string sass = "smsp__sass_thread_inst_executed_op_", own = "gpusim__thread_inst_executed_op_";
  const std::string names[] = {"",
                               sass + "fadd",
                               sass + "fmul",
                               sass + "ffma",
                               sass + "dadd",
                               sass + "dmul",
                               sass + "dfma",
                               sass + "hadd",
                               sass + "hmul",
                               sass + "hfma",
                               own + "dp4a",
                               own + "dp2a"};
  static_assert(std::size(names) == isa::kThreadOpCount);
  for (int i = 0; i < isa::kThreadOpCount; ++i) {
    c.thread_ops[i] = 100u + static_cast<unsigned>(i);
  }
  const auto m = counted(c);
  for (int i = 1; i < isa::kThreadOpCount; ++i) {
    EXPECT_EQ(m.at(names[i] + "_pred_on.sum"), 100 + i) << names[i];
  }
}

TEST(Flops, CountAFusedMultiplyAddTwice) {
  Counters c;
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::fadd)] = 1;
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::fmul)] = 10;
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::ffma)] = 100;
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::dfma)] = 7;
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::hfma)] = 5;
  c.thread_ops[static_cast<size_t>(isa::ThreadOp::none)] = 999;
  const Flops flops = flops_of(c);
  EXPECT_EQ(flops.fp32, 211u);
  EXPECT_EQ(flops.fp64, 14u);
  EXPECT_EQ(flops.fp16, 10u);
  EXPECT_EQ(flops.total(), 235u);
}

TEST(L1Bytes, Are32PerSectorOfGlobalAndLocalMemory) {
  Counters c = one_warp_of_vector_add();
  c.local_st.sectors = 4;
  c.global_atom.sectors = 1;
  c.global_red.sectors = 2;
  c.shared_ld.wavefronts = 50;
  EXPECT_EQ(l1_bytes_of(c), (8u + 4 + 4 + 1 + 2) * 32);
}

constexpr double kCycles = 1000;

ModelCounters in_1000_cycles() {
  ModelCounters c;
  c.sm_cycles_active = 20'000;  // half of 40 SMs x 1000
  c.scheduler_cycles_active = 80'000;
  c.issue_active = 20'000;
  c.issued = 20'000;
  c.pipe_issued[static_cast<size_t>(Pipe::fma)] = 8'000;
  c.pipe_issued[static_cast<size_t>(Pipe::lsu)] = 3'000;
  c.stall_cycles[static_cast<size_t>(Stall::long_scoreboard)] = 100'000;
  c.stall_cycles[static_cast<size_t>(Stall::not_selected)] = 40'000;
  c.stall_cycles[static_cast<size_t>(Stall::selected)] = 20'000;
  c.l1_sectors = 4'000;
  c.l1_hits = 1'000;
  c.l2_sectors = {2'000, 1'000, 0, 0};
  c.l2_hits = 600;
  c.dram_read_sectors = 1'500;
  c.dram_write_sectors = 500;
  return c;
}

TEST(ModelMetrics, OccupancyAndIssueRatesCompareWithActiveCycles) {
  const auto m = counted({}, in_1000_cycles(), kCycles);
  EXPECT_EQ(m.at("sm__cycles_elapsed.max"), 1000.0);
  EXPECT_EQ(m.at("sm__cycles_active.avg"), 500.0);
  // 160,000 warp-cycles of 20,000 x 32 possible
  EXPECT_EQ(m.at("sm__warps_active.avg.pct_of_peak_sustained_active"), 25.0);
  EXPECT_EQ(m.at("smsp__issue_active.avg.per_cycle_active"), 0.25);
  EXPECT_EQ(m.at("smsp__warps_eligible.avg.per_cycle_active"), 0.75);
  EXPECT_EQ(m.at("sm__inst_executed.avg.per_cycle_active"), 1.0);
  EXPECT_EQ(m.at("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"), 5.0);
}

TEST(ModelMetrics, ThroughputsCompareWithWhatTheUnitsCanDo) {
  const auto m = counted({}, in_1000_cycles(), kCycles);
  // 4,000 sectors of 32 bytes in 20,000 SM-cycles of 64 bytes; 3,000 in 1,000 cycles of 32 slices x 32 bytes
  EXPECT_EQ(m.at("l1tex__throughput.avg.pct_of_peak_sustained_active"), 10.0);
  EXPECT_EQ(m.at("lts__throughput.avg.pct_of_peak_sustained_elapsed"), 9.375);
  // 8,000 instructions of 2 cycles on 4 pipes in 20,000 SM-cycles
  EXPECT_EQ(m.at("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"), 20.0);
  EXPECT_EQ(m.at("sm__warps_active.avg.per_cycle_active"), 8.0);
}

TEST(ModelMetrics, CacheAndDramFiguresCountSectorsOf32Bytes) {
  const auto m = counted({}, in_1000_cycles(), kCycles);
  EXPECT_EQ(m.at("l1tex__t_sector_hit_rate.pct"), 25.0);
  EXPECT_EQ(m.at("lts__t_sectors_op_read.sum"), 2'000);
  EXPECT_EQ(m.at("lts__t_sectors_op_write.sum"), 1'000);
  EXPECT_EQ(m.at("lts__t_sector_hit_rate.pct"), 20.0);
  EXPECT_EQ(m.at("lts__t_bytes.sum"), 96'000);
  EXPECT_EQ(m.at("dram__bytes_read.sum"), 48'000);
  EXPECT_EQ(m.at("dram__bytes_write.sum"), 16'000);
  // 64 bytes per cycle of 320 GB/s at 1.59 GHz = 201.26
  EXPECT_NEAR(m.at("dram__throughput.avg.pct_of_peak_sustained_elapsed"), 100 * 64 * 1.59 / 320, 1e-9);
}

TEST(ModelMetrics, SmThroughputIsThatOfTheBusiestPipe) {
  // fma: 8,000 instructions x 2 cycles on 160 pipes x 1,000 cycles = 10 %; issue: 20,000 of 160,000 slots = 12.5 %
  auto c = in_1000_cycles();
  EXPECT_EQ(counted({}, c, kCycles).at("sm__throughput.avg.pct_of_peak_sustained_elapsed"), 12.5);
  c.pipe_issued[static_cast<size_t>(Pipe::fma)] = 40'000;
  EXPECT_EQ(counted({}, c, kCycles).at("sm__throughput.avg.pct_of_peak_sustained_elapsed"), 50.0);
  // one FP64 pipe per SM on Turing: 16 cycles each
  c.pipe_issued[static_cast<size_t>(Pipe::fp64)] = 2'000;
  const double fp64 = counted({}, c, kCycles).at("sm__throughput.avg.pct_of_peak_sustained_elapsed");
  EXPECT_GT(fp64, 50.0);
}

TEST(Stalls, NameEveryReasonAndSumUpToTheResidentWarpCycles) {
  const auto stalls = by_name(stall_counters(in_1000_cycles()));
  EXPECT_EQ(stalls.size(), static_cast<size_t>(timing::kStallCount));
  double sum = 0;
  for (const auto& [reason, cycles] : stalls) {
    sum += cycles;
    EXPECT_TRUE(counted({}, ModelCounters{})
                    .contains("smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio"));
  }
  EXPECT_EQ(sum, 160'000);
}

}  // namespace
}  // namespace hpml::sim::device
