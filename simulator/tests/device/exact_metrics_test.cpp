// Do exact counters appear under the profiler's names with the profiler's formulas?
#include "simulator/device/exact_metrics.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::device {
namespace {

using exec::Counters;

// One warp of a vector add c[i] = a[i] + b[i]: two loads and one store of 32 x 4 bytes.
Counters one_warp_of_vector_add() {
  Counters c;
  c.global_ld = {.requests = 2, .sectors = 8, .lines = 2, .bytes = 256};
  c.global_st = {.requests = 1, .sectors = 4, .lines = 1, .bytes = 128};
  c.flops[static_cast<size_t>(isa::Flop::fadd)] = 32;
  c.warp_instructions = 10;
  c.thread_instructions = 300;
  c.thread_instructions_pred_on = 280;
  return c;
}

TEST(ExactMetrics, CoalescedAccessesHaveFourFullSectorsPerRequest) {
  const auto m = exact_metrics(one_warp_of_vector_add());
  EXPECT_EQ(m["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 2);
  EXPECT_EQ(m["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 8);
  EXPECT_EQ(m["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"], 4.0);
  EXPECT_EQ(m["smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"], 100.0);
  EXPECT_EQ(m["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 1);
  EXPECT_EQ(m["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 4);
  EXPECT_EQ(m["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"], 4.0);
}

TEST(ExactMetrics, StridedLoadsUseAnEighthOfEachSector) {
  Counters c;
  c.global_ld = {.requests = 1, .sectors = 32, .lines = 32, .bytes = 128};  // stride of 128 bytes, 4-byte words
  const auto m = exact_metrics(c);
  EXPECT_EQ(m["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"], 32.0);
  EXPECT_EQ(m["smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"], 12.5);
}

TEST(ExactMetrics, BankConflictsAreThePassesBeyondTheLeast) {
  Counters c;
  c.shared_ld = {.requests = 3, .wavefronts = 64, .ideal_wavefronts = 3};
  c.shared_st = {.requests = 2, .wavefronts = 2, .ideal_wavefronts = 2};
  const auto m = exact_metrics(c);
  EXPECT_EQ(m["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"], 64);
  EXPECT_EQ(m["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"], 61);
  EXPECT_EQ(m["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"], 0);
}

TEST(ExactMetrics, ThreadRatiosTellLanesAndPredicatedLanesPerInstruction) {
  const auto m = exact_metrics(one_warp_of_vector_add());
  EXPECT_EQ(m["smsp__thread_inst_executed_per_inst_executed.ratio"], 30.0);
  EXPECT_EQ(m["smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"], 28.0);
}

TEST(ExactMetrics, RatiosWithoutARequestAreZeroAndNotANumberNever) {
  const auto m = exact_metrics(Counters{});
  for (const auto& [name, value] : m.items()) {
    EXPECT_EQ(value, 0) << name;
  }
}

TEST(ExactMetrics, EveryFlopClassHasItsOwnCounter) {
  Counters c;
  const char* names[] = {"", "fadd", "fmul", "ffma", "dadd", "dmul", "dfma", "hadd", "hmul", "hfma"};
  for (int i = 0; i < isa::kFlopCount; ++i) {
    c.flops[i] = 100u + static_cast<unsigned>(i);
  }
  const auto m = exact_metrics(c);
  for (int i = 1; i < isa::kFlopCount; ++i) {
    EXPECT_EQ(m[std::string("smsp__sass_thread_inst_executed_op_") + names[i] + "_pred_on.sum"], 100 + i) << names[i];
  }
}

TEST(Flops, CountAFusedMultiplyAddTwice) {
  Counters c;
  c.flops[static_cast<size_t>(isa::Flop::fadd)] = 1;
  c.flops[static_cast<size_t>(isa::Flop::fmul)] = 10;
  c.flops[static_cast<size_t>(isa::Flop::ffma)] = 100;
  c.flops[static_cast<size_t>(isa::Flop::dfma)] = 7;
  c.flops[static_cast<size_t>(isa::Flop::hfma)] = 5;
  c.flops[static_cast<size_t>(isa::Flop::none)] = 999;
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

}  // namespace
}  // namespace hpml::sim::device
