#include "common/nn/tests/layer_testing.hpp"

namespace hpml::nn {
namespace {

TEST(Relu, IsTheLargerOfItsInputAndZero) {
  check_layer({"relu", {}, {{3, 4, 5, 6}}, [](auto& in, auto&) {
                 Values out = in[0];
                 for (double& value : out) {
                   value = std::max(value, 0.0);
                 }
                 return out;
               }});
}

}  // namespace
}  // namespace hpml::nn
