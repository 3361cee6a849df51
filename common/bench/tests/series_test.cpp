#include "common/bench/series.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

#include "common/bench/engine.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/report.hpp"

namespace hpml::bench {
namespace {

// Answers from a script: "steady" always the same, "wild" ever growing.
class FakeEngine : public Engine {
 public:
  std::vector<std::vector<SamplePair>> round(const std::vector<BenchCase>& cases) override {
    std::vector<std::vector<SamplePair>> result;
    for (const BenchCase& one : cases) {
      std::vector<SamplePair> samples;
      for (int i = 0; i < 3; ++i) {
        const double value = one.name == "steady" ? 1.0 : 1.0 + ++calls_[one.name];
        samples.push_back({value, 2 * value});
      }
      ++rounds[one.name];
      result.push_back(samples);
    }
    return result;
  }
  std::map<std::string, int> rounds;

 private:
  std::map<std::string, int> calls_;
};

TEST(Series, StopsACaseAsSoonAsItsMedianIsKnownAndGoesOnWithTheOthers) {
  FakeEngine engine;
  const auto measured = run_series(engine, {{"steady", {}, 10}, {"wild", {}, 10}}, {});
  EXPECT_TRUE(measured[0].tight);
  EXPECT_EQ(measured[0].cpu_s.size(), 9U);
  EXPECT_EQ(engine.rounds["steady"], 1 + 3);  // a warm-up, then 9 samples in rounds of 3
  EXPECT_FALSE(measured[1].tight);
  EXPECT_EQ(engine.rounds["wild"], 1 + 8);
  EXPECT_DOUBLE_EQ(measured[0].best_rate(), 10);
}

TEST(Series, GoogleBenchmarkDeliversSamplesOfEveryCaseInOrder) {
  GoogleEngine engine(1e-4, 3);
  int first = 0, second = 0;
  const auto samples = engine.round({{"first", [&] { keep(++first); }, 1}, {"second", [&] { keep(++second); }, 1}});
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].size(), 3U);
  EXPECT_EQ(samples[1].size(), 3U);
  EXPECT_GE(first, 3);  // no more, where the system stops it for longer than a sample should take
  EXPECT_GE(second, 3);
  EXPECT_GT(samples[0][0].cpu_s, 0);
}

TEST(Series, ReportKeepsEverySampleAndNamesWhatIsInconclusive) {
  const Measured measured{"wild", 8, {1, 2, 4}, {1, 2, 4}, false};
  const auto report = to_json(measured, "byte");
  EXPECT_EQ(report["samples_cpu_ns"].size(), 3U);
  EXPECT_EQ(report["best_rate_per_s"], 8.0);
  EXPECT_NE(report["verdict"].get<std::string>().find("inconclusive"), std::string::npos);
}

}  // namespace
}  // namespace hpml::bench
