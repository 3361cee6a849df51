#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/onnx/kernels.hpp"
#include "common/onnx/tests/operator_testing.hpp"

namespace hpml::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor integers(Dims dims, const std::vector<int64_t>& values) { return whole(std::move(dims), values); }

void expect(const std::string& op, const std::vector<Tensor>& inputs,
            const std::map<std::string, Attribute>& attributes, const Dims& dims, const Floats& values) {
  for (const bool fuse : {false, true}) {
    const auto got = result_of(op, inputs, attributes, fuse);
    ASSERT_TRUE(got.ok()) << op << ": " << got.error().message;
    EXPECT_EQ(got->dims(), dims) << op;
    EXPECT_THAT(got->as<float>(), testing::Pointwise(testing::FloatNear(1e-6F), values)) << op;
  }
}

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Operators, MoveElements) {
  expect("Transpose", {kMatrix}, {}, {3, 2}, {1, 4, 2, 5, 3, 6});
  expect("Transpose", {floats({2, 1, 3}, {1, 2, 3, 4, 5, 6})}, {{"perm", std::vector<int64_t>{2, 0, 1}}}, {3, 2, 1},
         {1, 4, 2, 5, 3, 6});
  expect("Concat", {kMatrix, floats({2, 1}, {7, 8})}, {{"axis", int64_t{-1}}}, {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8});
  expect("Reshape", {kMatrix, integers({3}, {-1, 1, 2})}, {}, {3, 1, 2}, {1, 2, 3, 4, 5, 6});
  expect("Reshape", {kMatrix, integers({2}, {0, -1})}, {}, {2, 3}, {1, 2, 3, 4, 5, 6});
  expect("Squeeze", {floats({1, 2, 1}, {1, 2}), integers({1}, {2})}, {}, {1, 2}, {1, 2});
  expect("Unsqueeze", {floats({2}, {1, 2}), integers({2}, {0, -1})}, {}, {1, 2, 1}, {1, 2});
  expect("Flatten", {floats({1, 2, 1}, {1, 2})}, {{"axis", int64_t{2}}}, {2, 1}, {1, 2});
  expect("Gather", {kMatrix, integers({2, 1}, {1, -2})}, {}, {2, 1, 3}, {4, 5, 6, 1, 2, 3});
  expect("Gather", {kMatrix, integers({1}, {2})}, {{"axis", int64_t{1}}}, {2, 1}, {3, 6});
  expect("Slice", {kMatrix, integers({1}, {1}), integers({1}, {99}), integers({1}, {1})}, {}, {2, 2}, {2, 3, 5, 6});
}

TEST(Operators, Broadcast) {
  expect("Add", {kMatrix, floats({3}, {10, 20, 30})}, {}, {2, 3}, {11, 22, 33, 14, 25, 36});
  expect("Mul", {floats({2, 1}, {2, 3}), floats({1, 2}, {5, 7})}, {}, {2, 2}, {10, 14, 15, 21});
  const std::vector<uint8_t> flags = {1, 0, 1};
  const Tensor condition(Type::boolean, {1, 3}, {reinterpret_cast<const char*>(flags.data()), 3});
  expect("Where", {condition, kMatrix, floats({}, {-1})}, {}, {2, 3}, {1, -1, 3, 4, -1, 6});
}

TEST(Operators, Reduce) {
  const float nothing = -std::numeric_limits<float>::infinity();
  const float e = std::exp(1.0F);
  expect("Softmax", {floats({2, 3}, {0, 1, nothing, 1000, 1000, nothing})}, {}, {2, 3},
         {1 / (1 + e), e / (1 + e), 0, 0.5F, 0.5F, 0});
  expect("Softmax", {floats({2, 1}, {0, 1})}, {{"axis", int64_t{0}}}, {2, 1}, {1 / (1 + e), e / (1 + e)});
  expect("ReduceSum", {kMatrix, integers({1}, {0})}, {{"keepdims", int64_t{0}}}, {3}, {5, 7, 9});
  expect("ReduceSum", {kMatrix}, {}, {1, 1}, {21});
}

