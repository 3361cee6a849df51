// Do modelled counters appear under the profiler's names with the profiler's formulas?
#include "simulator/device/model_metrics.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

using timing::Pipe;
using timing::Stall;

ModelledLaunch launch_of_1000_cycles() {
  ModelledLaunch launch;
  launch.cycles = 1000;
  launch.duration_ns = 1000 / 1.59;
  auto& c = launch.counters;
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
  return launch;
}

TEST(ModelMetrics, OccupancyAndIssueRatesCompareWithActiveCycles) {
  const auto m = model_metrics(launch_of_1000_cycles(), t4());
  EXPECT_EQ(m["sm__cycles_elapsed.max"], 1000.0);
  EXPECT_EQ(m["sm__cycles_active.avg"], 500.0);
  // 160,000 warp-cycles of 20,000 x 32 possible
  EXPECT_EQ(m["sm__warps_active.avg.pct_of_peak_sustained_active"], 25.0);
  EXPECT_EQ(m["smsp__issue_active.avg.per_cycle_active"], 0.25);
  EXPECT_EQ(m["smsp__warps_eligible.avg.per_cycle_active"], 0.75);
  EXPECT_EQ(m["sm__inst_executed.avg.per_cycle_active"], 1.0);
  EXPECT_EQ(m["smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"], 5.0);
}

TEST(ModelMetrics, ThroughputsCompareWithWhatTheUnitsCanDo) {
  const auto m = model_metrics(launch_of_1000_cycles(), t4());
  // 4,000 sectors of 32 bytes in 20,000 SM-cycles of 64 bytes; 3,000 in 1,000 cycles of 32 slices x 32 bytes
  EXPECT_EQ(m["l1tex__throughput.avg.pct_of_peak_sustained_active"], 10.0);
  EXPECT_EQ(m["lts__throughput.avg.pct_of_peak_sustained_elapsed"], 9.375);
  // 8,000 instructions of 2 cycles on 4 pipes in 20,000 SM-cycles
  EXPECT_EQ(m["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"], 20.0);
  EXPECT_EQ(m["sm__warps_active.avg.per_cycle_active"], 8.0);
}

TEST(ModelMetrics, CacheAndDramFiguresCountSectorsOf32Bytes) {
  const auto m = model_metrics(launch_of_1000_cycles(), t4());
  EXPECT_EQ(m["l1tex__t_sector_hit_rate.pct"], 25.0);
  EXPECT_EQ(m["lts__t_sectors_op_read.sum"], 2'000);
  EXPECT_EQ(m["lts__t_sectors_op_write.sum"], 1'000);
  EXPECT_EQ(m["lts__t_sector_hit_rate.pct"], 20.0);
  EXPECT_EQ(m["lts__t_bytes.sum"], 96'000);
  EXPECT_EQ(m["dram__bytes_read.sum"], 48'000);
  EXPECT_EQ(m["dram__bytes_write.sum"], 16'000);
  // 64 bytes per cycle of 320 GB/s at 1.59 GHz = 201.26
  EXPECT_NEAR(m["dram__throughput.avg.pct_of_peak_sustained_elapsed"].get<double>(), 100 * 64 * 1.59 / 320, 1e-9);
}

TEST(ModelMetrics, SmThroughputIsThatOfTheBusiestPipe) {
  // fma: 8,000 instructions x 2 cycles on 160 pipes x 1,000 cycles = 10 %; issue: 20,000 of 160,000 slots = 12.5 %
  auto launch = launch_of_1000_cycles();
  EXPECT_EQ(model_metrics(launch, t4())["sm__throughput.avg.pct_of_peak_sustained_elapsed"], 12.5);
  launch.counters.pipe_issued[static_cast<size_t>(Pipe::fma)] = 40'000;
  EXPECT_EQ(model_metrics(launch, t4())["sm__throughput.avg.pct_of_peak_sustained_elapsed"], 50.0);
  // one FP64 pipe per SM on Turing: 16 cycles each
  launch.counters.pipe_issued[static_cast<size_t>(Pipe::fp64)] = 2'000;
  const double fp64 = model_metrics(launch, t4())["sm__throughput.avg.pct_of_peak_sustained_elapsed"];
  EXPECT_GT(fp64, 50.0);
}

TEST(Stalls, NameEveryReasonAndSumUpToTheResidentWarpCycles) {
  const auto record = stalls_record(launch_of_1000_cycles().counters);
  EXPECT_EQ(record.size(), static_cast<size_t>(timing::kStallCount));
  uint64_t sum = 0;
  for (const auto& [reason, cycles] : record.items()) {
    sum += cycles.get<uint64_t>();
  }
  EXPECT_EQ(sum, 160'000u);
}

}  // namespace
}  // namespace hpml::sim::device
