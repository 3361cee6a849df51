// Convolutions of every rung and instruction set against the definition in double.
#include <gtest/gtest.h>

#include "common/nn/baseline/kernels/naive.hpp"
#include "common/nn/tests/nn_testing.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {
namespace {

// Shapes that meet borders, strides that do not divide, tiles that are not full, kernels larger than the image.
const ConvShape kShapes[] = {
    {.n = 2, .h = 5, .w = 5, .ci = 3, .co = 16, .k = 3, .stride = 1, .pad = 1},
    {.n = 3, .h = 7, .w = 6, .ci = 5, .co = 6, .k = 3, .stride = 2, .pad = 1},
    {.n = 9, .h = 4, .w = 4, .ci = 16, .co = 64, .k = 3, .stride = 1, .pad = 1},
    {.n = 2, .h = 8, .w = 8, .ci = 8, .co = 32, .k = 1, .stride = 2, .pad = 0},
    {.n = 1, .h = 9, .w = 11, .ci = 2, .co = 70, .k = 5, .stride = 1, .pad = 0},
    {.n = 2, .h = 7, .w = 7, .ci = 3, .co = 5, .k = 3, .stride = 3, .pad = 2},
    {.n = 1, .h = 2, .w = 3, .ci = 4, .co = 9, .k = 5, .stride = 1, .pad = 2},
    {.n = 1, .h = 3, .w = 3, .ci = 160, .co = 65, .k = 3, .stride = 1, .pad = 1},
    {.n = 1, .h = 1, .w = 300, .ci = 1, .co = 1, .k = 1, .stride = 1, .pad = 0},
};

struct Gradients {
  Tensor y, dx, dw;
};

Gradients run(const Slots& slots, const ConvShape& shape, int threads) {
  ThreadPool pool(threads);
  const Tensor x = random_tensor(shape.in_shape(), "x"), w = random_tensor(shape.weight_shape(), "w");
  const Tensor dy = random_tensor(shape.out_shape(), "dy");
  Gradients result{Tensor(shape.out_shape()), Tensor(shape.in_shape()), Tensor(shape.weight_shape())};
  const auto conv = slots.conv2d(shape, pool);
  conv->forward(x.view(), w.view(), result.y.view());
  conv->backward(x.view(), w.view(), dy.view(), result.dx.view(), result.dw.view());
  return result;
}

struct Exact {
  BasicTensor<double> y, dx, dw;
};

// With `absolute`, every product's absolute value: what the rounding error is measured by.
Exact exact(const ConvShape& shape, bool absolute) {
  const auto prepared = [&](Shape extents, std::string_view purpose) {
    BasicTensor<double> values = as_double(random_tensor(extents, purpose));
    for (double& value : values.span()) {
      value = absolute ? std::abs(value) : value;
    }
    return values;
  };
  const auto x = prepared(shape.in_shape(), "x"), w = prepared(shape.weight_shape(), "w");
  const auto dy = prepared(shape.out_shape(), "dy");
  Exact result{BasicTensor<double>(shape.out_shape()), BasicTensor<double>(shape.in_shape()),
               BasicTensor<double>(shape.weight_shape())};
  baseline::naive_conv2d_forward<double>(shape, x.view(), w.view(), result.y.view());
  baseline::naive_conv2d_backward<double>(shape, x.view(), w.view(), dy.view(), result.dx.view(), result.dw.view());
  return result;
}

void check_bounds(const Slots& slots) {
  for (const ConvShape& s : kShapes) {
    SCOPED_TRACE(::testing::Message() << s.n << "x" << s.h << "x" << s.w << "x" << s.ci << " -> " << s.co << ", k "
                                      << s.k << ", stride " << s.stride << ", pad " << s.pad);
    const Gradients got = run(slots, s, 2);
    const Exact expected = exact(s, false), size = exact(s, true);
    const int64_t window = int64_t{s.k} * s.k;
    EXPECT_TRUE(within(got.y.view(), expected.y, size.y, sum_error_bound(window * s.ci)));
    EXPECT_TRUE(within(got.dx.view(), expected.dx, size.dx, sum_error_bound(window * s.co)));
    EXPECT_TRUE(
        within(got.dw.view(), expected.dw, size.dw, sum_error_bound(int64_t{s.n} * s.out_h() * s.out_w() + kSlices)));
  }
}

TEST(Conv2d, StaysWithinTheErrorBoundOfTheExactSumsOnEveryRungAndInstructionSet) {
  check_bounds(baseline_slots(Kernel::naive));
  for (const std::string_view isa : instruction_sets()) {
    SCOPED_TRACE(isa);
    check_bounds(baseline_slots(Kernel::gemm, isa));
    check_bounds(baseline_slots(Kernel::direct, isa));
  }
}

TEST(Conv2d, GivesTheSameBitsForEveryNumberOfThreads) {
  for (const Kernel kernel : {Kernel::naive, Kernel::gemm, Kernel::direct}) {
    const Slots slots = baseline_slots(kernel);
    for (const ConvShape& shape : {kShapes[1], kShapes[2], kShapes[7]}) {
      const Gradients one = run(slots, shape, 1);
      for (const int threads : {2, 5}) {
        const Gradients other = run(slots, shape, threads);
        EXPECT_EQ(values(one.y.view()), values(other.y.view()));
        EXPECT_EQ(values(one.dx.view()), values(other.dx.view()));
        EXPECT_EQ(values(one.dw.view()), values(other.dw.view()));
      }
    }
  }
}

TEST(Conv2d, AcceptsFewerImagesThanItWasMadeForAndNoInputGradient) {
  ThreadPool pool(2);
  ConvShape shape = kShapes[0];
  const Slots slots = baseline_slots();
  shape.n = 1;
  const Gradients expected = run(slots, shape, 1);
  const Tensor x = random_tensor(shape.in_shape(), "x"), w = random_tensor(shape.weight_shape(), "w");
  const Tensor dy = random_tensor(shape.out_shape(), "dy");
  const Tensor y(shape.out_shape()), dw(shape.weight_shape());
  shape.n = 6;
  const auto conv = slots.conv2d(shape, pool);
  conv->forward(x.view(), w.view(), y.view());
  conv->backward(x.view(), w.view(), dy.view(), {}, dw.view());
  EXPECT_EQ(values(y.view()), values(expected.y.view()));
  EXPECT_EQ(values(dw.view()), values(expected.dw.view()));
}

// The gradients of the definition itself: f(x + h u) - f(x - h u) = 2 h <df/dx, u> exactly, since the convolution is
// linear in x and in w.
TEST(Conv2d, BackwardIsTheDerivativeOfForward) {
  for (const ConvShape& shape : kShapes) {
    const auto x = as_double(random_tensor(shape.in_shape(), "x")),
               w = as_double(random_tensor(shape.weight_shape(), "w"));
    const auto u = as_double(random_tensor(shape.in_shape(), "u")),
               v = as_double(random_tensor(shape.weight_shape(), "v"));
    const auto dy = as_double(random_tensor(shape.out_shape(), "dy"));
    const Exact gradients = exact(shape, false);
    BasicTensor<double> y(shape.out_shape());
    const auto dot = [](const BasicTensor<double>& a, const BasicTensor<double>& b) {
      double sum = 0;
      for (int64_t i = 0; i < a.size(); ++i) {
        sum += a.data()[i] * b.data()[i];
      }
      return sum;
    };
    baseline::naive_conv2d_forward<double>(shape, u.view(), w.view(), y.view());
    EXPECT_NEAR(dot(y, dy), dot(u, gradients.dx), 1e-9);
    baseline::naive_conv2d_forward<double>(shape, x.view(), v.view(), y.view());
    EXPECT_NEAR(dot(y, dy), dot(v, gradients.dw), 1e-9);
  }
}

}  // namespace
}  // namespace hpml::nn
