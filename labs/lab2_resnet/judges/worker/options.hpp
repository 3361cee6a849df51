#pragma once
// The options of `resnet train` that a training of lab2_worker has, and one of its own.
#include <cstdint>

#include "commands.hpp"
#include "lab2.hpp"

namespace hpml::lab2 {

struct TrainingOptions {
  int width = 16, epochs = 1, batch = 128, train = 0, test = 0;  // train, test: images of the synthetic set
  uint64_t seed = 1;
  bool batch_norm = true;
  bool loader_images = false;  // train on what the student's loader delivers, not on the data set's own images
  ::lab2::OptimizerOptions optimizer;
};

// "--model resnet8 --width 8 --data synthetic:TRAIN:TEST ...", and --loader-images.
Answer<TrainingOptions> training_options(Words words);

}  // namespace hpml::lab2
