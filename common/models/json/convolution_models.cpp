#include "common/models/convolution.hpp"

#include <cmath>

#include "common/models/json/registry.hpp"
#include "common/models/networks.hpp"

namespace hpml::models {

namespace {

constexpr Bounds kSize{1, 1e5};  // keeps products below 2^63

double macs_estimate(const Convolution& layer) {
  const auto taps = static_cast<double>(layer.filter * layer.filter * layer.in_channels);
  const auto padded = static_cast<double>(layer.width + 2 * layer.padding);
  return taps * padded * padded * static_cast<double>(layer.out_channels);
}

Result<Json> convolution(Args& a) {
  Convolution layer;
  layer.width = a.integer("width", kSize);
  layer.in_channels = a.integer("in_channels", kSize);
  layer.out_channels = a.integer("out_channels", kSize);
  layer.filter = a.integer("filter", between(1, 100));
  layer.stride = a.integer("stride", between(1, 100));
  layer.padding = a.integer("padding", between(0, 100));
  layer.bias = a.flag("bias");
  a.require(layer.filter <= layer.width + 2 * layer.padding, "filter", "is larger than the padded image");
  a.require(macs_estimate(layer) < 9e15, "width", "and channels are too large together");
  HPML_MODEL_INPUTS_READ(a);
  const int64_t count = macs(layer);
  return Json{{"out_width", out_width(layer)}, {"parameters", parameters(layer)}, {"macs", count}, {"flop", 2 * count}};
}

Result<Json> fully_connected(Args& a) {
  const int64_t inputs = a.integer("inputs", between(1, 1e9));
  const int64_t outputs = a.integer("outputs", between(1, 1e9));
  const bool bias = a.flag("bias");
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"parameters", fully_connected_parameters(inputs, outputs, bias)}, {"macs", inputs * outputs}};
}

Result<Json> field(Args& a) {
  const std::vector<int64_t> filters = a.integers("filters", between(1, 100));
  const std::vector<int64_t> strides = a.integers("strides", between(1, 10));
  a.require(filters.size() == strides.size(), "strides", "must have one entry per filter");
  a.require(filters.size() <= 12, "filters", "may have at most 12 entries");
  HPML_MODEL_INPUTS_READ(a);
  std::vector<Window> layers;
  for (size_t i = 0; i < filters.size(); ++i) {
    layers.push_back({filters[i], strides[i]});
  }
  return Json{{"width", receptive_field(layers)}};
}

Result<Json> unrolled(Args& a) {
  const int64_t width = a.integer("width", kSize);
  const int64_t filter = a.integer("filter", kSize);
  a.require(filter <= width, "filter", "is larger than the image");
  HPML_MODEL_INPUTS_READ(a);
  const Unrolled u = im2col(width, filter);
  return Json{{"rows", u.rows}, {"sparse_columns", u.sparse_columns}, {"dense_columns", u.dense_columns}};
}

Result<Json> winograd(Args& a) {
  const int64_t outputs = a.integer("outputs", kSize);
  const int64_t taps = a.integer("taps", kSize);
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"multiplications", winograd_multiplications(outputs, taps)}, {"direct", outputs * taps}};
}

Result<Json> pooled(Args& a) {
  const std::vector<double> image = a.numbers("image", between(-1e9, 1e9));
  const int64_t window = a.integer("window", kSize);
  const auto kind = static_cast<Pool>(a.word("kind", {"max", "average"}));
  const auto width = std::lround(std::sqrt(static_cast<double>(image.size())));
  a.require(static_cast<size_t>(width * width) == image.size(), "image", "must be square");
  a.require(window <= width, "window", "is larger than the image");
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"image", pool(image, window, kind)}};
}

Result<Json> network(Args& a) {
  const auto which = static_cast<Network>(a.word("network", {"vgg16", "vgg19", "resnet18_cifar10"}));
  HPML_MODEL_INPUTS_READ(a);
  const Summary s = summary(which);
  return Json{{"parameters", s.parameters},
              {"convolutions", s.convolutions},
              {"classifier_inputs", s.classifier_inputs},
              {"convolution_macs", s.convolution_macs},
              {"macs", s.macs}};
}

}  // namespace

std::vector<Model> convolution_models() {
  return {
      {"convolution",
       "out = floor((n+2p-f)/s)+1; (f f c_in + bias) c_out parameters; of one square image",
       {"out_width", "parameters", "macs", "flop"},
       convolution},
      {"fully_connected", "(inputs + bias) outputs", {"parameters", "macs"}, fully_connected},
      {"receptive_field", "1 + sum of (f-1) times the strides before", {"width"}, field},
      {"im2col",
       "output pixels x input pixels; output pixels x filter taps",
       {"rows", "sparse_columns", "dense_columns"},
       unrolled},
      {"winograd", "m + r - 1 instead of m r multiplications", {"multiplications", "direct"}, winograd},
      {"pool", "windows with stride 1 over a square image, row by row", {"image"}, pooled},
      {"network",
       "sums over the layer table, one image",
       {"parameters", "convolutions", "classifier_inputs", "convolution_macs", "macs"},
       network},
  };
}

}  // namespace hpml::models
