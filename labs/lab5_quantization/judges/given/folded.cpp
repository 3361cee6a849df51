#include "given/folded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

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

// y[co] += sum of (x - zero) * w, per output pixel. T: what is summed in. The order of the sums is the same everywhere.
template <class T, class X, class W>
[[gnu::always_inline]] inline void convolve_into(const nn::ConvShape& s, const X* x, T zero, const W* w, T* y) {
  const auto co = static_cast<size_t>(s.co), ci = static_cast<size_t>(s.ci);
  for (int pixel = 0; pixel < s.out_h() * s.out_w(); ++pixel) {
    T* out = y + static_cast<size_t>(pixel) * co;
    for (int tap = 0; tap < s.k * s.k; ++tap) {
      const int row = pixel / s.out_w() * s.stride - s.pad + tap / s.k,
                column = pixel % s.out_w() * s.stride - s.pad + tap % s.k;
      if (row < 0 || row >= s.h || column < 0 || column >= s.w) {
        continue;
      }
      for (size_t i = 0; i < ci; ++i) {
        const T value = static_cast<T>(x[static_cast<size_t>(row * s.w + column) * ci + i]) - zero;
        const W* weights = w + (static_cast<size_t>(tap) * ci + i) * co;
        for (size_t c = 0; c < co; ++c) {
          out[c] += value * static_cast<T>(weights[c]);
        }
      }
    }
  }
}

// 256-bit vectors where the processor has them.
#if defined(__x86_64__)
#define LAB5_VECTORS __attribute__((target_clones("default", "avx2")))
#else
#define LAB5_VECTORS
#endif

LAB5_VECTORS void convolve(const nn::ConvShape& s, const float* x, float zero, const float* w, float* y) {
  convolve_into(s, x, zero, w, y);
}
LAB5_VECTORS void convolve(const nn::ConvShape& s, const uint8_t* x, int32_t zero, const int8_t* w, int32_t* y) {
  convolve_into(s, x, zero, w, y);
}

