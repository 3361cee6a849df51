// Question: is every GPU file complete, and does it say what the published tables say?
#include "simulator/timing/gpu_spec.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "simulator/tests/timing/gpus.hpp"

namespace hpml::sim::timing {
namespace {

std::string text_of(const std::string& key) {
  std::ifstream file(gpu_path(key));
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

std::string load_error(const std::string& text) {
  // ctest runs each test as a process of its own, several at a time.
  const std::string path = ::testing::TempDir() + "hpml_gpu_spec_test_" + std::to_string(::getpid()) + ".toml";
  std::ofstream(path) << text;
  const Result<GpuSpec> spec = load_gpu(path);
  std::filesystem::remove(path);
  return spec.ok() ? "" : spec.error().to_string();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(GpuSpec, ListsEveryGpuFile) {
  const auto keys = list_gpus(gpu_directory());
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(*keys, (std::vector<std::string>{"a100", "a100_80gb", "h100", "h100_pcie", "h200", "k80", "rtx8000", "t4",
                                             "v100", "v100_sxm2"}));
}

// CUDA C++ Programming Guide, technical specifications per compute capability; vendor SM counts.
TEST(GpuSpec, AgreesWithThePublishedTables) {
  struct Row {
    const char* key;
    int cc;
    uint32_t sms, warps, blocks, shared_kib;
    double peak_gbs;
  };
  const Row rows[] = {{"k80", 37, 13, 64, 16, 112, 240.5},         {"v100", 70, 80, 64, 32, 96, 898.0},
                      {"t4", 75, 40, 32, 16, 64, 320.0},           {"rtx8000", 75, 72, 32, 16, 64, 624.0},
                      {"a100", 80, 108, 64, 32, 164, 1555.0},      {"h100", 90, 132, 64, 32, 228, 3350.0},
                      {"h200", 90, 132, 64, 32, 228, 4800.0},      {"v100_sxm2", 70, 80, 64, 32, 96, 898.0},
                      {"a100_80gb", 80, 108, 64, 32, 164, 2039.0}, {"h100_pcie", 90, 114, 64, 32, 228, 2039.0}};
  for (const Row& row : rows) {
    const GpuSpec spec = gpu(row.key);
    EXPECT_EQ(spec.identity.key, row.key);
    EXPECT_EQ(spec.identity.cc_major * 10 + spec.identity.cc_minor, row.cc) << row.key;
    EXPECT_EQ(spec.topology.sms, row.sms) << row.key;
    EXPECT_EQ(spec.limits.max_warps_per_sm, row.warps) << row.key;
    EXPECT_EQ(spec.limits.max_blocks_per_sm, row.blocks) << row.key;
    EXPECT_EQ(spec.limits.shared_per_sm_bytes, row.shared_kib * 1024) << row.key;
    EXPECT_EQ(spec.l1.carveouts_kib.back(), row.shared_kib) << row.key;
    EXPECT_DOUBLE_EQ(spec.dram.peak_gbs, row.peak_gbs) << row.key;
  }
}

// Measured by others with chains of dependent instructions, in cycles: K80, V100 and T4 by Jia et al. (2018, 2019),
// FP32 and FP64 of Kepler by Arafa et al. (2019); L1 and shared memory of A100 by Abdelkhalik et al. (2022).
TEST(GpuSpec, LatenciesAreThosePublished) {
  using isa::Lat;
  struct Row {
    const char* key;
    Lat lat;
    uint32_t cycles;
  };
  const Row rows[] = {{"k80", Lat::fp32, 9},        {"k80", Lat::fp64, 10},       {"k80", Lat::ld_shared, 26},
                      {"k80", Lat::ld_global, 35},  {"v100", Lat::fp32, 4},       {"v100", Lat::fp64, 8},
                      {"v100", Lat::ld_shared, 19}, {"v100", Lat::ld_global, 28}, {"t4", Lat::fp32, 4},
                      {"t4", Lat::fp64, 54},        {"t4", Lat::ld_shared, 19},   {"t4", Lat::ld_global, 32},
                      {"a100", Lat::ld_shared, 23}, {"a100", Lat::ld_global, 33}};
  for (const Row& row : rows) {
    EXPECT_EQ(gpu(row.key).of(row.lat).latency, row.cycles) << row.key << " " << isa::name(row.lat);
  }
}

TEST(GpuSpec, EveryIssuedClassHasLatencyIntervalAndPipe) {
  for (const std::string& key : all_gpus()) {
    const GpuSpec spec = gpu(key);
    for (int i = 1; i < isa::kLatCount; ++i) {
      const LatencyClass& c = spec.latency[static_cast<size_t>(i)];
      const std::string where = key + " " + std::string(isa::name(static_cast<isa::Lat>(i)));
      EXPECT_GT(c.latency, 0u) << where;
      EXPECT_GT(c.interval, 0.0) << where;
      EXPECT_NE(c.pipe, Pipe::none) << where;
    }
    EXPECT_LT(spec.of(isa::Lat::ld_global).latency, spec.l2.near_latency_cycles) << key;
    EXPECT_LT(spec.l2.near_latency_cycles, spec.dram.latency_cycles) << key;
    EXPECT_EQ(spec.limits.registers_per_sm % spec.limits.register_unit_per_warp, 0u) << key;
  }
}

TEST(GpuSpec, MissingLatencyClassIsAnError) {
  const std::string text = text_of("v100");
  const size_t at = text.find("shuffle ");
  const std::string cut = text.substr(0, at) + text.substr(text.find('\n', at) + 1);
  EXPECT_NE(load_error(cut).find("missing key 'latency.shuffle'"), std::string::npos) << load_error(cut);
}

TEST(GpuSpec, MissingIntervalIsAnError) {
  const std::string error = load_error(replaced(text_of("v100"), "latency = 19, interval = 1.0", "latency = 19"));
  EXPECT_NE(error.find("missing key 'latency.ld_shared.interval'"), std::string::npos) << error;
}

TEST(GpuSpec, UnknownKeyIsAnErrorWithANearName) {
  const std::string error = load_error(replaced(text_of("v100"), "peak_gbs", "peek_gbs"));
  EXPECT_NE(error.find("unknown key 'dram.peek_gbs'; did you mean 'peak_gbs'?"), std::string::npos) << error;
}

TEST(GpuSpec, UnknownPipeIsAnError) {
  const std::string error = load_error(replaced(text_of("v100"), "pipe = \"alu\"", "pipe = \"all\""));
  EXPECT_NE(error.find("must be one of: none, fma, alu"), std::string::npos) << error;
}

TEST(GpuSpec, MemoryFasterThanTheCacheAboveItIsAnError) {
  const std::string error = load_error(replaced(text_of("v100"), "latency_cycles = 420", "latency_cycles = 100"));
  EXPECT_NE(error.find("'dram' must be slower than an L2 hit"), std::string::npos) << error;
}

TEST(GpuSpec, GpcsThatDoNotAddUpToTheSmsAreAnError) {
  const std::string error = load_error(replaced(text_of("h100"), "[18, 18, 18,", "[18, 18, 16,"));
  EXPECT_NE(error.find("gpc_sms must add up to topology.sms"), std::string::npos) << error;
}

TEST(GpuSpec, SmsBelongToTheGpcsInTheOrderOfTheirNumbers) {
  const ClusterSpec clusters = gpu("h100").cluster;
  EXPECT_EQ(clusters.gpc_of(0), 0u);
  EXPECT_EQ(clusters.gpc_of(17), 0u);
  EXPECT_EQ(clusters.gpc_of(18), 1u);
  EXPECT_EQ(clusters.gpc_of(54), 3u);
  EXPECT_EQ(clusters.gpc_of(131), 7u);
}

TEST(GpuSpec, MissingFileIsAnError) { EXPECT_FALSE(load_gpu(gpu_path("v1000")).ok()); }

// Every value of a GPU file carries its unit or source.
TEST(GpuSpec, EveryValueHasAComment) {
  for (const std::string& key : all_gpus()) {
    std::istringstream lines(text_of(key));
    std::string line;
    while (std::getline(lines, line)) {
      if (line.find(" = ") != std::string::npos && line[0] != '#') {
        EXPECT_NE(line.find("  # "), std::string::npos) << key << ": " << line;
      }
    }
  }
}

}  // namespace
}  // namespace hpml::sim::timing
