#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "common/bench/kernels/table.hpp"
#include "common/bench/roof.hpp"
#include "scripted_clock.hpp"

namespace hpml::bench {
namespace {

class Kernels : public testing::TestWithParam<const KernelTable*> {};

TEST_P(Kernels, DotAndSumAreExactOnSmallIntegersAtEveryLength) {
  for (int64_t n = 0; n < 700; n += n < 20 ? 1 : 37) {
    std::vector<float> a(static_cast<size_t>(n)), b(a);
    double dot = 0, sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const auto k = static_cast<size_t>(i);
      a[k] = static_cast<float>(i % 7 - 3);
      b[k] = static_cast<float>(i % 5 - 1);
      dot += a[k] * b[k];
      sum += a[k];
    }
    EXPECT_EQ(GetParam()->dot(n, a.data(), b.data()), dot) << n;
    EXPECT_EQ(GetParam()->dot_far(n, a.data(), b.data()), dot) << n;
    EXPECT_EQ(GetParam()->sum(n, a.data()), sum) << n;
  }
}

TEST_P(Kernels, StreamKernelsTouchEveryElement) {
  constexpr int64_t kN = 101;
  std::vector<double> a(kN), b(kN), c(kN);
  std::iota(a.begin(), a.end(), 1.0);
  GetParam()->copy(kN, c.data(), a.data());
  EXPECT_EQ(c, a);
  GetParam()->scale(kN, 3.0, b.data(), c.data());
  EXPECT_EQ(b[100], 303);
  GetParam()->add(kN, c.data(), a.data(), b.data());
  EXPECT_EQ(c[100], 404);
  GetParam()->triad(kN, 3.0, a.data(), b.data(), c.data());
  EXPECT_EQ(a[100], 303 + 3 * 404);
  EXPECT_EQ(a[0], 3 + 3 * 4);
}

TEST_P(Kernels, PeakStaysAFiniteNumberAndCountsItsOperations) {
  const float value = GetParam()->peak(100000);
  EXPECT_TRUE(std::isfinite(value));
  EXPECT_GT(value, 1e-3);
  EXPECT_EQ(GetParam()->peak_flop_per_round % (2 * GetParam()->lanes), 0);
}

INSTANTIATE_TEST_SUITE_P(EveryLevelHere, Kernels, testing::ValuesIn(kernels_here()),
                         [](const auto& info) { return std::string(info.param->level); });

TEST(Calibration, AdditionChainAdds) { EXPECT_EQ(add_chain(640), 640U); }

TEST(Ladder, SizesDoubleAndAreWholePages) {
  const auto sizes = ladder_sizes({16 << 10, 128 << 10, 1});
  EXPECT_EQ(sizes, (std::vector<int64_t>{16 << 10, 32 << 10, 64 << 10, 128 << 10}));
  for (const int64_t size : ladder_sizes({16 << 10, 1 << 20, 3})) {
    EXPECT_EQ(size % 4096, 0);
  }
}

TEST(Ladder, GoesBeyondTheCacheAndLeavesHalfOfTheMemoryAlone) {
  constexpr int64_t kGiB = int64_t{1} << 30;
  EXPECT_GE(ladder_for(64 << 20, 16 * kGiB).largest_bytes, 512 << 20);
  EXPECT_LE(ladder_for(260 << 20, 2 * kGiB).largest_bytes, kGiB);
  EXPECT_LE(ladder_for(64 << 20, 128 << 20).largest_bytes, 64 << 20);
}

}  // namespace
}  // namespace hpml::bench
