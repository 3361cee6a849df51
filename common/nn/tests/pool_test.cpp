#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

// All windows of a 2 x 5 x 6 x 2 batch: fold(values inside the image, kernel) -> output.
template <class Fold>
Values pool(const Values& in, int kernel, int stride, int pad, Fold&& fold) {
  const int h = 5, w = 6, channels = 2;
  Values out;
  for (int n = 0; n < 2; ++n) {
    for (int y = -pad; y + kernel <= h + pad; y += stride) {
      for (int x = -pad; x + kernel <= w + pad; x += stride) {
        for (int c = 0; c < channels; ++c) {
          Values window;
          for (int t = 0; t < kernel * kernel; ++t) {
            const int ih = y + t / kernel, iw = x + t % kernel;
            if (ih >= 0 && ih < h && iw >= 0 && iw < w) {
              window.push_back(in[static_cast<size_t>(((n * h + ih) * w + iw) * channels + c)]);
            }
          }
          out.push_back(fold(window, kernel));
        }
      }
    }
  }
  return out;
}

Attrs attrs(int64_t kernel, int64_t stride, int64_t pad) {
  return {{"kernel", kernel}, {"stride", stride}, {"pad", pad}};
}

TEST(MaxPool, TakesTheLargestValueInsideTheImage) {
  for (const auto& [kernel, stride, pad] : {std::tuple{2, 2, 0}, {3, 2, 1}, {3, 1, 1}}) {
    check_layer({"max_pool", attrs(kernel, stride, pad), {{2, 5, 6, 2}}, [=](auto& in, auto&) {
                   return pool(in[0], kernel, stride, pad, [](const Values& window, int) {
                     return *std::max_element(window.begin(), window.end());
                   });
                 }});
  }
}

TEST(AvgPool, DividesBySizeOfTheWindowAlsoAtTheBorder) {
  for (const auto& [kernel, stride, pad] : {std::tuple{2, 2, 0}, {3, 2, 1}}) {
    check_layer({"avg_pool", attrs(kernel, stride, pad), {{2, 5, 6, 2}}, [=](auto& in, auto&) {
                   return pool(in[0], kernel, stride, pad, [](const Values& window, int k) {
                     double sum = 0;
                     for (const double value : window) {
                       sum += value;
                     }
                     return sum / (k * k);
                   });
                 }});
  }
}

TEST(AvgPool, WithoutAKernelAveragesTheWholeImage) {
  check_layer({"avg_pool", {}, {{2, 3, 2, 4}}, [](auto& in, auto&) {
                 Values out(8);
                 for (size_t i = 0; i < in[0].size(); ++i) {
                   out[i / 24 * 4 + i % 4] += in[0][i] / 6;
                 }
                 return out;
               }});
}

TEST(MaxPool, RejectsMorePaddingThanHalfAKernel) {
  Graph graph("test", {1, 5, 5, 1});
  const auto added = graph.add("max_pool", "pool", {"input"}, attrs(2, 2, 2));
  ASSERT_FALSE(added.ok());
  EXPECT_NE(added.error().message.find("pad 2"), std::string::npos);
}

}  // namespace
}  // namespace hpml::nn
