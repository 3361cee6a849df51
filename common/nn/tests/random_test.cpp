#include "common/nn/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace hpml::nn {
namespace {

// Known answers of Random123 (kat_vectors, philox4x32 10), Salmon et al. 2011.
TEST(Philox, GivesThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, NumbersDependOnSeedStreamAndIndexAlone) {
  const Random a(7, 3);
  EXPECT_EQ(a.bits(5), Random(7, 3).bits(5));
  const std::set<uint64_t> different = {a.bits(5),
                                        a.bits(4),
                                        Random(8, 3).bits(5),
                                        Random(7, 4).bits(5),
                                        Random(7ULL << 32, 3).bits(5),
                                        Random(7, 3ULL << 32).bits(5)};
  EXPECT_EQ(different.size(), 6U);
}

TEST(Random, StreamsOfDifferentPurposesAndIndicesDiffer) {
  const std::set<uint64_t> ids = {stream_id("a"),       stream_id("b"),       stream_id("a", 1),
                                  stream_id("a", 0, 1), stream_id("a", 1, 1), stream_id("aa")};
  EXPECT_EQ(ids.size(), 6U);
}

TEST(Random, UniformAndNormalHaveTheirMoments) {
  Random random(1, 2);
  constexpr int kCount = 20000;
  double uniform = 0, normal = 0, squares = 0, fourth = 0;
  for (int i = 0; i < kCount; ++i) {
    const double u = random.next_uniform(), z = random.next_normal();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    uniform += u / kCount;
    normal += z / kCount;
    squares += z * z / kCount;
    fourth += z * z * z * z / kCount;
  }
  EXPECT_NEAR(uniform, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(normal, 0, 5 / std::sqrt(kCount));
  EXPECT_NEAR(squares, 1, 5 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96.0 / kCount));
}

TEST(Random, PermutationHoldsEveryNumberOnceAndChangesWithItsStream) {
  const std::vector<int> order = permutation(100, 1, 2);
  EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 100U);
  EXPECT_EQ(order, permutation(100, 1, 2));
  EXPECT_NE(order, permutation(100, 1, 3));
}

}  // namespace
}  // namespace hpml::nn
