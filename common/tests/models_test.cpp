// Question: do the models give the numbers of their sources? (A second implementation of every model, in Python, is
// compared with hpml-model by quizzes/tests/test_models.py.)
#include <gtest/gtest.h>

#include "common/models/communication.hpp"
#include "common/models/json/registry.hpp"
#include "common/models/networks.hpp"
#include "common/models/occupancy.hpp"
#include "common/models/quantization.hpp"
#include "common/models/roofline.hpp"
#include "common/models/scaling.hpp"
#include "common/models/training.hpp"
#include "common/models/tree_rule.hpp"
#include "common/models/warp_access.hpp"

namespace hpml::models {
namespace {

TEST(Roofline, TellsWhyAPointIsOutOfReach) {
  const Roof roof{.peak_gflops = 100, .bandwidth_gbs = 25};
  EXPECT_EQ(ridge(roof), 4.0);
  EXPECT_EQ(reach_of(roof, 12, 130), Reach::above_peak);
  EXPECT_EQ(reach_of(roof, 1, 60), Reach::above_bandwidth);
  EXPECT_EQ(reach_of(roof, 1, 25), Reach::feasible);
  EXPECT_EQ(bound_at(roof, 2.5), Bound::memory);
  EXPECT_EQ(bound_at(roof, 8), Bound::compute);
}

TEST(Scaling, OnePartCannotMakeUpForTheOthers) {
  EXPECT_DOUBLE_EQ(*part_speedup(15, 0.5, 9), 5);
  EXPECT_FALSE(part_speedup(15, 0.5, 7.5).has_value());
  EXPECT_FALSE(part_speedup(15, 0.5, 5).has_value());
}

TEST(Scaling, MoreProcessorsThanTheBestAreSlower) {
  const int64_t best = amdahl_best_processors(0.01, 1e-4);
  const auto speedup = [](int64_t p) { return amdahl_speedup(0.01, static_cast<double>(p), 1e-4); };
  EXPECT_GE(speedup(best), speedup(best - 1));
  EXPECT_GE(speedup(best), speedup(best + 1));
}

TEST(Reduction, CountsOperationsAndLevels) {
  EXPECT_EQ(reduction(64, 2).work, 63);
  EXPECT_EQ(reduction(64, 2).depth, 6);
  EXPECT_EQ(reduction(1024, 4).work, 341);
  EXPECT_EQ(reduction(1024, 4).depth, 5);
}

TEST(Networks, HaveTheirPublishedParameters) {
  EXPECT_EQ(summary(Network::vgg16).parameters, 138'357'544);
  EXPECT_EQ(summary(Network::vgg19).parameters, 143'667'240);
  EXPECT_EQ(summary(Network::resnet18_cifar10).parameters, 11'173'962);
  EXPECT_EQ(summary(Network::resnet18_cifar10).convolutions, 20);
}

TEST(UnifiedMemory, MigratesABlockInSixSteps) {
  EXPECT_EQ(sequential_migrations_kib(2 * 1024 * 1024, 51), (std::vector<uint64_t>{64, 64, 128, 256, 512, 1024}));
  EXPECT_EQ(sequential_migrations_kib(400'000'000, 51).size(), 1146u);
}

TEST(FloatCounter, StopsWhereTheNextFloatIsTwoStepsAway) {
  EXPECT_EQ(float_counter(300'000'000, 1), 16'777'216);
  EXPECT_EQ(float_counter(300'000'000, 4), 67'108'864);
  EXPECT_EQ(float_counter(1'000, 4), 4'000);
}

TEST(UpdateTimes, OfTheLecturesThreeLearners) {
  const Times times = {{1.5, .9, 2.5, 1.2, 1.8, .9}, {3, 2.5, 1.7, 3, .7, .8}, {2.5, 1.5, .7, .9, 2, 2.2}};
  const UpdateTimes t = update_times(times, 3, 2);
  EXPECT_DOUBLE_EQ(t.sync, 8.0);
  EXPECT_DOUBLE_EQ(t.k_sync, 5.7);
  EXPECT_DOUBLE_EQ(t.asynchronous, 2.5);
  EXPECT_DOUBLE_EQ(t.k_batch_sync, 5.8);
  EXPECT_DOUBLE_EQ(t.k_batch_sync_retried, 6.4);
  EXPECT_FALSE(t.tie);
}

TEST(UpdateTimes, TellWhenTwoGradientsArriveAtOnce) {
  const Times tie_of_the_counted = {{1.9, 2.4, 1.6, 1.6}, {1.9, 2.3, 3, 2.1}, {2.8, .9, 2.3, 1.5}};
  const Times tie_with_the_next = {{1, 2, 2, 2}, {1.5, 2, 2, 2}, {1.5, 3, 3, 3}};
  const Times tie_of_sums = {{.1, .2, 5, 5}, {.3, 5, 5, 5}, {9, 9, 9, 9}};
  for (const Times& times : {tie_of_the_counted, tie_with_the_next, tie_of_sums}) {
    EXPECT_TRUE(update_times(times, 2, 2).tie);
  }
}

TEST(Quantisation, SaturatesWhatIsFarOutside) {
  const Grid grid = asymmetric_grid(-1e-300, 1e-300, 8, true);
  EXPECT_EQ(quantise(grid, 1e9), 127);
  EXPECT_EQ(quantise(grid, -1e9), -128);
}

TEST(Reduction, OfVeryManyOperandsDoesNotOverflow) {
  const auto r = evaluate("reduction", {{"operands", 1e12}, {"arity", 1e6}});
  ASSERT_TRUE(r.ok());
  EXPECT_EQ((*r)["depth"], 2);
  EXPECT_FALSE(evaluate("reduction", {{"operands", 1e13}, {"arity", 2}}).ok());
}

TEST(Registry, GivesEveryModelInputsAndOutputs) {
  for (const Model& model : all_models()) {
    EXPECT_FALSE(inputs_of(model).empty()) << model.name;
    EXPECT_FALSE(model.outputs.empty()) << model.name;
  }
}

TEST(Registry, NeverLetsBadInputsThrough) {
  for (const Model& model : all_models()) {
    for (const Json& bad : {Json::array(), Json(3), Json::object(), Json{{"nonsense", 1}}}) {
      EXPECT_FALSE(evaluate(model.name, bad).ok()) << model.name;
    }
    Json extreme = Json::object();
    for (const Input& input : inputs_of(model)) {
      extreme[input.name] = input.kind == "flag" ? Json(true) : Json("x");
    }
    EXPECT_FALSE(evaluate(model.name, extreme).ok()) << model.name;
  }
}

}  // namespace
}  // namespace hpml::models
