// Question: does each rank get what the collective's definition gives it (NVIDIA NCCL documentation, "Collective
// Operations"), and does it take as long as a ring over the link must?
#include "simulator/nccl/collective.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "simulator/libraries/element.hpp"

namespace hpml::sim::nccl {
namespace {

template <class T>
struct Ranks {
  std::vector<std::vector<T>> buffers;
  std::vector<double> factors;

  std::vector<std::vector<T>> run(const Operation& operation) const {
    std::vector<Contribution> given;
    for (size_t i = 0; i < buffers.size(); ++i) {
      given.push_back(
          {.data = reinterpret_cast<const std::byte*>(buffers[i].data()), .factor = factors.empty() ? 1 : factors[i]});
    }
    std::vector<std::vector<T>> out;
    for (const std::vector<std::byte>& result : results(operation, given)) {
      std::vector<T>& one = out.emplace_back(result.size() / sizeof(T));
      if (!result.empty()) {
        std::memcpy(one.data(), result.data(), result.size());
      }
    }
    return out;
  }
};

using Table = std::vector<std::vector<int32_t>>;
const Ranks<int32_t> kThree{{{1, 2, 3}, {10, 20, 30}, {100, 200, 300}}, {}};

TEST(Collective, AllReduceGivesEveryRankTheSum) {
  EXPECT_EQ(kThree.run({Kind::all_reduce, 3, Type::i32, Op::sum}), Table(3, {111, 222, 333}));
}

TEST(Collective, ReduceGivesItToTheRootAlone) {
  EXPECT_EQ(kThree.run({Kind::reduce, 3, Type::i32, Op::maximum, 1}), (Table{{}, {100, 200, 300}, {}}));
}

TEST(Collective, BroadcastGivesWhatTheRootHas) {
  EXPECT_EQ(kThree.run({Kind::broadcast, 3, Type::i32, {}, 2}), Table(3, {100, 200, 300}));
}

TEST(Collective, AllGatherPutsRanksOneBehindTheOther) {
  EXPECT_EQ(kThree.run({Kind::all_gather, 2, Type::i32}), Table(3, {1, 2, 10, 20, 100, 200}));
}

TEST(Collective, ReduceScatterGivesEachRankItsPartOfTheSum) {
  EXPECT_EQ(kThree.run({Kind::reduce_scatter, 1, Type::i32, Op::sum}), (Table{{111}, {222}, {333}}));
}

TEST(Collective, AllToAllGivesEachRankItsPartOfEveryRank) {
  EXPECT_EQ(kThree.run({Kind::all_to_all, 1, Type::i32}), (Table{{1, 10, 100}, {2, 20, 200}, {3, 30, 300}}));
}

TEST(Collective, GatherAndScatterAreOfTheRoot) {
  EXPECT_EQ(kThree.run({Kind::gather, 1, Type::i32, {}, 0}), (Table{{1, 10, 100}, {}, {}}));
  EXPECT_EQ(kThree.run({Kind::scatter, 1, Type::i32, {}, 1}), (Table{{10}, {20}, {30}}));
}

TEST(Collective, IntegersWrapAroundAndTheirMeanIsTruncated) {
  const Ranks<int8_t> bytes{{{100, -7}, {100, 2}}, {}};
  EXPECT_EQ(bytes.run({Kind::all_reduce, 2, Type::i8, Op::sum})[0], (std::vector<int8_t>{-56, -5}));
  const Ranks<int32_t> numbers{{{7, -7}, {0, 0}}, {}};
  EXPECT_EQ(numbers.run({Kind::all_reduce, 2, Type::i32, Op::average})[0], (std::vector<int32_t>{3, -3}));
}

TEST(Collective, HalfIsRoundedAtEachStep) {
  const auto half = [](float value) { return libraries::to_half(value); };
  // 2048 + 1 is 2048 in half precision, twice; 1 + 1 first would give 2050.
  const Ranks<uint16_t> ranks{{{half(2048)}, {half(1)}, {half(1)}}, {}};
  EXPECT_EQ(ranks.run({Kind::all_reduce, 1, Type::f16, Op::sum})[1][0], half(2048));
}

TEST(Collective, AScaledSumTakesEachRanksOwnFactor) {
  const Ranks<double> ranks{{{1.0}, {10.0}}, {2.0, 0.5}};
  EXPECT_EQ(ranks.run({Kind::all_reduce, 1, Type::f64, Op::scaled_sum})[0][0], 7.0);
}

constexpr Link kLink{.ns_per_byte = 0.1};  // 10 GB/s

// Rabenseifner's lower bound: each byte but the rank's own crosses the link twice.
TEST(Collective, ALongAllReduceIsBoundByTheLink) {
  const Operation operation{Kind::all_reduce, 25'000'000, Type::f32, Op::sum};
  EXPECT_NEAR(duration_ns(operation, 4, kLink), 2.0 * 3 / 4 * 1e8 * 0.1, 60e3);
}

// NCCL 2.12, tuning.cc: 3.6 us and 1 us per step, of 2 (n - 1).
TEST(Collective, AShortOneIsBoundByLatency) {
  const Operation operation{Kind::all_reduce, 1, Type::f32, Op::sum};
  EXPECT_NEAR(duration_ns(operation, 4, kLink), 9600, 10);
  EXPECT_NEAR(exchange_ns(4, kLink), 4600, 10);
}

}  // namespace
}  // namespace hpml::sim::nccl
