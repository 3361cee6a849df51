#pragma once
// Layer tables of the course's networks, and what follows from them for one image.
#include <cstdint>
#include <string>
#include <vector>

#include "common/models/convolution.hpp"

namespace hpml::models {

enum class Network : uint8_t { vgg16, vgg19, resnet18_cifar10 };

struct Summary {
  int64_t parameters = 0;         // learned: weights, biases, scales and shifts of batch normalisation
  int64_t convolutions = 0;       // convolution layers, shortcuts included
  int64_t classifier_inputs = 0;  // of the last fully connected layer
  int64_t convolution_macs = 0, macs = 0;
};

Summary summary(Network network);

}  // namespace hpml::models
