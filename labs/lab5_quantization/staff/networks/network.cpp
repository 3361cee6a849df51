#include "networks/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "common/base/check.hpp"
#include "common/nn/random.hpp"

namespace hpml::lab5 {

namespace {

constexpr int kEvaluated = 100;  // images per call

// The network of the original lab: convolution, pool, convolution, pool, three linear layers, all without bias.
nn::Graph lenet() {
  nn::Graph graph("lenet", {1, 32, 32, 3});
  std::string at = "input";
  const auto add = [&](const char* op, const char* name, const nn::Attrs& attrs) {
    const auto added = graph.add(op, name, {at}, attrs);
    HPML_CHECK(added.ok(), added.error().to_string());
    at = name;
  };
  const auto conv = [&](const char* name, const char* relu, const char* pool, int64_t channels) {
    add("conv2d", name, {{"channels", channels}, {"kernel", int64_t{5}}});
    add("relu", relu, {});
    add("max_pool", pool, {{"kernel", int64_t{2}}, {"stride", int64_t{2}}});
  };
  const auto linear = [&](const char* name, int64_t features) {
    add("linear", name, {{"features", features}, {"bias", int64_t{0}}});
  };
  conv("conv1", "relu1", "pool1", 6);
  conv("conv2", "relu2", "pool2", 16);
  linear("fc1", 120);
  add("relu", "relu3", {});
  linear("fc2", 84);
  add("relu", "relu4", {});
  linear("fc3", 10);
  return graph;
}

int64_t value_bytes(const nn::Network& network) {
  int64_t bytes = 0;
  for (const std::string& name : value_names(network.graph())) {
    bytes += network.value(name).size() * static_cast<int64_t>(sizeof(float));
  }
  return bytes;
}

void decode(std::span<const uint8_t> planes, float* pixels) {
  constexpr int kPixels = nn::kImageSide * nn::kImageSide;
  for (int p = 0; p < kPixels; ++p) {
    for (int c = 0; c < nn::kImagePlanes; ++c) {
      const float value = static_cast<float>(planes[static_cast<size_t>(c * kPixels + p)]) / 255.0F;
      pixels[p * nn::kImagePlanes + c] = (value - nn::kChannelMean[c]) / nn::kChannelDeviation[c];
    }
  }
}

}  // namespace

Result<nn::Graph> graph_by_name(std::string_view name) {
  if (name == "resnet8") {
    return nn::resnet8_cifar();
  }
  if (name == "lenet") {
    return lenet();
  }
  return error_in("network", fmt::format("unknown network '{}'; there are resnet8 and lenet", name));
}

std::vector<std::string> value_names(const nn::Graph& graph) {
  std::vector<std::string> names;
  for (const nn::NodeSpec& node : graph.nodes()) {
    for (const nn::ParamSpec& param : node.params) {
      names.push_back(node.name + "." + param.name);
    }
  }
  return names;
}

Result<void> read_weights(const std::string& path, nn::Network& network) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    return error_in(path, "cannot be read; it is made by `make setup`");
  }
  const int64_t expected = value_bytes(network), found = file.tellg();
  if (found != expected) {
    return error_in(path, fmt::format("has {} bytes, {} needs {}", found, network.graph().name(), expected));
  }
  file.seekg(0);
  for (const std::string& name : value_names(network.graph())) {
    const nn::View<float> value = network.value(name);
    file.read(reinterpret_cast<char*>(value.data), value.size() * static_cast<int64_t>(sizeof(float)));
  }
  return file ? Result<void>(Ok{}) : error_in(path, "cannot be read to its end");
}

Result<void> write_weights(const std::string& path, const nn::Network& network) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  for (const std::string& name : value_names(network.graph())) {
    const nn::View<float> value = network.value(name);
    file.write(reinterpret_cast<const char*>(value.data), value.size() * static_cast<int64_t>(sizeof(float)));
  }
  file.close();
  return file ? Result<void>(Ok{}) : error_in(path, "cannot be written; is there space, and is the folder yours?");
}

Images synthetic_images(uint64_t seed, int first, int count) {
  const nn::Dataset data = nn::synthetic_dataset({.seed = seed, .count = first + count});
  Images images{nn::Tensor({count, nn::kImageSide, nn::kImageSide, nn::kImagePlanes}), {}};
  for (int i = 0; i < count; ++i) {
    decode(data.image(first + i), images.pixels.data() + int64_t{i} * nn::kImageBytes);
    images.labels.push_back(data.label(first + i));
  }
  return images;
}

nn::Slots reproducible_slots() {
  const auto sets = nn::instruction_sets();
  const bool has_avx2 = std::ranges::find(sets, "avx2") != sets.end();
  return nn::baseline_slots(nn::Kernel::direct, has_avx2 ? "avx2" : "");
}

double accuracy(nn::Network& network, const Images& images) {
  int correct = 0;
  for (int first = 0; first < images.count(); first += kEvaluated) {
    const int count = std::min(kEvaluated, images.count() - first);
    const std::span labels(images.labels.data() + first, static_cast<size_t>(count));
    correct += network.evaluate(images.pixels.view().images(first, count), labels).correct;
  }
  return static_cast<double>(correct) / images.count();
}

void train(nn::Network& network, const Images& images, const Training& how, const nn::Slots& slots,
           nn::ThreadPool& pool, const std::function<void()>& after_step) {
  const auto optimizer =
      slots.optimizer({.lr = how.lr, .momentum = how.momentum, .weight_decay = how.weight_decay}, pool);
  nn::Tensor batch({how.batch, nn::kImageSide, nn::kImageSide, nn::kImagePlanes});
  std::vector<int32_t> labels(static_cast<size_t>(how.batch));
  const nn::FlushDenormals flush;
  for (int epoch = 0; epoch < how.epochs; ++epoch) {
    const std::vector<int> order =
        nn::permutation(images.count(), how.seed, nn::stream_id("order", static_cast<uint64_t>(epoch)));
    for (int first = 0; first + how.batch <= images.count(); first += how.batch) {
      for (int i = 0; i < how.batch; ++i) {
        const int sample = order[static_cast<size_t>(first + i)];
        const auto from = images.pixels.view().images(sample, 1).span();
        std::copy(from.begin(), from.end(), batch.data() + int64_t{i} * nn::kImageBytes);
        labels[static_cast<size_t>(i)] = images.labels[static_cast<size_t>(sample)];
      }
      network.train_step(batch.view(), labels);
      optimizer->step(network.parameters());
      if (after_step) {
        after_step();
      }
    }
  }
}

}  // namespace hpml::lab5
