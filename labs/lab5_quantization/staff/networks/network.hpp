#pragma once
// The lab's two networks, their trained weights and the data they were trained on: what the programs of the grader and
// the bench start from. A file of weights holds the parameters and buffers of the graph in its order, float32, little
// endian, and nothing else.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/data/synthetic.hpp"
#include "common/nn/graph/networks.hpp"
#include "common/nn/thread_pool.hpp"
#include "common/nn/train/network.hpp"

namespace hpml::lab5 {

// "resnet8" (width 16; 78,042 parameters) or "lenet" (61,770, no bias). Anything else is an error.
Result<nn::Graph> graph_by_name(std::string_view name);

// Names of all parameters and buffers, "<node>.<param>", in the order of the graph.
std::vector<std::string> value_names(const nn::Graph& graph);
// Errors name the file: it cannot be read, or has another size than the network.
Result<void> read_weights(const std::string& path, nn::Network& network);
Result<void> write_weights(const std::string& path, const nn::Network& network);

// ---- data ----------------------------------------------------------------------------------------------------------
// Images of the synthetic set. Training images have seed 1, test images seed 2; the first 256 training images
// calibrate.
constexpr uint64_t kTrainSeed = 1, kTestSeed = 2;
constexpr int kTrainImages = 3000, kTestImages = 1000, kCalibrationImages = 256;

struct Images {
  nn::Tensor pixels;  // n x 32 x 32 x 3, normalised as the training images
  std::vector<int32_t> labels;

  int count() const { return pixels.shape().n; }
};
// Images first .. first + count - 1 of the set with this seed.
Images synthetic_images(uint64_t seed, int first, int count);

// Kernels with the same bits on all processors with AVX2; elsewhere those of the first instruction set there is. What
// data/ and reference/ hold is made with them.
nn::Slots reproducible_slots();

// ---- training and accuracy -----------------------------------------------------------------------------------------
// Share of the images whose largest logit is their label's, 0 to 1.
double accuracy(nn::Network& network, const Images& images);

struct Training {
  int epochs = 2;
  double lr = 0.005, momentum = 0.9, weight_decay = 5e-4;
  uint64_t seed = 1;  // of the order of the images
  int batch = 64;
};
// after_step: called after every update, e.g. to apply masks again; may be empty.
void train(nn::Network& network, const Images& images, const Training& how, const nn::Slots& slots,
           nn::ThreadPool& pool, const std::function<void()>& after_step = {});

}  // namespace hpml::lab5
