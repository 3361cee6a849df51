// Does every illegal launch get the error CUDA gives it?
#include "simulator/device/launch_check.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

class LaunchCheck : public testing::Test {
 protected:
  LaunchCheck() {
    kernel_.registers = 32;
    kernel_.max_threads_per_block = 1024;
    request_.block = {256, 1, 1};
  }
  LaunchError check() {
    return check_launch(spec_, {.kernel = kernel_, .header = header_, .max_dynamic_shared = 49152}, request_);
  }

  timing::GpuSpec spec_ = t4();
  KernelInfo kernel_;
  ir::KernelHeader header_;
  LaunchRequest request_;
};

TEST_F(LaunchCheck, AcceptsTheLargestLegalGeometry) {
  request_.grid = {0x7fffffff, 65535, 65535};
  request_.block = {16, 1, 64};
  EXPECT_EQ(check(), LaunchError::none);
}

TEST_F(LaunchCheck, RefusesEmptyAndOversizedGeometryAsInvalidConfiguration) {
  const Dim3 bad_blocks[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1025, 1, 1}, {1, 1025, 1}, {1, 1, 65}, {32, 33, 1}};
  for (const Dim3& block : bad_blocks) {
    request_.block = block;
    EXPECT_EQ(check(), LaunchError::invalid_configuration) << block.x << ' ' << block.y << ' ' << block.z;
  }
  request_.block = {32, 1, 1};
  const Dim3 bad_grids[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0x80000000u, 1, 1}, {1, 65536, 1}, {1, 1, 65536}};
  for (const Dim3& grid : bad_grids) {
    request_.grid = grid;
    EXPECT_EQ(check(), LaunchError::invalid_configuration) << grid.x << ' ' << grid.y << ' ' << grid.z;
  }
}

TEST_F(LaunchCheck, RefusesMoreSharedMemoryThanAllowedAsInvalidValue) {
  request_.dynamic_shared = 49152;
  EXPECT_EQ(check(), LaunchError::none);
  kernel_.static_shared = 1;
  EXPECT_EQ(check(), LaunchError::invalid_value);
  request_.dynamic_shared = 49153;
  kernel_.static_shared = 0;
  EXPECT_EQ(check(), LaunchError::invalid_value);
}

TEST_F(LaunchCheck, AllowsSharedMemoryAbove48KiBAfterOptIn) {
  request_.dynamic_shared = 65536;
  EXPECT_EQ(check_launch(spec_, {.kernel = kernel_, .header = header_, .max_dynamic_shared = 65536}, request_),
            LaunchError::none);
}

TEST_F(LaunchCheck, RefusesMoreRegistersThanABlockCanHaveAsOutOfResources) {
  kernel_.registers = 64;
  request_.block = {1024, 1, 1};  // 65,536 registers: exactly all
  EXPECT_EQ(check(), LaunchError::none);
  kernel_.registers = 65;  // allocated by 8 per thread: 72 x 1024
  EXPECT_EQ(check(), LaunchError::out_of_resources);
}

TEST_F(LaunchCheck, RefusesNothingBecauseOfRegistersThatAreEstimated) {
  kernel_.registers = 255;
  kernel_.registers_estimated = true;
  for (const uint32_t threads : {1024u, 1000u, 384u, 257u, 33u, 1u}) {
    request_.block = {threads, 1, 1};
    EXPECT_EQ(check(), LaunchError::none) << threads;
    EXPECT_GE(timing::occupancy(spec_, needs_of(spec_, kernel_, threads, 0)).blocks_per_sm, 1u) << threads;
  }
}

TEST_F(LaunchCheck, HoldsTheProgramToItsLaunchBounds) {
  kernel_.max_threads_per_block = 128;
  EXPECT_EQ(check(), LaunchError::out_of_resources);
  kernel_.max_threads_per_block = 256;
  header_.reqntid = {256, 1, 1};
  EXPECT_EQ(check(), LaunchError::none);
  header_.reqntid = {16, 16, 1};
  EXPECT_EQ(check(), LaunchError::invalid_value);
}

