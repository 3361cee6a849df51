#include "networks/folded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "networks/convolve.hpp"

namespace hpml::lab5 {

namespace {

// Folds k = gamma / sqrt(var + eps) into the last node.
void take_batch_norm(const nn::Network& network, const nn::NodeSpec& norm, FoldedNode& node) {
  const auto value = [&](const char* what) { return network.value(norm.name + what); };
  const auto gamma = value(".gamma"), beta = value(".beta"), mean = value(".running_mean"), var = value(".running_var");
  const double eps = static_cast<float>(norm.real("eps"));
  std::vector<double> k;
  for (int64_t c = 0; c < gamma.size(); ++c) {
    k.push_back(gamma[c] / std::sqrt(var[c] + eps));
    const double own = node.bias.empty() ? 0 : node.bias[static_cast<size_t>(c)];
    node.bias.resize(static_cast<size_t>(gamma.size()));
    node.bias[static_cast<size_t>(c)] = static_cast<float>(beta[c] - k.back() * mean[c] + k.back() * own);
  }
  for (size_t i = 0; i < node.weight.size(); ++i) {
    node.weight[i] = static_cast<float>(k[i % k.size()] * node.weight[i]);
  }
}

nn::ConvShape shape_of(const nn::NodeSpec& spec) {
  const nn::Shape in = spec.in_shapes[0];
  nn::ConvShape shape{1, in.h, in.w, in.c, spec.out_shape.c, 1, 1, 0};
  if (spec.op == "conv2d") {
    shape.k = static_cast<int>(spec.integer("kernel"));
    shape.stride = static_cast<int>(spec.integer("stride"));
    shape.pad = static_cast<int>(spec.integer("pad"));
  }
  return shape;
}

LAB5_VECTORS void convolve(const nn::ConvShape& s, const float* x, const float* w, float* y) {
  convolve_into(s, x, 0.0F, w, y);
}

}  // namespace

FoldedNet fold(const nn::Network& network) {
  FoldedNet net;
  std::map<std::string, int> place = {{"input", -1}};
  for (const nn::NodeSpec& spec : network.graph().nodes()) {
    if (spec.op == "batch_norm" || spec.op == "relu") {
      const int at = place[spec.inputs[0]];
      FoldedNode& node = net[static_cast<size_t>(at)];
      if (spec.op == "relu") {
        node.relu = true;
      } else {
        take_batch_norm(network, spec, node);
      }
      node.name = spec.name;
      place[spec.name] = at;
      continue;
    }
    FoldedNode node{.op = spec.op,
                    .name = spec.name,
                    .inputs = {},
                    .shape = shape_of(spec),
                    .weight = {},
                    .bias = {},
                    .out_size = spec.out_shape.size()};
    for (const std::string& input : spec.inputs) {
      node.inputs.push_back(place[input]);
    }
    const auto weight = network.value(spec.name + ".weight"), bias = network.value(spec.name + ".bias");
    node.weight.assign(weight.data, weight.data + weight.size());
    node.bias.assign(bias.data, bias.data + bias.size());
    place[spec.name] = static_cast<int>(net.size());
    net.push_back(std::move(node));
  }
  return net;
}

std::vector<std::vector<float>> run_float(const FoldedNet& net, std::span<const float> image) {
  const std::vector<float> pixels(image.begin(), image.end());
  std::vector<std::vector<float>> outputs;
  for (const FoldedNode& node : net) {
    const auto input = [&](size_t i) -> const std::vector<float>& {
      return node.inputs[i] < 0 ? pixels : outputs[static_cast<size_t>(node.inputs[i])];
    };
    std::vector<float> y(static_cast<size_t>(node.out_size));
    if (node.op == "add") {
      std::ranges::transform(input(0), input(1), y.begin(), std::plus<>());
    } else if (node.op == "avg_pool") {
      const std::vector<float>& x = input(0);
      const float area = static_cast<float>(node.shape.h * node.shape.w);
      for (size_t i = 0; i < x.size(); ++i) {
        y[i % y.size()] += x[i] / area;
      }
    } else {
      convolve(node.shape, input(0).data(), node.weight.data(), y.data());
      for (size_t i = 0; i < y.size() && !node.bias.empty(); ++i) {
        y[i] += node.bias[i % node.bias.size()];
      }
    }
    for (float& value : y) {
      value = node.relu ? std::max(value, 0.0F) : value;
    }
    outputs.push_back(std::move(y));
  }
  return outputs;
}

Ranges observe(const FoldedNet& net, const Images& images) {
  Ranges ranges;
  const auto widen = [&](const std::string& name, std::span<const float> x, bool first) {
    const Limits seen = min_max(x);
    Limits& all = ranges[name];
    all = first ? seen : Limits{std::min(all.lo, seen.lo), std::max(all.hi, seen.hi)};
  };
  for (int i = 0; i < images.count(); ++i) {
    const auto image = images.pixels.view().images(i, 1).span();
    const auto outputs = run_float(net, image);
    widen("input", image, i == 0);
    for (size_t node = 0; node < net.size(); ++node) {
      widen(net[node].name, outputs[node], i == 0);
    }
  }
  return ranges;
}

Result<void> write_ranges(const std::string& path, const FoldedNet& net, const Ranges& ranges) {
  std::string text;
  const auto line = [&](const std::string& name) {
    text += fmt::format("{} {:.9g} {:.9g}\n", name, ranges.at(name).lo, ranges.at(name).hi);
  };
  line("input");
  for (const FoldedNode& node : net) {
    line(node.name);
  }
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  return file ? Result<void>(Ok{}) : error_in(path, "cannot be written; is there space, and is the folder yours?");
}

}  // namespace hpml::lab5
