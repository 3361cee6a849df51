#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

TEST(Linear, MultipliesTheFlattenedImage) {
  for (const bool bias : {true, false}) {
    check_layer(
        {"linear", {{"features", int64_t{5}}, {"bias", int64_t{bias}}}, {{3, 2, 2, 3}}, [bias](auto& in, auto& params) {
           Values out(3 * 5);
           for (size_t n = 0; n < 3; ++n) {
             for (size_t f = 0; f < 5; ++f) {
               out[n * 5 + f] = bias ? params[1][f] : 0;
               for (size_t i = 0; i < 12; ++i) {
                 out[n * 5 + f] += in[0][n * 12 + i] * params[0][i * 5 + f];
               }
             }
           }
           return out;
         }});
  }
}

}  // namespace
}  // namespace hpml::nn
