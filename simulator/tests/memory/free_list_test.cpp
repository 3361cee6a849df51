// Is the free list first fit, and does it merge what it gets back?
#include "simulator/memory/detail/free_list.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::memory::detail {
namespace {

TEST(FreeList, TakesTheLowestAlignedPlace) {
  FreeList list(100, 1000);
  EXPECT_EQ(list.take(10, 256), 256u);
  EXPECT_EQ(list.take(10, 4), 100u);  // before the first one: what alignment skipped is not lost
  EXPECT_EQ(list.take(10, 256), 512u);
}

TEST(FreeList, MergesNeighboursInAnyOrder) {
  FreeList list(0, 300);
  ASSERT_EQ(list.take(100, 1), 0u);
  ASSERT_EQ(list.take(100, 1), 100u);
  ASSERT_EQ(list.take(100, 1), 200u);
  EXPECT_EQ(list.take(1, 1), std::nullopt);
  list.give(0, 100);
  list.give(200, 100);
  EXPECT_EQ(list.take(150, 1), std::nullopt);
  list.give(100, 100);
  EXPECT_EQ(list.take(300, 1), 0u);
}

TEST(FreeList, HasNoPlaceWhereAlignmentLeavesTooLittle) {
  FreeList list(1, 15);
  EXPECT_EQ(list.take(8, 16), std::nullopt);
  EXPECT_EQ(list.take(8, 8), 8u);
}

}  // namespace
}  // namespace hpml::sim::memory::detail
