// E5: a trained network becomes one of integers. HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lab5.hpp"

namespace lab5 {

FoldedConv fold_batch_norm(std::span<const float> weight, std::span<const float> bias, const BatchNormValues& norm) {
  const size_t co = norm.gamma.size();
  FoldedConv folded;
  std::vector<double> k;
  for (size_t c = 0; c < co; ++c) {
    k.push_back(norm.gamma[c] / std::sqrt(double{norm.var[c]} + double{norm.eps}));
    const double own = bias.empty() ? 0.0 : double{bias[c]};
    folded.bias.push_back(static_cast<float>(norm.beta[c] - k[c] * norm.mean[c] + k[c] * own));
  }
  for (size_t i = 0; i < weight.size(); ++i) {
    folded.weight.push_back(static_cast<float>(k[i % co] * weight[i]));
  }
  return folded;
}

int32_t quantize_bias(float bias, float input_scale, float weight_scale) {
  const double q = std::nearbyint(bias / (double{input_scale} * weight_scale));
  if (!(std::fabs(q) < 0x1p31)) {
    throw std::invalid_argument("bias " + std::to_string(bias) + " does not fit into 32 bits at its scale");
  }
  return static_cast<int32_t>(q);
}

Multiplier make_multiplier(double m) {
  if (!(m > 0 && m < 1)) {
    throw std::invalid_argument("multiplier " + std::to_string(m) + " is not between 0 and 1");
  }
  int exponent = 0;
  int64_t m0 = std::llround(std::frexp(m, &exponent) * 0x1p31);
  if (m0 == int64_t{1} << 31) {
    m0 /= 2;
    ++exponent;
  }
  return {static_cast<int32_t>(m0), -exponent};
}

int32_t requantize(int32_t acc, const Multiplier& m, int32_t zero, int32_t qmin, int32_t qmax) {
  int64_t r = 0;
  if (m.n < 32) {  // below 2^-32 nothing is left of 32 bits
    r = (int64_t{acc} * m.m0 + (int64_t{1} << (30 + m.n))) >> (31 + m.n);
  }
  return static_cast<int32_t>(std::clamp<int64_t>(r + zero, qmin, qmax));
}

void conv_acc(const ConvShape& s, const uint8_t* x, int32_t zero, const int8_t* w, const int32_t* bias, int32_t* acc) {
  const int oh = out_size(s.h, s), ow = out_size(s.w, s);
  for (int i = 0; i < oh; ++i) {
    for (int j = 0; j < ow; ++j) {
      int32_t* out = acc + (i * ow + j) * s.co;
      std::copy_n(bias, s.co, out);
      for (int tap = 0; tap < s.k * s.k; ++tap) {
        const int row = i * s.stride - s.pad + tap / s.k, column = j * s.stride - s.pad + tap % s.k;
        if (row < 0 || row >= s.h || column < 0 || column >= s.w) {
          continue;  // the padding is q = zero: nothing
        }
        for (int ci = 0; ci < s.ci; ++ci) {
          const int32_t value = x[(row * s.w + column) * s.ci + ci] - zero;
          const int8_t* row_of_weights = w + (tap * s.ci + ci) * s.co;
          for (int co = 0; co < s.co; ++co) {
            out[co] += value * row_of_weights[co];
          }
        }
      }
    }
  }
}

int32_t add_quantized(int32_t qa, int32_t qb, const AddParams& p) {
  const float sum = p.ra * static_cast<float>(qa - p.za) + p.rb * static_cast<float>(qb - p.zb);
  const int64_t y = static_cast<int64_t>(std::nearbyint(sum)) + p.zy;
  return static_cast<int32_t>(std::clamp<int64_t>(y, p.qmin, p.qmax));
}

namespace {

// Walks the float nodes; a convolution takes its batch norm along, and a relu becomes a limit of the node before it.
class Lowering {
 public:
  explicit Lowering(const FloatNet& net) : net_(net), place_(net.nodes.size(), -1) {
    result_.input = choose_qparams("input", net.input.lo, net.input.hi, kU8);
  }

  IntNet run() {
    for (size_t i = 0; i < net_.nodes.size(); ++i) {
      if (place_[i] < 0) {
        lower_node(i);
      }
    }
    return std::move(result_);
  }

 private:
  void lower_node(size_t i) {
    const FloatNode& node = net_.nodes[i];
    IntNode out;
    out.shape = node.shape;
    for (const int input : node.inputs) {
      out.inputs.push_back(input < 0 ? -1 : place_[static_cast<size_t>(input)]);
    }
    FoldedConv folded{{node.weight.begin(), node.weight.end()}, {node.bias.begin(), node.bias.end()}};
    std::vector<size_t> taken = {i};
    if (node.op == "conv2d" && next_is("batch_norm", i)) {
      taken.push_back(next(i));
      folded = fold_batch_norm(node.weight, node.bias, net_.nodes[taken.back()].norm);
    }
    const bool relu = node.op != "linear" && next_is("relu", taken.back());
    if (relu) {
      taken.push_back(next(taken.back()));
    }
    const FloatNode& last = net_.nodes[taken.back()];
    out.name = last.name;
    out.out = choose_qparams(last.name, last.range.lo, last.range.hi, kU8);
    out.clamp_lo = relu ? out.out.zero : out.out.qmin;
    fill(node, folded, out);
    for (const size_t one : taken) {
      place_[one] = static_cast<int>(result_.nodes.size());
    }
    result_.nodes.push_back(std::move(out));
  }

