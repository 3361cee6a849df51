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
    EXPECT_EQ(GetParam()->sum_far(n, a.data()), sum) << n;
  }
}

TEST_P(Kernels, DotIsExactAtEveryAlignmentAndReadsNothingBeyond) {
  for (int64_t n : {1, 15, 16, 17, 100, 129, 300}) {
    for (int64_t skip_a = 0; skip_a < 17; ++skip_a) {
      for (int64_t skip_b : {0, 1, 5}) {
        // A factor 8 in every element that does not belong to the vectors: one of them taken in changes the sum.
        std::vector<float> a(static_cast<size_t>(n + 40), 8.0F), b(a);
        std::fill_n(a.begin() + 3 + skip_a, n, 1.0F);
        std::fill_n(b.begin() + 3 + skip_b, n, 1.0F);
        const float *x = a.data() + 3 + skip_a, *y = b.data() + 3 + skip_b;
        EXPECT_EQ(GetParam()->dot(n, x, y), n) << skip_a << " " << skip_b;
        EXPECT_EQ(GetParam()->dot_far(n, x, y), n) << skip_a << " " << skip_b;
      }
    }
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

// Calls every case once; its memory ends at a page nobody may touch, so a kernel that reads too far does not return.
class OneCall : public Engine {
 public:
  std::vector<std::vector<SamplePair>> round(const std::vector<BenchCase>& cases) override {
    for (const BenchCase& one : cases) {
      one.work();
    }
    return std::vector<std::vector<SamplePair>>(cases.size(), {{1.0, 1.0}});
  }
};

TEST(Ladder, KernelsMoveWhatIsCountedAndNothingBeyond) {
  OneCall engine;
  for (const LadderStep& step : measure_ladder(engine, {0.02, 1, 1}, {16 << 10, 8 << 20, 1})) {
    ASSERT_EQ(step.kernels.size(), 6U);
    for (const Measured& kernel : step.kernels) {
      EXPECT_LE(kernel.work_units, static_cast<double>(step.bytes)) << kernel.name;
      EXPECT_GE(kernel.work_units, static_cast<double>(step.bytes - 3 * 64)) << kernel.name;
    }
  }
}

}  // namespace
}  // namespace hpml::bench
