// Operators of quantised convolutional networks, on numbers worked by hand from the ONNX specification.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/onnx/tests/operator_testing.hpp"

namespace hpml::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(QuantizeLinear, RoundsHalfToEvenThenAddsTheZeroPointThenSaturates) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor x = floats({8}, {-1.25F, -0.75F, 0.25F, 0.75F, 1000, -1000, kInfinity, -kInfinity});
  const auto q = result_of("QuantizeLinear", {x, floats({}, {0.5F}), whole<uint8_t>({}, {3})}, {}, false, Type::uint8);
  ASSERT_TRUE(q.ok()) << q.error().message;
  EXPECT_THAT(q->as<uint8_t>(), ElementsAre(1, 1, 3, 5, 255, 0, 255, 0));
}

TEST(DequantizeLinear, HasOneScalePerPlaceOfItsAxis) {
  const auto x = result_of("DequantizeLinear", {whole<int8_t>({2, 2}, {1, -2, 3, -128}), floats({2}, {0.5F, 2})},
                           {{"axis", int64_t{0}}});
  ASSERT_TRUE(x.ok()) << x.error().message;
  EXPECT_THAT(x->as<float>(), ElementsAre(0.5F, -1, 6, -256));
  const auto biased =
      result_of("DequantizeLinear", {whole<uint8_t>({2}, {5, 0}), floats({}, {2}), whole<uint8_t>({}, {3})});
  EXPECT_THAT(biased->as<float>(), ElementsAre(4, -6));
  EXPECT_THAT(result_of("DequantizeLinear", {whole<int8_t>({3}, {1, 2, 3}), floats({2}, {1, 1})}).error().message,
              HasSubstr("do not fit an axis"));
}

}  // namespace
}  // namespace hpml::onnx
