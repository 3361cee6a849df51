#pragma once
// The course's networks. All take one image and end in logits; training adds the loss (train/network.hpp).
#include <string>
#include <string_view>
#include <vector>

#include "common/nn/graph/graph.hpp"

namespace hpml::nn {

// He et al. 2015 for 32x32x3 images: a 3x3 stem without pool, four groups of two basic blocks with 64, 128, 256, 512
// channels, a 1x1 projection where the shape changes, average pool, linear. batch_norm = false leaves batch
// normalisation out and puts nothing in its place.
Graph resnet18_cifar(bool batch_norm = true);
// The small one: three groups of one basic block with width, 2 width, 4 width channels.
Graph resnet8_cifar(int width = 16, bool batch_norm = true);

// A network by the name it has in tables and on command lines: "resnet18", "resnet8", "resnet50", "vgg19-224", ...
Result<Graph> network_by_name(std::string_view name);
std::vector<std::string> network_names();

}  // namespace hpml::nn
