#include "networks/integer.hpp"

#include <algorithm>
#include <cmath>

#include "networks/convolve.hpp"

namespace hpml::lab5 {

namespace {

LAB5_VECTORS void convolve(const nn::ConvShape& s, const uint8_t* x, int32_t zero, const int8_t* w, int32_t* y) {
  convolve_into(s, x, zero, w, y);
}

}  // namespace

void IntegerNet::Node::multiplier(double m) {
  int exponent = 0;
  auto mantissa = std::llround(std::frexp(m, &exponent) * 0x1p31);
  exponent += mantissa == int64_t{1} << 31;
  m0.push_back(mantissa == int64_t{1} << 31 ? mantissa / 2 : mantissa);
  shift.push_back(31 - exponent);
}

uint8_t IntegerNet::Node::limited(int64_t q) const {
  return static_cast<uint8_t>(std::clamp<int64_t>(q, from.relu ? out.zero : out.type.qmin, out.type.qmax));
}

uint8_t IntegerNet::Node::requantized(int64_t acc, size_t c) const {
  return limited(((acc * m0[c] + (int64_t{1} << (shift[c] - 1))) >> shift[c]) + out.zero);
}

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
      node.weight_scale.push_back(of_weights.scale);
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
      std::vector<int32_t> sums(y.size());
      convolve(node.from.shape, x.data(), node.in.zero, node.weight.data(), sums.data());
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
  for (size_t c = 0; c < found.size(); ++c) {
    // The scale of the input is common to all.
    real.push_back(static_cast<double>(found[c]) * nodes_.back().weight_scale[c]);
  }
  return static_cast<int>(std::ranges::max_element(real) - real.begin());
}

}  // namespace hpml::lab5