TEST(Operators, Multiply) {
  expect("MatMul", {kMatrix, floats({3, 1}, {1, 0, 1})}, {}, {2, 1}, {4, 10});
  expect("MatMul", {floats({2, 1, 2}, {1, 2, 3, 4}), floats({2, 2, 1}, {1, 1, 2, 2})}, {}, {2, 1, 1}, {3, 14});
  expect("Gemm", {kMatrix, floats({1, 3}, {1, 0, 1}), floats({1}, {100})}, {{"transB", int64_t{1}}}, {2, 1},
         {104, 110});
}

TEST(Operators, RefuseWhatDoesNotFit) {
  const auto message = [](const Result<Tensor>& result) { return result.ok() ? "" : result.error().message; };
  EXPECT_THAT(message(result_of("MatMul", {kMatrix, kMatrix})), HasSubstr("cannot be multiplied"));
  EXPECT_THAT(message(result_of("Gather", {kMatrix, integers({1}, {2})})), HasSubstr("index 2 is not in 0 .. 1"));
  EXPECT_THAT(message(result_of("Add", {kMatrix, floats({2}, {1, 2})})), HasSubstr("do not fit each other"));
  EXPECT_THAT(message(result_of("Reshape", {kMatrix, integers({2}, {-1, 4})})), HasSubstr("cannot become"));
  EXPECT_THAT(message(result_of("Reshape", {kMatrix, integers({2}, {1 << 27, 1 << 27})})), HasSubstr("not possible"));
  EXPECT_THAT(message(result_of("Transpose", {kMatrix}, {{"perm", std::vector<int64_t>{0, 0}}})),
              HasSubstr("no permutation"));
}

// Every shape of tile and edge, against the definition.
TEST(Kernels, ProductsAreTheirDefinition) {
  for (const auto& [m, n, k] : std::vector<std::array<int64_t, 3>>{{1, 1, 1}, {4, 64, 5}, {7, 130, 33}, {5, 63, 64}}) {
    Floats a(static_cast<size_t>(m * k)), b(static_cast<size_t>(n * k)), bt(b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<float>(i % 7) - 3;
    }
    for (size_t i = 0; i < b.size(); ++i) {
      b[i] = static_cast<float>(i % 5) - 2;
    }
    transpose(n, k, b.data(), bt.data());
    Floats by_rows(static_cast<size_t>(m * n), 1), plain(by_rows);
    product_by_rows(m, n, k, a.data(), b.data(), by_rows.data());
    product(m, n, k, a.data(), bt.data(), plain.data());
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        float expected = 1;  // small integers: every order of sums is exact
        for (int64_t p = 0; p < k; ++p) {
          expected += a[static_cast<size_t>(i * k + p)] * b[static_cast<size_t>(j * k + p)];
        }
        EXPECT_EQ(by_rows[static_cast<size_t>(i * n + j)], expected);
        EXPECT_EQ(plain[static_cast<size_t>(i * n + j)], expected);
      }
    }
  }
}

TEST(Kernels, ActivationsAreCloseToTheirDefinition) {
  Floats x;
  for (float value = -100; value <= 100; value += 0.0625F) {
    x.push_back(value);
    x.push_back(value / 64);
  }
  Floats tanh(x.size()), sigmoid(x.size());
  tanh_of(static_cast<int64_t>(x.size()), x.data(), tanh.data());
  sigmoid_of(static_cast<int64_t>(x.size()), x.data(), sigmoid.data());
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::tanh(double{x[i]}), gate = 1 / (1 + std::exp(-double{x[i]}));
    EXPECT_NEAR(tanh[i], exact, 5e-7 * std::fabs(exact) + 1e-30) << x[i];
    EXPECT_NEAR(sigmoid[i], gate, 5e-7 * gate + 1e-37) << x[i];
  }
}

}  // namespace
}  // namespace hpml::onnx
