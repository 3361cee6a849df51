#include "simulator/device/in_kernel_heap.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::device {
namespace {

class InKernelHeapTest : public testing::Test {
 protected:
  InKernelHeapTest() : memory_(std::move(memory::AddressSpace::create(1 << 30)).value()), heap_(*memory_, 1024) {}
  std::unique_ptr<memory::AddressSpace> memory_;
  InKernelHeap heap_;
};

TEST_F(InKernelHeapTest, GivesAlignedBlocksUntilTheLimit) {
  const uint64_t a = heap_.allocate(1000);
  EXPECT_NE(a, 0u);
  EXPECT_EQ(a % 16, 0u);
  EXPECT_EQ(heap_.allocate(32), 0u);  // 1000 took 1008 of 1024
  EXPECT_NE(heap_.allocate(16), 0u);
  EXPECT_EQ(heap_.allocate(1), 0u);
}

TEST_F(InKernelHeapTest, TakesBlocksBackAndRefusesOtherAddresses) {
  const uint64_t a = heap_.allocate(1024);
  const uint64_t foreign = memory_->allocate(memory::Kind::device, 64);
  EXPECT_FALSE(heap_.free(a + 16));
  EXPECT_FALSE(heap_.free(foreign));
  EXPECT_TRUE(heap_.free(a));
  EXPECT_FALSE(heap_.free(a));
  EXPECT_NE(heap_.allocate(1024), 0u);
}

TEST_F(InKernelHeapTest, RefusesEmptyAndImpossibleSizes) {
  EXPECT_EQ(heap_.allocate(0), 0u);
  EXPECT_EQ(heap_.allocate(~uint64_t{0}), 0u);
}

}  // namespace
}  // namespace hpml::sim::device
