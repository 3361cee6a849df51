#pragma once
// The operators, one per file of this folder. A new one is declared here, listed in graph/op.cpp and tested in
// tests/<op>_test.cpp.
#include "common/nn/graph/op.hpp"

namespace hpml::nn {

Op conv2d_op();
Op batch_norm_op();
Op relu_op();
Op add_op();
Op concat_op();
Op avg_pool_op();
Op max_pool_op();
Op linear_op();

}  // namespace hpml::nn
