// Matrix products against the bits that an NVIDIA H200 gave.
#include "simulator/tests/exec/recorded_products.hpp"

namespace hpml::sim::exec {
namespace {

constexpr TensorSums kH200{.row_bytes = 32,
                           .fraction_bits = 25,
                           .warpgroup_f8_fraction_bits = 13,
                           .wmma_tf32_columns = 4,
                           .f8_as_f16 = true,
                           .quads_by_fma = true,
                           .mixed_by_f32 = true};

TEST(RecordedProducts, HoppersRulesGiveTheBitsOfTheCard) {
  const std::vector<RecordedProduct> rows = recorded_products();
  EXPECT_GT(rows.size(), 150U);
  for (const RecordedProduct& row : rows) {
    EXPECT_EQ(element_by(kH200, row), row.d) << row.text << std::hex << ", recorded " << row.d;
  }
}

// Every rule is needed: without it some row of the forms that it is about differs.
TEST(RecordedProducts, EachRuleIsToldApartByARow) {
  const std::vector<RecordedProduct> rows = recorded_products();
  const auto differ = [&](const char* part, const auto& change) {
    TensorSums rules = kH200;
    change(rules);
    int count = 0;
    for (const RecordedProduct& row : rows) {
      count += row.form.find(part) != std::string::npos && element_by(rules, row) != row.d ? 1 : 0;
    }
    return count;
  };
  for (const char* form : {"wmma.mma.sync.aligned.row.col.m16n16k16.f32", "mma.sync.aligned.m16n8k16.row.col.f32.f16",
                           "f32.bf16", "mma.sync.aligned.m16n8k8.row.col.f32.tf32", "m64n8k16.f32.f16",
                           "m64n8k8.f32.tf32", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2"}) {
    EXPECT_GT(differ(form, [](TensorSums& r) { r.fraction_bits = 24; }), 0) << form;
    EXPECT_GT(differ(form, [](TensorSums& r) { r.fraction_bits = 26; }), 0) << form;
  }
  for (const char* form : {"m64n8k16.f32.f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16"}) {
    EXPECT_GT(differ(form, [](TensorSums& r) { r.row_bytes = 16; }), 0) << form;
  }
  for (const uint32_t bits : {12U, 14U}) {
    EXPECT_GT(differ("m64n8k32.f32.e4m3", [&](TensorSums& r) { r.warpgroup_f8_fraction_bits = bits; }), 0);
    EXPECT_GT(differ("m64n8k32.f16.e5m2", [&](TensorSums& r) { r.warpgroup_f8_fraction_bits = bits; }), 0);
  }
  EXPECT_GT(differ("k8.f32.tf32", [](TensorSums& r) { r.wmma_tf32_columns = 8; }), 0);
  for (const char* form : {"m16n8k16.row.col.f32.e4m3", "m16n8k32.row.col.f16.e5m2", "m16n8k64.row.col.f32.e5m2"}) {
    EXPECT_GT(differ(form, [](TensorSums& r) { r.f8_as_f16 = false; }), 0) << form;
  }
  EXPECT_GT(differ("m8n8k4.row.col.f32", [](TensorSums& r) { r.quads_by_fma = false; }), 0);
  EXPECT_GT(differ("f16.f16.f16.f16", [](TensorSums& r) { r.quads_by_fma = false; }), 0);
  for (const char* form : {"m16n16k16.f32.f16", "m32n8k16.f32.f16", "m8n32k16.f32.f16", "m16n16k16.f16.f32"}) {
    EXPECT_GT(differ(form, [](TensorSums& r) { r.mixed_by_f32 = false; }), 0) << form;
  }
}

}  // namespace
}  // namespace hpml::sim::exec
