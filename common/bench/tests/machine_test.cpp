#include "common/bench/machine.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "common/bench/blas.hpp"
#include "common/bench/quota.hpp"

namespace hpml::bench {
namespace {

class FakeRoot : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
  }
  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::filesystem::path root_;
};

TEST_F(FakeRoot, MachineIsDescribedFromWhatLinuxSays) {
  write("proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Model X\nflags\t\t: sse2 avx2 fma hypervisor\n\nprocessor\t: 1\n");
  write("proc/stat", "cpu  50 0 0 40 0 0 0 10 0 0\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n");
  write("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
  write("sys/devices/system/cpu/cpu0/cache/index3/size", "36608K\n");
  write("sys/devices/system/node/node0/x", "");
  write("sys/devices/system/node/node1/x", "");
  const auto machine = describe_machine(root_);
  EXPECT_EQ(machine["processor"], "Model X");
  EXPECT_EQ(machine["virtual_machine"], true);
  EXPECT_EQ(machine["frequency_policy"], "unknown (virtual machine)");
  EXPECT_EQ(machine["instruction_sets"], (nlohmann::json{"sse2", "avx2", "fma"}));
  EXPECT_EQ(machine["numa_nodes"], 2);
  EXPECT_EQ(machine["steal_percent"], 10.0);
  EXPECT_EQ(last_level_cache_bytes(root_), 36608 * 1024);
}

TEST_F(FakeRoot, WhatCannotBeReadIsUnknown) {
  const auto machine = describe_machine(root_);
  EXPECT_EQ(machine["processor"], "unknown");
  EXPECT_EQ(machine["frequency_policy"], "unknown");
  EXPECT_EQ(last_level_cache_bytes(root_), 0);
}

TEST_F(FakeRoot, AQuotaOfTheControlGroupCounts) {
  write("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(usable_processors(root_), 0.5);
  write("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_GE(usable_processors(root_), 1);
}

TEST_F(FakeRoot, AQuotaOfAGroupFurtherOutCountsInBothVersions) {
  write("proc/self/cgroup", "9:name=systemd:/a\n4:cpuacct,cpu:/outer/inner\n3:cpuset:/elsewhere\n0::/box/job\n");
  write("sys/fs/cgroup/cpu/outer/inner/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/outer/inner/cpu.cfs_period_us", "100000\n");
  EXPECT_GE(usable_processors(root_), 1);
  write("sys/fs/cgroup/cpu/outer/cpu.cfs_quota_us", "25000\n");
  write("sys/fs/cgroup/cpu/outer/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(usable_processors(root_), 0.25);
  write("sys/fs/cgroup/box/cpu.max", "10000 100000\n");
  EXPECT_DOUBLE_EQ(usable_processors(root_), 0.1);
  write("sys/fs/cgroup/cpu/elsewhere/cpu.stat", "nr_throttled 100\n");
  write("sys/fs/cgroup/cpu/outer/cpu.stat", "nr_periods 7\nnr_throttled 2\nthrottled_time 5\n");
  write("sys/fs/cgroup/box/job/cpu.stat", "usage_usec 9\nnr_periods 7\nnr_throttled 3\n");
  EXPECT_EQ(processor_quota(root_).held_back, 5);
}

using Flags = std::set<std::string>;
const Flags kServer = {"avx2", "fma", "avx512f", "avx512dq", "avx512bw", "avx512vl"};

TEST(OpenBlasCore, PrescottOnANewProcessorIsNoticedAndMended) {
  const CoreVerdict wide = judge_core("Prescott", kServer);
  EXPECT_NE(wide.says.find("takes this processor for a Prescott"), std::string::npos);
  EXPECT_EQ(wide.mend, "SkylakeX");
  EXPECT_EQ(judge_core("Prescott", {"avx2", "fma"}).mend, "Haswell");
  EXPECT_EQ(judge_core("Haswell", kServer).mend, "SkylakeX");
}

TEST(OpenBlasCore, AFittingChoiceIsLeftAlone) {
  for (const auto& [core, flags] : std::vector<std::pair<std::string, Flags>>{{"SkylakeX", kServer},
                                                                              {"Cooperlake", kServer},
                                                                              {"Sapphirerapids", kServer},
                                                                              {"Haswell", {"avx2", "fma"}},
                                                                              {"Zen", {"avx2", "fma"}},
                                                                              {"Prescott", {"sse3"}},
                                                                              {"neoversen1", {"asimd"}},
                                                                              {"", kServer}}) {
    EXPECT_EQ(judge_core(core, flags).mend, "") << core;
  }
}

}  // namespace
}  // namespace hpml::bench
