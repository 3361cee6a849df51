// Which recordings are the same but for a count, and which of the launches are a warm-up.
#include "simulator/replay/calls.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace hpml::sim::replay {
namespace {

using Digests = std::vector<uint64_t>;

TEST(SameButForACount, ALoopMayRunMoreOrLessOften) {
  const Digests twice = {1, 2, 7, 8, 7, 8, 3}, four_times = {1, 2, 7, 8, 7, 8, 7, 8, 7, 8, 3};
  EXPECT_TRUE(same_but_for_a_count(twice, twice));
  EXPECT_TRUE(same_but_for_a_count(twice, four_times));
  EXPECT_TRUE(same_but_for_a_count(four_times, twice));
  EXPECT_TRUE(same_but_for_a_count({1, 7}, {1, 7, 7, 7}));
  EXPECT_TRUE(same_but_for_a_count({}, {}));
}

TEST(SameButForACount, NothingElseMayDiffer) {
  EXPECT_FALSE(same_but_for_a_count({1, 2, 3}, {1, 4, 3}));              // another call
  EXPECT_FALSE(same_but_for_a_count({1, 2, 3}, {1, 3, 2}));              // another order
  EXPECT_FALSE(same_but_for_a_count({1, 3}, {1, 7, 7, 3}));              // calls that the other does not make at all
  EXPECT_FALSE(same_but_for_a_count({7, 1, 7, 2}, {7, 7, 1, 7, 7, 2}));  // two counts
  EXPECT_FALSE(same_but_for_a_count({7, 8, 1}, {7, 8, 7, 1}));           // half a block
}

std::tuple<size_t, size_t> passes(const std::vector<std::string>& launches) {
  const Passes found = passes_of(launches);
  return {found.warm_up, found.timed};
}

TEST(Passes, TheLongestOneThatIsMadeTwiceAtTheEnd) {
  EXPECT_EQ(passes({"conv", "conv"}), std::tuple(0, 1));
  EXPECT_EQ(passes({"pad", "conv", "conv"}), std::tuple(1, 2));
  EXPECT_EQ(passes({"im2col", "gemm", "im2col", "gemm"}), std::tuple(0, 2));
  EXPECT_EQ(passes({"part", "part", "part", "part"}), std::tuple(0, 2));
}

TEST(Passes, WithoutOneThereIsNoWarmUp) {
  EXPECT_EQ(passes({}), std::tuple(0, 0));
  EXPECT_EQ(passes({"im2col", "gemm"}), std::tuple(2, 2));
}

}  // namespace
}  // namespace hpml::sim::replay
