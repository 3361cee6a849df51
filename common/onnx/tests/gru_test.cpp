#include <gtest/gtest.h>

#include <cmath>

#include "common/onnx/session.hpp"

namespace hpml::onnx {
namespace {

// Values that are easy to make again: i -> a number in [-0.5, 0.5).
std::vector<float> numbers(size_t count, unsigned seed) {
  std::vector<float> result(count);
  unsigned state = seed * 2654435761U + 1;
  for (float& value : result) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 8) / (1 << 24) - 0.5F;
  }
  return result;
}

struct Case {
  int64_t steps, batch, input, hidden;
  std::string direction;
  bool reset_after, fuse;
  std::vector<int32_t> lengths;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The definition, sequence by sequence, in double.
std::vector<double> one_direction(const Case& c, const float* x, const float* w, const float* r, const float* b,
                                  int64_t sequence, bool reverse, std::vector<double>& y) {
  std::vector<double> h(static_cast<size_t>(c.hidden), 0.0);
  const int64_t length = c.lengths[static_cast<size_t>(sequence)];
  for (int64_t step = 0; step < length; ++step) {
    const int64_t t = reverse ? length - 1 - step : step;
    const auto dot = [&](const float* row, const auto& values, int64_t n) {
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        sum += double{row[i]} * double{values[i]};
      }
      return sum;
    };
    const float* xt = x + (t * c.batch + sequence) * c.input;
    std::vector<double> z, reset, next;
    for (int64_t i = 0; i < c.hidden; ++i) {
      z.push_back(sigmoid(dot(w + i * c.input, xt, c.input) + dot(r + i * c.hidden, h.data(), c.hidden) + b[i] +
                          b[3 * c.hidden + i]));
      const int64_t g = c.hidden + i;
      reset.push_back(sigmoid(dot(w + g * c.input, xt, c.input) + dot(r + g * c.hidden, h.data(), c.hidden) + b[g] +
                              b[3 * c.hidden + g]));
    }
    std::vector<double> masked = h;
    for (size_t i = 0; i < masked.size(); ++i) {
      masked[i] *= reset[i];
    }
    for (int64_t i = 0; i < c.hidden; ++i) {
      const int64_t g = 2 * c.hidden + i;
      const double in = dot(w + g * c.input, xt, c.input) + b[g];
      const double bias = b[3 * c.hidden + g];
      const double out = c.reset_after
                             ? reset[static_cast<size_t>(i)] * (dot(r + g * c.hidden, h.data(), c.hidden) + bias)
                             : dot(r + g * c.hidden, masked.data(), c.hidden) + bias;
      const double zi = z[static_cast<size_t>(i)];
      next.push_back((1 - zi) * std::tanh(in + out) + zi * h[static_cast<size_t>(i)]);
    }
    h = next;
    for (int64_t i = 0; i < c.hidden; ++i) {
      y[static_cast<size_t>(t * c.hidden + i)] = h[static_cast<size_t>(i)];
    }
  }
  return h;
}

class Gru : public testing::TestWithParam<Case> {};

TEST_P(Gru, IsItsDefinition) {
  const Case& c = GetParam();
  const int64_t directions = c.direction == "bidirectional" ? 2 : 1, wide = 3 * c.hidden;
  const auto x = numbers(static_cast<size_t>(c.steps * c.batch * c.input), 1);
  const auto w = numbers(static_cast<size_t>(directions * wide * c.input), 2);
  const auto r = numbers(static_cast<size_t>(directions * wide * c.hidden), 3);
  const auto b = numbers(static_cast<size_t>(directions * 2 * wide), 4);
  Model model;
  model.initializers = {{"W", Tensor::of<float>({directions, wide, c.input}, w)},
                        {"R", Tensor::of<float>({directions, wide, c.hidden}, r)},
                        {"B", Tensor::of<float>({directions, 2 * wide}, b)}};
  model.inputs = {{"X", Type::float32, {"T", "B", c.input}}, {"lengths", Type::int32, {"B"}}};
  model.outputs = {{"Y", Type::float32, {}}, {"Y_h", Type::float32, {}}};
  model.nodes = {
      {"GRU",
       "gru",
       {"X", "W", "R", "B", "lengths"},
       {"Y", "Y_h"},
       {{"direction", c.direction}, {"hidden_size", c.hidden}, {"linear_before_reset", int64_t{c.reset_after}}}}};
  auto read = parse_model(serialize(model), "<test>");
  ASSERT_TRUE(read.ok()) << read.error().message;
  auto session = Session::create(std::move(*read), "<test>", {.fuse = c.fuse});
  ASSERT_TRUE(session.ok()) << session.error().message;
  *session->input("X") = Tensor::of<float>({c.steps, c.batch, c.input}, x);
  *session->input("lengths") = Tensor::of<int32_t>({c.batch}, c.lengths);
  const auto done = session->run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  const auto y = session->output("Y")->as<float>(), last = session->output("Y_h")->as<float>();
  for (int64_t d = 0; d < directions; ++d) {
    for (int64_t s = 0; s < c.batch; ++s) {
      std::vector<double> expected(static_cast<size_t>(c.steps * c.hidden), 0.0);
      const auto h = one_direction(c, x.data(), w.data() + d * wide * c.input, r.data() + d * wide * c.hidden,
                                   b.data() + d * 2 * wide, s, d == 1 || c.direction == "reverse", expected);
      for (int64_t i = 0; i < c.hidden; ++i) {
        EXPECT_NEAR(last[static_cast<size_t>((d * c.batch + s) * c.hidden + i)], h[static_cast<size_t>(i)], 2e-6);
        for (int64_t t = 0; t < c.steps; ++t) {
          EXPECT_NEAR(y[static_cast<size_t>(((t * directions + d) * c.batch + s) * c.hidden + i)],
                      expected[static_cast<size_t>(t * c.hidden + i)], 2e-6);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Gru,
                         testing::Values(Case{1, 1, 1, 1, "forward", true, false, {1}},
                                         Case{5, 3, 7, 66, "bidirectional", true, false, {5, 1, 0}},
                                         Case{5, 3, 7, 66, "bidirectional", true, true, {5, 1, 3}},
                                         Case{4, 5, 64, 64, "reverse", true, true, {4, 4, 2, 1, 3}},
                                         Case{3, 2, 5, 9, "bidirectional", false, false, {3, 2}},
                                         Case{3, 2, 5, 9, "forward", false, true, {2, 3}}));

}  // namespace
}  // namespace hpml::onnx
