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

}  // namespace
}  // namespace hpml::sim::device
