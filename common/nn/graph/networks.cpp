#include "common/nn/graph/networks.hpp"

#include <fmt/format.h>

#include <functional>

#include "common/base/check.hpp"

namespace hpml::nn {

namespace {

// Adds nodes one after the other; `at` is the node that the next one reads. Our own networks always fit, so a failure
// is a bug of this file.
class Builder {
 public:
  Builder(std::string name, Shape input) : graph_(std::move(name), input) {}

  std::string at = "input";

  void node(std::string op, const std::string& name, std::vector<std::string> inputs, Attrs attrs = {}) {
    const auto added = graph_.add(std::move(op), name, std::move(inputs), std::move(attrs));
    HPML_CHECK(added.ok(), added.error().to_string());
    at = name;
  }
  void conv(const std::string& name, int64_t channels, int64_t kernel, int64_t stride, int64_t pad, bool bias = false,
            int64_t groups = 1) {
    node("conv2d", name, {at},
         {{"channels", channels},
          {"kernel", kernel},
          {"stride", stride},
          {"pad", pad},
          {"bias", int64_t{bias}},
          {"groups", groups}});
  }
  void batch_norm(const std::string& name) { node("batch_norm", name, {at}); }
  void relu(const std::string& name) { node("relu", name, {at}); }
  void conv_relu(const std::string& name, int64_t channels, int64_t kernel, int64_t stride, int64_t pad,
                 int64_t groups = 1) {
    conv(name, channels, kernel, stride, pad, true, groups);
    relu(name + "_relu");
  }
  void max_pool(const std::string& name, int64_t kernel, int64_t stride, int64_t pad = 0) {
    node("max_pool", name, {at}, {{"kernel", kernel}, {"stride", stride}, {"pad", pad}});
  }
  void global_pool() { node("avg_pool", "pool", {at}); }
  void linear(const std::string& name, int64_t features) { node("linear", name, {at}, {{"features", features}}); }

  int channels_at() const { return graph_.index_of(at) < 0 ? graph_.input().c : graph_.find(at)->out_shape.c; }
  Graph done() { return std::move(graph_); }

