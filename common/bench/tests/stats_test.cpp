#include "common/bench/stats.hpp"

#include <gtest/gtest.h>

namespace hpml::bench {
namespace {

// R 4.2: quantile(c(15, 20, 35, 40, 50), c(.25, .5, .75)), type 7 (the default) = 20 35 40; sd() = 14.40486
TEST(Statistics, QuartilesAndVariationAreThoseOfR) {
  const Summary summary = summarize({50, 15, 40, 20, 35});
  EXPECT_DOUBLE_EQ(summary.lower_quartile, 20);
  EXPECT_DOUBLE_EQ(summary.median, 35);
  EXPECT_DOUBLE_EQ(summary.upper_quartile, 40);
  EXPECT_DOUBLE_EQ(summary.mean, 32);
  EXPECT_NEAR(summary.cov, 14.40486 / 32, 1e-6);
  EXPECT_DOUBLE_EQ(floor_spread(summary), (20.0 - 15.0) / 15.0);
}

TEST(Statistics, IntervalOfEqualValuesIsThatValue) {
  const Interval interval = median_interval({3, 3, 3, 3});
  EXPECT_DOUBLE_EQ(interval.low, 3);
  EXPECT_DOUBLE_EQ(interval.high, 3);
}

TEST(Statistics, IntervalIsTheSameEveryTimeAndHoldsTheMedian) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 100};
  const Interval first = median_interval(values), second = median_interval(values);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_LT(first.low, 5.5);
  EXPECT_GT(first.high, 5.5);
  EXPECT_LT(first.high, 100);  // one outlier does not carry the median away
}

}  // namespace
}  // namespace hpml::bench
