#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

TEST(Concat, JoinsTheChannelsOfEveryPixel) {
  check_layer({"concat", {}, {{2, 2, 3, 2}, {2, 2, 3, 1}, {2, 2, 3, 3}}, [](auto& in, auto&) {
                 Values out;
                 for (size_t pixel = 0; pixel < 2 * 2 * 3; ++pixel) {
                   out.insert(out.end(), in[0].begin() + 2 * pixel, in[0].begin() + 2 * pixel + 2);
                   out.push_back(in[1][pixel]);
                   out.insert(out.end(), in[2].begin() + 3 * pixel, in[2].begin() + 3 * pixel + 3);
                 }
                 return out;
               }});
}

}  // namespace
}  // namespace hpml::nn