 private:
  Graph graph_;
};

// conv, then batch normalisation unless the network has none.
void conv_norm(Builder& net, const std::string& name, int64_t channels, int64_t kernel, int64_t stride,
               const std::string& norm, bool batch_norm) {
  net.conv(name, channels, kernel, stride, kernel / 2);
  if (batch_norm) {
    net.batch_norm(norm);
  }
}

void shortcut(Builder& net, const std::string& block, const std::string& from, int64_t channels, int64_t stride,
              bool batch_norm) {
  const std::string main = net.at;
  std::string side = from;
  net.at = from;
  if (stride != 1 || net.channels_at() != channels) {
    conv_norm(net, block + ".projection", channels, 1, stride, block + ".projection_norm", batch_norm);
    side = net.at;
  }
  net.node("add", block + ".add", {main, side});
  net.relu(block + ".relu");
}

// He et al. 2015, figure 5 left.
void basic_block(Builder& net, const std::string& block, int64_t channels, int64_t stride, bool batch_norm) {
  const std::string from = net.at;
  conv_norm(net, block + ".conv1", channels, 3, stride, block + ".norm1", batch_norm);
  net.relu(block + ".relu1");
  conv_norm(net, block + ".conv2", channels, 3, 1, block + ".norm2", batch_norm);
  shortcut(net, block, from, channels, stride, batch_norm);
}

// He et al. 2015, figure 5 right. stride_in_3x3: where the stride lies (v1: in the first 1x1, v1.5: in the 3x3).
void bottleneck(Builder& net, const std::string& block, int64_t width, int64_t stride, bool stride_in_3x3) {
  const std::string from = net.at;
  conv_norm(net, block + ".conv1", width, 1, stride_in_3x3 ? 1 : stride, block + ".norm1", true);
  net.relu(block + ".relu1");
  conv_norm(net, block + ".conv2", width, 3, stride_in_3x3 ? stride : 1, block + ".norm2", true);
  net.relu(block + ".relu2");
  conv_norm(net, block + ".conv3", 4 * width, 1, 1, block + ".norm3", true);
  shortcut(net, block, from, 4 * width, stride, true);
}

void stem_cifar(Builder& net, int64_t channels, bool batch_norm) {
  conv_norm(net, "conv1", channels, 3, 1, "norm1", batch_norm);
  net.relu("relu1");
}

void stem_imagenet(Builder& net) {
  conv_norm(net, "conv1", 64, 7, 2, "norm1", true);
  net.relu("relu1");
  net.max_pool("maxpool", 3, 2, 1);
}

std::string block_name(int group, int block) { return fmt::format("group{}.block{}", group, block); }

void basic_groups(Builder& net, std::vector<int64_t> channels, int blocks, bool batch_norm) {
  for (size_t group = 0; group < channels.size(); ++group) {
    for (int block = 0; block < blocks; ++block) {
      basic_block(net, block_name(static_cast<int>(group) + 1, block), channels[group], group > 0 && block == 0 ? 2 : 1,
                  batch_norm);
    }
  }
}

void classifier(Builder& net, int64_t classes) {
  net.global_pool();
  net.linear("fc", classes);
}

Graph resnet18_imagenet() {
  Builder net("resnet18-224", {1, 224, 224, 3});
  stem_imagenet(net);
  basic_groups(net, {64, 128, 256, 512}, 2, true);
  classifier(net, 1000);
  return net.done();
}

Graph resnet50(const std::string& name, int side, bool stride_in_3x3) {
  Builder net(name, {1, side, side, 3});
  const bool small = side == 32;
  if (small) {
    stem_cifar(net, 64, true);
  } else {
    stem_imagenet(net);
  }
  const int blocks[] = {3, 4, 6, 3};
  for (int group = 0; group < 4; ++group) {
    for (int block = 0; block < blocks[group]; ++block) {
      bottleneck(net, block_name(group + 1, block), int64_t{64} << group, group > 0 && block == 0 ? 2 : 1,
                 stride_in_3x3);
    }
  }
  classifier(net, small ? 10 : 1000);
  return net.done();
}

// Simonyan, Zisserman 2014, configurations D and E.
Graph vgg(const std::string& name, int side, const std::vector<int>& group_sizes) {
  Builder net(name, {1, side, side, 3});
  int64_t channels = 64;
  for (size_t group = 0; group < group_sizes.size(); ++group) {
    for (int i = 1; i <= group_sizes[group]; ++i) {
      net.conv_relu(fmt::format("conv{}_{}", group + 1, i), channels, 3, 1, 1);
    }
    net.max_pool(fmt::format("pool{}", group + 1), 2, 2);
    channels = channels < 512 ? 2 * channels : 512;
  }
  if (side == 224) {
    net.linear("fc6", 4096);
    net.relu("fc6_relu");
    net.linear("fc7", 4096);
    net.relu("fc7_relu");
  }
  net.linear("fc8", side == 224 ? 1000 : 10);
  return net.done();
}

struct AlexNetForm {
  std::string name;
  int side;
  int64_t pad1;  // of the first convolution
  int64_t channels[5];
  int64_t groups;  // of convolutions 2, 4 and 5
};

// Krizhevsky, Sutskever, Hinton 2012 (two groups, for two GPUs), and Krizhevsky 2014 as torchvision has it (one tower).
// Local response normalisation has neither parameters nor products and is left out.
Graph alexnet(const AlexNetForm& form) {
  Builder net(form.name, {1, form.side, form.side, 3});
  net.conv_relu("conv1", form.channels[0], 11, 4, form.pad1);
  net.max_pool("pool1", 3, 2);
  net.conv_relu("conv2", form.channels[1], 5, 1, 2, form.groups);
  net.max_pool("pool2", 3, 2);
  net.conv_relu("conv3", form.channels[2], 3, 1, 1);
  net.conv_relu("conv4", form.channels[3], 3, 1, 1, form.groups);
  net.conv_relu("conv5", form.channels[4], 3, 1, 1, form.groups);
  net.max_pool("pool5", 3, 2);
  net.linear("fc6", 4096);
  net.relu("fc6_relu");
  net.linear("fc7", 4096);
  net.relu("fc7_relu");
  net.linear("fc8", 1000);
  return net.done();
}

struct Inception {
  const char* name;
  int64_t c1, c3_reduce, c3, c5_reduce, c5, pool_proj;
};

// Szegedy et al. 2014, table 1.
constexpr Inception kInceptions[] = {
    {"3a", 64, 96, 128, 16, 32, 32},     {"3b", 128, 128, 192, 32, 96, 64},   {"4a", 192, 96, 208, 16, 48, 64},
    {"4b", 160, 112, 224, 24, 64, 64},   {"4c", 128, 128, 256, 24, 64, 64},   {"4d", 112, 144, 288, 32, 64, 64},
    {"4e", 256, 160, 320, 32, 128, 128}, {"5a", 256, 160, 320, 32, 128, 128}, {"5b", 384, 192, 384, 48, 128, 128},
};

// torchvision: batch normalisation instead of biases, and 3x3 where the paper has 5x5.
class GoogLeNet {
 public:
  explicit GoogLeNet(bool torchvision)
      : torchvision_(torchvision), net_(torchvision ? "googlenet-torchvision" : "googlenet", {1, 224, 224, 3}) {}

