#include "common/models/networks.hpp"

namespace hpml::models {

namespace {

struct Builder {
  int64_t width, channels;
  Summary sum;

  void convolution(int64_t in, int64_t from_width, int64_t out, int64_t filter, int64_t stride, bool batch_norm) {
    const Convolution layer{from_width, in, out, filter, stride, filter / 2, !batch_norm};
    sum.parameters += parameters(layer) + (batch_norm ? 2 * out : 0);
    sum.convolution_macs += macs(layer);
    ++sum.convolutions;
    width = out_width(layer);
    channels = out;
  }

  void fully_connected(int64_t out) {
    sum.classifier_inputs = width * width * channels;
    sum.parameters += fully_connected_parameters(sum.classifier_inputs, out, true);
    sum.macs += sum.classifier_inputs * out;
    width = 1;
    channels = out;
  }

  Summary done() {
    sum.macs += sum.convolution_macs;
    return sum;
  }
};

// Simonyan, Zisserman 2014, configurations D and E: five groups of 3x3 convolutions, each followed by a 2x2 pool.
Summary vgg(const std::vector<int64_t>& group_sizes) {
  Builder net{.width = 224, .channels = 3, .sum = {}};
  int64_t out = 64;
  for (const int64_t layers : group_sizes) {
    for (int64_t i = 0; i < layers; ++i) {
      net.convolution(net.channels, net.width, out, 3, 1, false);
    }
    net.width /= 2;
    out = out < 512 ? 2 * out : 512;
  }
  for (const int64_t outputs : {4096, 4096, 1000}) {
    net.fully_connected(outputs);
  }
  return net.done();
}

// He et al. 2015, as usual for 32x32 images: a 3x3 stem without pool, four stages of two basic blocks, 1x1 shortcuts
// where the shape changes, batch normalisation after each convolution, average pool to 1x1.
Summary resnet18_cifar10() {
  Builder net{.width = 32, .channels = 3, .sum = {}};
  net.convolution(3, 32, 64, 3, 1, true);
  for (const int64_t out : {64, 128, 256, 512}) {
    for (int block = 0; block < 2; ++block) {
      const int64_t in = net.channels, from = net.width, stride = in == out ? 1 : 2;
      if (in != out) {
        net.convolution(in, from, out, 1, stride, true);
      }
      net.convolution(in, from, out, 3, stride, true);
      net.convolution(out, net.width, out, 3, 1, true);
    }
  }
  net.width = 1;
  net.fully_connected(10);
  return net.done();
}

}  // namespace

Summary summary(Network network) {
  switch (network) {
    case Network::vgg16: return vgg({2, 2, 3, 3, 3});
    case Network::vgg19: return vgg({2, 2, 4, 4, 4});
    case Network::resnet18_cifar10: return resnet18_cifar10();
  }
  return {};
}

}  // namespace hpml::models
