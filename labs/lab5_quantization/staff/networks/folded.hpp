#pragma once
// ResNet-8 with its batch norms folded away: the grader's own, kept apart from the library's executor so that ranges of
// every output can be observed.
#include <map>
#include <string>
#include <vector>

#include "networks/network.hpp"
#include "networks/quantize.hpp"

namespace hpml::lab5 {

// A convolution, addition, average or linear layer with the batch norm and the ReLU that follow it.
struct FoldedNode {
  std::string op, name;     // name: of the last node that went into it
  std::vector<int> inputs;  // places of FoldedNet::nodes; -1: the image
  nn::ConvShape shape{};    // n = 1; linear: 1 x 1; add, avg_pool: extents of the input
  std::vector<float> weight, bias;
  bool relu = false;
  int64_t out_size = 0;
};
using FoldedNet = std::vector<FoldedNode>;
FoldedNet fold(const nn::Network& network);

// Outputs of all nodes for one image, in order.
std::vector<std::vector<float>> run_float(const FoldedNet& net, std::span<const float> image);

// "input" and every node but the linear one: limits over the images.
using Ranges = std::map<std::string, Limits>;
Ranges observe(const FoldedNet& net, const Images& images);
Result<void> write_ranges(const std::string& path, const FoldedNet& net, const Ranges& ranges);

}  // namespace hpml::lab5