TEST_F(LaunchCheck, RefusesACooperativeGridThatDoesNotFitAtOnce) {
  request_.cooperative = true;
  request_.grid = {160, 1, 1};  // 40 SMs x 4 blocks of 8 warps
  EXPECT_EQ(check(), LaunchError::none);
  request_.grid = {161, 1, 1};
  EXPECT_EQ(check(), LaunchError::cooperative_too_large);
}

class ClusterCheck : public LaunchCheck {
 protected:
  ClusterCheck() {
    spec_ = timing::load_gpu(std::string(HPML_SOURCE_DIR) + "/simulator/gpus/h100.toml").value();
    request_.grid = {96, 4, 1};
  }
  LaunchError check_with(Dim3 cluster) {
    request_.cluster = cluster;
    return check();
  }
};

TEST_F(ClusterCheck, AcceptsWhatDividesTheGridUpToThePortableSize) {
  EXPECT_EQ(check_with({8, 1, 1}), LaunchError::none);
  EXPECT_EQ(check_with({3, 2, 1}), LaunchError::none);
  EXPECT_EQ(check_with({1, 4, 1}), LaunchError::none);
  EXPECT_EQ(check_with({5, 1, 1}), LaunchError::invalid_cluster_size);
  EXPECT_EQ(check_with({1, 3, 1}), LaunchError::invalid_cluster_size);
  EXPECT_EQ(check_with({2, 0, 1}), LaunchError::invalid_cluster_size);
}

TEST_F(ClusterCheck, AllowsSixteenBlocksOnlyToThoseThatAsk) {
  EXPECT_EQ(check_with({16, 1, 1}), LaunchError::invalid_cluster_size);
  EXPECT_NE(explain_launch(spec_, {.kernel = kernel_, .header = header_, .max_dynamic_shared = 49152}, request_)
                .find("cudaFuncAttributeNonPortableClusterSizeAllowed"),
            std::string::npos);
  request_.non_portable_cluster = true;
  EXPECT_EQ(check_with({16, 1, 1}), LaunchError::none);
  EXPECT_EQ(check_with({24, 1, 1}), LaunchError::invalid_cluster_size);
}

TEST_F(ClusterCheck, RefusesThemOnGpusWithout) {
  spec_ = t4();
  EXPECT_EQ(check_with({2, 1, 1}), LaunchError::no_clusters);
  EXPECT_EQ(check_with({1, 1, 1}), LaunchError::none);
}

TEST_F(ClusterCheck, HoldsTheLaunchToWhatTheCodeSays) {
  header_.cluster = {2, 2, 1};
  EXPECT_EQ(check(), LaunchError::none);
  EXPECT_EQ(check_with({2, 2, 1}), LaunchError::none);
  EXPECT_EQ(check_with({4, 1, 1}), LaunchError::invalid_cluster_size);
  header_.cluster = {0, 0, 0};
  header_.max_cluster_rank = 4;
  EXPECT_EQ(check_with({4, 1, 1}), LaunchError::none);
  EXPECT_EQ(check_with({8, 1, 1}), LaunchError::invalid_cluster_size);
}

TEST_F(ClusterCheck, ACooperativeGridMustFitByClusters) {
  kernel_.registers = 64;
  request_.block = {1024, 1, 1};  // one block on each of 132 multiprocessors, 14 to 18 in a GPC
  request_.cooperative = true;
  request_.grid = {132, 1, 1};
  EXPECT_EQ(check(), LaunchError::none);
  EXPECT_EQ(check_with({2, 1, 1}), LaunchError::none);
  request_.grid = {115, 1, 1};
  EXPECT_EQ(check_with({5, 1, 1}), LaunchError::none);
  request_.grid = {120, 1, 1};
  EXPECT_EQ(check_with({5, 1, 1}), LaunchError::cooperative_too_large);
}

}  // namespace
}  // namespace hpml::sim::device
