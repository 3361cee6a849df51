#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

TEST(Add, SumsElementByElement) {
  check_layer({"add", {}, {{3, 4, 5, 6}, {3, 4, 5, 6}}, [](auto& in, auto&) {
                 Values out = in[0];
                 for (size_t i = 0; i < out.size(); ++i) {
                   out[i] += in[1][i];
                 }
                 return out;
               }});
}

}  // namespace
}  // namespace hpml::nn
