#pragma once
// A trained network as an ONNX file (opset 13).
#include <string>

#include "common/nn/train/network.hpp"

namespace exported {

// Input "input": N x 3 x 32 x 32, normalised; output: N x classes, named like the last layer. Throws std::runtime_error if the file
// cannot be written.
void write_onnx(const hpml::nn::Network& network, const std::string& path);

}  // namespace exported
