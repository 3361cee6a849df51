#pragma once
// oneDNN as a peer: the same convolutions by another library. Without oneDNN nothing is registered.
#include <string>
#include <utility>
#include <vector>

#include "common/nn/slots.hpp"

namespace hpml::nn {

// Benchmarks "<name>/onednn/forward", "/by_weights", "/by_both" on one thread, with memory in the layouts that oneDNN
// likes best.
// `layers`: shapes, and how often each runs.
void add_onednn_benchmarks(const std::string& name, const std::vector<std::pair<ConvShape, int>>& layers);

}  // namespace hpml::nn
