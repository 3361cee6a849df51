#pragma once
// oneDNN as a peer: the same convolutions by another library. Without oneDNN nothing is registered.
#include <string>

#include "common/nn/slots.hpp"

namespace hpml::nn {

// Benchmarks "<name>/onednn/forward", "/by_weights", "/by_both" on one thread, with memory in the layouts that oneDNN
// likes best.
void add_onednn_benchmarks(const std::string& name, const ConvShape& shape);

}  // namespace hpml::nn
