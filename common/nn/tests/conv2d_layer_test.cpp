// The layer around the kernels (conv2d_test.cpp has those): bias, and that gradients reach all parameters.
#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

TEST(Conv2dLayer, AddsItsBiasToEveryPixel) {
  check_layer({"conv2d",
               {{"channels", int64_t{3}},
                {"kernel", int64_t{3}},
                {"stride", int64_t{2}},
                {"pad", int64_t{1}},
                {"bias", int64_t{1}}},
               {{2, 5, 4, 2}},
               [](auto& in, auto& params) {
                 const int oh = 3, ow = 2;
                 Values out;
                 for (int n = 0; n < 2; ++n) {
                   for (int y = 0; y < oh; ++y) {
                     for (int x = 0; x < ow; ++x) {
                       for (int f = 0; f < 3; ++f) {
                         double sum = params[1][static_cast<size_t>(f)];
                         for (int t = 0; t < 9 * 2; ++t) {
                           const int kh = t / 6, kw = t / 2 % 3, c = t % 2, ih = 2 * y - 1 + kh, iw = 2 * x - 1 + kw;
                           if (ih >= 0 && ih < 5 && iw >= 0 && iw < 4) {
                             sum += in[0][static_cast<size_t>(((n * 5 + ih) * 4 + iw) * 2 + c)] *
                                    params[0][static_cast<size_t>(t * 3 + f)];
                           }
                         }
                         out.push_back(sum);
                       }
                     }
                   }
                 }
                 return out;
               }});
}

TEST(Conv2dLayer, CountsTapsInThePaddingAsNominalButNotAsExecuted) {
  Graph graph("test", {1, 4, 4, 8});
  ASSERT_TRUE(
      graph.add("conv2d", "conv", {"input"}, {{"channels", int64_t{16}}, {"kernel", int64_t{3}}, {"pad", int64_t{1}}})
          .ok());
  const LayerCost cost = cost_of(graph.output());
  EXPECT_EQ(cost.macs, 4 * 4 * 9 * 8 * 16);
  EXPECT_EQ(cost.executed_macs, (2 + 3 + 3 + 2) * (2 + 3 + 3 + 2) * 8 * 16);
}

}  // namespace
}  // namespace hpml::nn
