// Operators of quantised convolutional networks, on numbers worked by hand from the ONNX specification.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/onnx/session.hpp"

namespace hpml::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Floats = std::vector<float>;

Tensor f32(Dims dims, const Floats& values) { return Tensor::of<float>(std::move(dims), values); }
template <class T>
Tensor whole(Dims dims, const std::vector<T>& values) {
  return Tensor::of<T>(std::move(dims), values);
}

Result<Tensor> run_one(const std::string& op, const std::vector<Tensor>& inputs,
                       std::map<std::string, Attribute> attributes = {}, Type type = Type::float32) {
  Model model;
  Node node{op, "one", {}, {"out"}, std::move(attributes)};
  for (const Tensor& input : inputs) {
    node.inputs.push_back("i" + std::to_string(node.inputs.size()));
    model.initializers.emplace_back(node.inputs.back(), input);
  }
  model.nodes = {node};
  model.outputs = {{"out", type, {}}};
  HPML_TRY(Session session, Session::create(std::move(model), "<test>", {}));
  HPML_TRY_VOID(session.run());
  return *session.output("out");
}

TEST(QuantizeLinear, RoundsHalfToEvenThenAddsTheZeroPointThenSaturates) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor x = f32({8}, {-1.25F, -0.75F, 0.25F, 0.75F, 1000, -1000, kInfinity, -kInfinity});
  const auto q = run_one("QuantizeLinear", {x, f32({}, {0.5F}), whole<uint8_t>({}, {3})}, {}, Type::uint8);
  ASSERT_TRUE(q.ok()) << q.error().message;
  EXPECT_THAT(q->as<uint8_t>(), ElementsAre(1, 1, 3, 5, 255, 0, 255, 0));
}

TEST(DequantizeLinear, HasOneScalePerPlaceOfItsAxis) {
  const auto x = run_one("DequantizeLinear", {whole<int8_t>({2, 2}, {1, -2, 3, -128}), f32({2}, {0.5F, 2})},
                         {{"axis", int64_t{0}}});
  ASSERT_TRUE(x.ok()) << x.error().message;
  EXPECT_THAT(x->as<float>(), ElementsAre(0.5F, -1, 6, -256));
  const auto biased = run_one("DequantizeLinear", {whole<uint8_t>({2}, {5, 0}), f32({}, {2}), whole<uint8_t>({}, {3})});
  EXPECT_THAT(biased->as<float>(), ElementsAre(4, -6));
  EXPECT_THAT(run_one("DequantizeLinear", {whole<int8_t>({3}, {1, 2, 3}), f32({2}, {1, 1})}).error().message,
              HasSubstr("do not fit an axis"));
}

}  // namespace
}  // namespace hpml::onnx
