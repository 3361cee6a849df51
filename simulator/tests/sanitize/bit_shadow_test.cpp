#include "simulator/sanitize/bit_shadow.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::sanitize {
namespace {

TEST(BitShadow, KnowsEveryByteAcrossWords) {
  BitShadow shadow(300);
  EXPECT_FALSE(shadow.all_set(0, 1));
  shadow.set(60, 140);
  EXPECT_TRUE(shadow.all_set(60, 140));
  EXPECT_FALSE(shadow.all_set(59, 2));
  EXPECT_FALSE(shadow.all_set(199, 2));
  EXPECT_EQ(shadow.first_clear(60), 200u);
  EXPECT_EQ(shadow.first_clear(0), 0u);
  EXPECT_EQ(shadow.count_clear(0, 300), 160u);
}

}  // namespace
}  // namespace hpml::sim::sanitize