template <class T, class X, class W>
std::vector<T> convolved(const nn::ConvShape& s, const std::vector<X>& x, T zero, const std::vector<W>& w) {
  std::vector<T> y(static_cast<size_t>(s.out_h() * s.out_w() * s.co));
  convolve(s, x.data(), zero, w.data(), y.data());
  return y;
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
      y = convolved<float>(node.shape, input(0), 0.0F, node.weight);
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

// ---- integers ------------------------------------------------------------------------------------------------------
struct IntegerNet::Node {
  FoldedNode from;
  std::vector<int8_t> weight;
  std::vector<int64_t> bias, m0;
  std::vector<int> shift;
  Scale in, second, out;
  float ra = 0, rb = 0;

  void multiplier(double m) {
    int exponent = 0;
    auto mantissa = std::llround(std::frexp(m, &exponent) * 0x1p31);
    exponent += mantissa == int64_t{1} << 31;
    m0.push_back(mantissa == int64_t{1} << 31 ? mantissa / 2 : mantissa);
    shift.push_back(31 - exponent);
  }
  uint8_t limited(int64_t q) const {
    return static_cast<uint8_t>(std::clamp<int64_t>(q, from.relu ? out.zero : out.type.qmin, out.type.qmax));
  }
  uint8_t requantized(int64_t acc, size_t c) const {
    return limited(((acc * m0[c] + (int64_t{1} << (shift[c] - 1))) >> shift[c]) + out.zero);
  }
};

IntegerNet::~IntegerNet() = default;
IntegerNet::IntegerNet(IntegerNet&&) noexcept = default;

IntegerNet::IntegerNet(const FoldedNet& net, const Ranges& ranges) {
  const auto scale = [&](const std::string& name) {
    return scale_for(ranges.at(name).lo, ranges.at(name).hi, unsigned_integers(8));
  };
  input_ = scale("input");
  const auto out_of = [&](int place) { return place < 0 ? input_ : nodes_[static_cast<size_t>(place)].out; };
  for (const FoldedNode& folded : net) {
    Node node;
    node.from = folded;
    node.in = out_of(folded.inputs[0]);
    node.out = scale(folded.name);
    if (folded.op == "add") {
      node.second = out_of(folded.inputs[1]);
      node.ra = node.in.scale / node.out.scale;
      node.rb = node.second.scale / node.out.scale;
    } else if (folded.op == "avg_pool") {
      node.multiplier(double{node.in.scale} / (double(folded.shape.h) * folded.shape.w * node.out.scale));
    }
    const size_t co = folded.weight.empty() ? 0 : static_cast<size_t>(folded.shape.co);
    node.weight.resize(folded.weight.size());
    for (size_t c = 0; c < co; ++c) {
      float most = 0;
      for (size_t i = c; i < folded.weight.size(); i += co) {
        most = std::max(most, std::fabs(folded.weight[i]));
      }
      const Scale of_weights = scale_for(-most, most, narrow_integers(8));
      for (size_t i = c; i < folded.weight.size(); i += co) {
        node.weight[i] = static_cast<int8_t>(of_weights.integer(folded.weight[i]));
      }
      const double product = double{node.in.scale} * of_weights.scale;
      node.bias.push_back(folded.bias.empty() ? 0 : std::llrint(folded.bias[c] / product));
      if (folded.op == "conv2d") {
        node.multiplier(product / node.out.scale);
      }
    }
    nodes_.push_back(std::move(node));
  }
}

std::vector<int64_t> IntegerNet::logits(std::span<const float> image) const {
  std::vector<uint8_t> pixels;
  std::ranges::transform(image, std::back_inserter(pixels),
                         [&](float x) { return static_cast<uint8_t>(input_.integer(x)); });
  std::vector<std::vector<uint8_t>> outputs;
  std::vector<int64_t> acc;
  for (const Node& node : nodes_) {
    const auto input = [&](size_t i) -> const std::vector<uint8_t>& {
      return node.from.inputs[i] < 0 ? pixels : outputs[static_cast<size_t>(node.from.inputs[i])];
    };
    const std::vector<uint8_t>& x = input(0);
    std::vector<uint8_t> y(static_cast<size_t>(node.from.out_size));
    if (node.from.op == "add") {
      for (size_t i = 0; i < y.size(); ++i) {
        const float sum = node.ra * static_cast<float>(x[i] - node.in.zero) +
                          node.rb * static_cast<float>(input(1)[i] - node.second.zero);
        y[i] = node.limited(static_cast<int64_t>(std::nearbyint(sum)) + node.out.zero);
      }
    } else if (node.from.op == "avg_pool") {
      for (size_t c = 0; c < y.size(); ++c) {
        int64_t sum = 0;
        for (size_t i = c; i < x.size(); i += y.size()) {
          sum += x[i] - node.in.zero;
        }
        y[c] = node.requantized(sum, 0);
      }
    } else {
      // 32 bits hold every sum of this network: at most 576 products of 255 * 127
      const auto sums = convolved<int32_t>(node.from.shape, x, node.in.zero, node.weight);
      acc.assign(sums.begin(), sums.end());
      for (size_t i = 0; i < acc.size(); ++i) {
        acc[i] += node.bias[i % node.bias.size()];
      }
      for (size_t i = 0; i < y.size() && node.from.op == "conv2d"; ++i) {
        y[i] = node.requantized(acc[i], i % node.bias.size());
      }
    }
    outputs.push_back(std::move(y));
  }
  return acc;
}

int IntegerNet::classify(std::span<const float> image) const {
  const std::vector<int64_t> found = logits(image);
  std::vector<double> real;
  // Every logit has the scale of its own weights: s_x is common to all, s_w is not.
  const Node& last = nodes_.back();
  const size_t co = found.size();
  for (size_t c = 0; c < co; ++c) {
    float most = 0;
    for (size_t i = c; i < last.from.weight.size(); i += co) {
      most = std::max(most, std::fabs(last.from.weight[i]));
    }
    real.push_back(static_cast<double>(found[c]) * scale_for(-most, most, narrow_integers(8)).scale);
  }
  return static_cast<int>(std::ranges::max_element(real) - real.begin());
}

}  // namespace hpml::lab5
