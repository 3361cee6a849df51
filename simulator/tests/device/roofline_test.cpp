// Are the ceilings those of the data sheet, and is unknown traffic left out instead of invented?
#include "simulator/device/roofline.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

TEST(Ceilings, MatchTheDataSheetOfTheT4) {
  const Ceilings c = ceilings_of(t4());
  EXPECT_NEAR(c.fp32_gflops, 8141, 1);  // 2,560 lanes x 2 x 1.59 GHz: "8.1 TFLOPS"
  EXPECT_NEAR(c.fp16_gflops, 2 * 8141, 2);
  EXPECT_NEAR(c.fp64_gflops, 8141.0 / 32, 1);  // 1/32 of FP32
  EXPECT_EQ(c.dram_gbs, 320.0);
}

TEST(Ceilings, MatchTheDataSheetOfTheV100) {
  const Ceilings c = ceilings_of(load("v100"));
  const double lanes_ghz = 5120 * load("v100").clocks.core_mhz / 1000;
  EXPECT_NEAR(c.fp32_gflops, 2 * lanes_ghz, 1e-6);
  EXPECT_NEAR(c.fp64_gflops, lanes_ghz, 1e-6);
}

TEST(Ceilings, OfTheTensorCoresAreThoseOfTheTypesMultiplied) {
  const auto ceiling = [](const Flops& flops) {
    const auto roofline = roofline_record(flops, {.l1_bytes = 0, .l2_bytes = {}, .dram_bytes = {}}, 100, t4());
    return value_of(roofline.ceilings, "tensor_gflops").as_double();
  };
  EXPECT_NEAR(ceiling({}), 65'126, 1);  // "65 TFLOPS" of half precision: 8 times FP32
  Flops half;
  half.matrix[static_cast<size_t>(isa::Element::f16)] = 4'096;
  EXPECT_NEAR(ceiling(half), 65'126, 1);
  EXPECT_EQ(half.total(), 4'096u);
}

TEST(Roofline, DividesWorkByTrafficAndByTime) {
  const auto r = roofline_record({.fp16 = 0, .fp32 = 2'000, .fp64 = 0},
                                 {.l1_bytes = 8'000, .l2_bytes = 4'000, .dram_bytes = 1'000}, 100, t4());
  EXPECT_EQ(value_of(r.flops, "total").as_double(), 2'000);
  EXPECT_EQ(value_of(r.arithmetic_intensity, "dram").as_double(), 2.0);
  EXPECT_EQ(value_of(r.arithmetic_intensity, "l2").as_double(), 0.5);
  EXPECT_EQ(value_of(r.arithmetic_intensity, "l1").as_double(), 0.25);
  EXPECT_EQ(value_of(r.achieved, "gflops").as_double(), 20.0);
  EXPECT_EQ(value_of(r.achieved, "dram_gbs").as_double(), 10.0);
}

TEST(Roofline, LeavesOutWhatWasNotModelled) {
  const auto r = roofline_record({}, {.l1_bytes = 0, .l2_bytes = {}, .dram_bytes = {}}, 100, t4());
  EXPECT_FALSE(value_of(r.bytes, "dram").known());
  EXPECT_FALSE(value_of(r.bytes, "l2").known());
  EXPECT_FALSE(value_of(r.arithmetic_intensity, "l1").known());  // no bytes: no intensity
}

}  // namespace
}  // namespace hpml::sim::device