  // The only reader of node i, if there is one alone.
  size_t next(size_t i) const {
    size_t reader = net_.nodes.size(), readers = 0;
    for (size_t j = 0; j < net_.nodes.size(); ++j) {
      const auto count = std::ranges::count(net_.nodes[j].inputs, static_cast<int>(i));
      readers += static_cast<size_t>(count);
      reader = count > 0 ? j : reader;
    }
    return readers == 1 ? reader : net_.nodes.size();
  }
  bool next_is(const char* op, size_t i) const {
    const size_t reader = next(i);
    return reader < net_.nodes.size() && net_.nodes[reader].op == op;
  }
  const QParams& params_of(int place) const {
    return place < 0 ? result_.input : result_.nodes[static_cast<size_t>(place)].out;
  }

  void fill(const FloatNode& node, const FoldedConv& folded, IntNode& out) const {
    const QParams& in = params_of(out.inputs[0]);
    if (node.op == "conv2d" || node.op == "linear") {
      out.op = node.op == "linear" ? IntNode::Op::linear : IntNode::Op::conv;
      fill_products(folded, in, out);
    } else if (node.op == "avg_pool") {
      out.op = IntNode::Op::avg_pool;
      const double area = double{static_cast<double>(node.shape.h)} * node.shape.w;
      out.multipliers = {make_multiplier(double{in.scale} / (area * out.out.scale))};
    } else if (node.op == "add") {
      out.op = IntNode::Op::add;
      const QParams& b = params_of(out.inputs[1]);
      out.add = {in.scale / out.out.scale, b.scale / out.out.scale, in.zero, b.zero, out.out.zero, out.clamp_lo,
                 out.out.qmax};
    } else {
      throw std::invalid_argument(node.name + ": no integers for the operator " + node.op);
    }
  }

  static void fill_products(const FoldedConv& folded, const QParams& in, IntNode& out) {
    QuantizedWeights weights = quantize_weights(folded.weight, out.shape.co, 8, true);
    out.weight = std::move(weights.q);
    for (size_t c = 0; c < weights.scales.size(); ++c) {
      const float bias = folded.bias.empty() ? 0.0F : folded.bias[c];
      out.bias.push_back(quantize_bias(bias, in.scale, weights.scales[c]));
      const double product = double{in.scale} * weights.scales[c];
      if (out.op == IntNode::Op::linear) {
        out.logit_scales.push_back(static_cast<float>(product));
      } else {
        out.multipliers.push_back(make_multiplier(product / out.out.scale));
      }
    }
  }

  const FloatNet& net_;
  IntNet result_;
  std::vector<int> place_;  // of each float node in the result
};

std::vector<uint8_t> average(const IntNode& node, const QParams& in, const std::vector<uint8_t>& x) {
  std::vector<uint8_t> y;
  const auto channels = static_cast<size_t>(node.shape.ci);
  for (size_t c = 0; c < channels; ++c) {
    int32_t sum = 0;
    for (size_t i = c; i < x.size(); i += channels) {
      sum += x[i] - in.zero;
    }
    y.push_back(static_cast<uint8_t>(requantize(sum, node.multipliers[0], node.out.zero, node.clamp_lo, node.out.qmax)));
  }
  return y;
}

}  // namespace

IntNet lower(const FloatNet& net) { return Lowering(net).run(); }

int64_t model_bytes(const IntNet& net) {
  int64_t bytes = 0;
  for (const IntNode& node : net.nodes) {
    bytes += static_cast<int64_t>(node.weight.size() + node.bias.size() * (sizeof(int32_t) + sizeof(float)));
  }
  return bytes;
}

std::vector<int32_t> run(const IntNet& net, const uint8_t* image) {
  const ConvShape& first = net.nodes.front().shape;
  const std::vector<uint8_t> pixels(image, image + first.h * first.w * first.ci);
  std::vector<std::vector<uint8_t>> outputs;
  const auto value = [&](int place) -> const std::vector<uint8_t>& {
    return place < 0 ? pixels : outputs[static_cast<size_t>(place)];
  };
  std::vector<int32_t> acc;
  for (const IntNode& node : net.nodes) {
    const QParams& in = node.inputs[0] < 0 ? net.input : net.nodes[static_cast<size_t>(node.inputs[0])].out;
    const std::vector<uint8_t>& x = value(node.inputs[0]);
    std::vector<uint8_t> y;
    if (node.op == IntNode::Op::add) {
      const std::vector<uint8_t>& b = value(node.inputs[1]);
      for (size_t i = 0; i < x.size(); ++i) {
        y.push_back(static_cast<uint8_t>(add_quantized(x[i], b[i], node.add)));
      }
    } else if (node.op == IntNode::Op::avg_pool) {
      y = average(node, in, x);
    } else {
      const ConvShape& s = node.shape;
      acc.assign(static_cast<size_t>(out_size(s.h, s) * out_size(s.w, s) * s.co), 0);
      conv_acc(s, x.data(), in.zero, node.weight.data(), node.bias.data(), acc.data());
      for (size_t i = 0; i < acc.size() && node.op == IntNode::Op::conv; ++i) {
        const Multiplier& m = node.multipliers[i % static_cast<size_t>(s.co)];
        y.push_back(static_cast<uint8_t>(requantize(acc[i], m, node.out.zero, node.clamp_lo, node.out.qmax)));
      }
    }
    outputs.push_back(std::move(y));
  }
  return acc;
}

}  // namespace lab5
