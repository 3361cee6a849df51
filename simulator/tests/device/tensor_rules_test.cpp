// Does a GPU's file describe tensor cores that give the bits of that card?
#include "simulator/device/tensor_rules.hpp"

#include "simulator/tests/device/t4.hpp"
#include "simulator/tests/exec/recorded_products.hpp"

namespace hpml::sim::device {
namespace {

TEST(TensorRules, EveryHopperFileGivesTheBitsOfTheH200) {
  for (const char* gpu : {"h200", "h100", "h100_pcie"}) {
    const exec::TensorSums rules = tensor_rules(load(gpu).tensor);
    for (const exec::RecordedProduct& row : exec::recorded_products()) {
      EXPECT_EQ(exec::element_by(rules, row), row.d) << gpu << ": " << row.text;
    }
  }
}

// mma.m8n8k4 runs on the tensor cores of Volta and Turing, and as fused multiply-adds since.
TEST(TensorRules, TheFormOfVoltaIsNotMadeOfMultiplyAddsWhereTheChipHasIt) {
  for (const auto& [gpu, by_fma] : {std::pair{"v100", false}, {"t4", false}, {"a100", true}, {"h100", true}}) {
    EXPECT_EQ(tensor_rules(load(gpu).tensor).quads_by_fma, by_fma) << gpu;
  }
}

// Since Turing, wmma with c and d of different types is a product of f32 between conversions.
TEST(TensorRules, MixedFormsAreMadeOfF32ProductsWhereTheChipHasNoneOfThem) {
  for (const auto& [gpu, by_f32] : {std::pair{"v100", false}, {"t4", true}, {"a100", true}, {"h100", true}}) {
    EXPECT_EQ(tensor_rules(load(gpu).tensor).mixed_by_f32, by_f32) << gpu;
  }
}

}  // namespace
}  // namespace hpml::sim::device