  Graph build() {
    conv("conv1", 64, 7, 2);
    net_.max_pool("pool1", 3, 2, 1);
    conv("conv2_reduce", 64, 1, 1);
    conv("conv2", 192, 3, 1);
    net_.max_pool("pool2", 3, 2, 1);
    for (const Inception& module : kInceptions) {
      inception(module);
      const std::string name = module.name;
      if (name == "3b" || name == "4e") {
        net_.max_pool("pool" + name.substr(0, 1), 3, 2, 1);
      }
    }
    classifier(net_, 1000);
    return net_.done();
  }

 private:
  void conv(const std::string& name, int64_t channels, int64_t kernel, int64_t stride) {
    net_.conv(name, channels, kernel, stride, kernel / 2, !torchvision_);
    if (torchvision_) {
      net_.batch_norm(name + "_norm");
    }
    net_.relu(name + "_relu");
  }

  void inception(const Inception& module) {
    const std::string prefix = std::string("inception") + module.name, from = net_.at;
    std::vector<std::string> branches;
    const auto end_branch = [&] {
      branches.push_back(net_.at);
      net_.at = from;
    };
    conv(prefix + ".1x1", module.c1, 1, 1);
    end_branch();
    conv(prefix + ".3x3_reduce", module.c3_reduce, 1, 1);
    conv(prefix + ".3x3", module.c3, 3, 1);
    end_branch();
    conv(prefix + ".5x5_reduce", module.c5_reduce, 1, 1);
    conv(prefix + ".5x5", module.c5, torchvision_ ? 3 : 5, 1);
    end_branch();
    net_.max_pool(prefix + ".pool", 3, 1, 1);
    conv(prefix + ".pool_proj", module.pool_proj, 1, 1);
    end_branch();
    net_.node("concat", prefix, branches);
  }

  bool torchvision_;
  Builder net_;
};

struct Named {
  const char* name;
  std::function<Graph()> build;
};

const std::vector<Named>& table() {
  static const std::vector<Named> networks = {
      {"resnet18", [] { return resnet18_cifar(); }},
      {"resnet8", [] { return resnet8_cifar(); }},
      {"resnet50", [] { return resnet50("resnet50", 32, true); }},
      {"vgg19-32",
       [] {
         return vgg("vgg19-32", 32, {2, 2, 4, 4, 4});
       }},
      {"vgg19",
       [] {
         return vgg("vgg19", 224, {2, 2, 4, 4, 4});
       }},
      {"vgg16",
       [] {
         return vgg("vgg16", 224, {2, 2, 3, 3, 3});
       }},
      {"alexnet",
       [] {
         return alexnet({"alexnet", 227, 0, {96, 256, 384, 384, 256}, 2});
       }},
      {"alexnet-one-tower",
       [] {
         return alexnet({"alexnet-one-tower", 224, 2, {64, 192, 384, 256, 256}, 1});
       }},
      {"googlenet", [] { return GoogLeNet(false).build(); }},
      {"googlenet-torchvision", [] { return GoogLeNet(true).build(); }},
      {"resnet18-224", resnet18_imagenet},
      {"resnet50-v1", [] { return resnet50("resnet50-v1", 224, false); }},
      {"resnet50-v1.5", [] { return resnet50("resnet50-v1.5", 224, true); }},
  };
  return networks;
}

}  // namespace

Graph resnet18_cifar(bool batch_norm) {
  Builder net("resnet18", {1, 32, 32, 3});
  stem_cifar(net, 64, batch_norm);
  basic_groups(net, {64, 128, 256, 512}, 2, batch_norm);
  classifier(net, 10);
  return net.done();
}

Graph resnet8_cifar(int width, bool batch_norm) {
  Builder net("resnet8", {1, 32, 32, 3});
  stem_cifar(net, width, batch_norm);
  basic_groups(net, {width, 2 * width, 4 * width}, 1, batch_norm);
  classifier(net, 10);
  return net.done();
}

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  for (const Named& network : table()) {
    names.emplace_back(network.name);
  }
  return names;
}

Result<Graph> network_by_name(std::string_view name) {
  for (const Named& network : table()) {
    if (network.name == name) {
      return network.build();
    }
  }
  return error_in("network", fmt::format("unknown network '{}'; there are {}", name, fmt::join(network_names(), ", ")));
}

}  // namespace hpml::nn
