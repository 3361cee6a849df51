// lowering fold SEED ROWS CO BIAS | conv SEED H W CI CO K STRIDE PAD ZERO | add SEED COUNT | requantize SEED COUNT:
// arrays. lowering bias (B SX SW)... | multiplier M... | scalar (ACC M ZERO QMIN QMAX)...: a line each, "refused
// REASON" for bad ones. lowering net WEIGHTS RANGES SEED IMAGES: ResNet-8 as integers, and its accumulators on random
// images.
#include <fstream>
#include <map>

#include "common/nn/graph/networks.hpp"
#include "harness/check.hpp"
#include "lab5.hpp"

namespace {

HPML_GIVEN void fold(const check::Words& words) {
  const uint64_t seed = words.seed(1);
  const int64_t co = words.integer(3);
  const std::vector<float> w = check::values(seed, 0, words.integer(2) * co), gamma = check::values(seed, 1, co),
                           beta = check::values(seed, 2, co), mean = check::values(seed, 3, co),
                           bias = check::values(seed, 5, co);
  std::vector<float> var = check::values(seed, 4, co);
  for (float& v : var) {
    v = 0.25F + v * v;
  }
  const bool with_bias = words.number(4) != 0;
  lab5::FoldedConv folded = lab5::fold_batch_norm(
      w, with_bias ? std::span<const float>(bias) : std::span<const float>(), {gamma, beta, mean, var, 1e-5F});
  folded.weight.resize(w.size());
  folded.bias.resize(gamma.size());
  check::Results results;
  results.write(folded.weight);
  results.write(folded.bias);
}

void conv(const check::Words& words) {
  const uint64_t seed = words.seed(1);
  const lab5::ConvShape s{words.number(2), words.number(3), words.number(4), words.number(5),
                          words.number(6), words.number(7), words.number(8)};
  const std::vector<uint8_t> x = check::bytes(seed, 0, int64_t{s.h} * s.w * s.ci),
                             raw = check::bytes(seed, 1, int64_t{s.k} * s.k * s.ci * s.co);
  std::vector<int8_t> w;
  for (const uint8_t byte : raw) {
    w.push_back(static_cast<int8_t>(byte == 128 ? 0 : byte));
  }
  std::vector<int32_t> bias;
  for (int c = 0; c < s.co; ++c) {
    bias.push_back(1000 * c - 70);
  }
  std::vector<int32_t> acc(static_cast<size_t>(lab5::out_size(s.h, s) * lab5::out_size(s.w, s) * s.co), 99);
  lab5::conv_acc(s, x.data(), words.number(9), w.data(), bias.data(), acc.data());
  check::Results().write(acc);
}

void add(const check::Words& words) {
  check::Results results;
  for (uint64_t i = 0; i < static_cast<uint64_t>(words.integer(2)); ++i) {
    const auto draw = [&](uint64_t which) { return static_cast<int32_t>(check::bits(words.seed(1), which, i) >> 56); };
    const float ra = 1 + check::value(words.seed(1), 5, i), rb = 1 + check::value(words.seed(1), 6, i);
    const lab5::AddParams p{ra, rb, draw(2), draw(3), draw(4), i % 2 == 0 ? 0 : draw(4), 255};
    results.write_one(lab5::add_quantized(draw(0), draw(1), p));
  }
}

void requantize(const check::Words& words) {
  check::Results results;
  for (uint64_t i = 0; i < static_cast<uint64_t>(words.integer(2)); ++i) {
    const auto acc = static_cast<int32_t>(check::bits(words.seed(1), 0, i) >> 32) >> (i % 24);
    const int n = static_cast<int>(i % 13);
    const auto m0 = static_cast<int32_t>((1U << 30) + (check::bits(words.seed(1), 1, i) >> 34));
    results.write_one(lab5::requantize(acc, {m0, n}, static_cast<int>(i % 256), -1 << 30, 1 << 30));
  }
}

template <class Line>
void lines(const check::Words& words, size_t each, const Line& line) {
  for (size_t i = 1; i + each <= words.size(); i += each) {
    try {
      line(i);
    } catch (const std::invalid_argument& error) {
      std::printf("refused %s\n", error.what());
    }
  }
}

void bias(const check::Words& words) {
  lines(words, 3, [&](size_t i) {
    std::printf("%d\n", lab5::quantize_bias(static_cast<float>(words.real(i)), static_cast<float>(words.real(i + 1)),
                                            static_cast<float>(words.real(i + 2))));
  });
}

void multiplier(const check::Words& words) {
  lines(words, 1, [&](size_t i) {
    const lab5::Multiplier m = lab5::make_multiplier(words.real(i));
    std::printf("%d %d\n", m.m0, m.n);
  });
}

void scalar(const check::Words& words) {
  lines(words, 5, [&](size_t i) {
    const lab5::Multiplier m = lab5::make_multiplier(words.real(i + 1));
    std::printf("%d\n",
                lab5::requantize(words.number(i), m, words.number(i + 2), words.number(i + 3), words.number(i + 4)));
  });
}

// ---- the network ---------------------------------------------------------------------------------------------------
using Values = std::map<std::string, std::vector<float>>;

Values read_weights(const hpml::nn::Graph& graph, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Values values;
  for (const auto& node : graph.nodes()) {
    for (const auto& param : node.params) {
      std::vector<float>& value = values[node.name + "." + param.name];
      value.resize(static_cast<size_t>(param.shape.size()));
      file.read(reinterpret_cast<char*>(value.data()), static_cast<std::streamsize>(value.size() * sizeof(float)));
    }
  }
  return file ? values : (check::fail(path + ": is no file of weights of " + graph.name()), values);
}

std::map<std::string, lab5::Range> read_ranges(const std::string& path) {
  std::ifstream file(path);
  std::map<std::string, lab5::Range> ranges;
  std::string name;
  lab5::Range range;
  while (file >> name >> range.lo >> range.hi) {
    ranges[name] = range;
  }
  return ranges;
}

HPML_GIVEN lab5::FloatNet float_net(const hpml::nn::Graph& graph, const Values& values,
                                    std::map<std::string, lab5::Range>& ranges) {
  lab5::FloatNet net{ranges["input"], {}};
  const auto value = [&](const std::string& name) -> std::span<const float> {
    const auto found = values.find(name);
    return found == values.end() ? std::span<const float>() : std::span<const float>(found->second);
  };
  for (const auto& node : graph.nodes()) {
    lab5::FloatNode one{.op = node.op,
                        .name = node.name,
                        .inputs = {},
                        .weight = value(node.name + ".weight"),
                        .bias = value(node.name + ".bias"),
                        .range = ranges[node.name]};
    for (const std::string& input : node.inputs) {
      one.inputs.push_back(graph.index_of(input));
    }
    const auto& in = node.in_shapes[0];
    one.shape = {in.h, in.w, in.c, node.out_shape.c, 1, 1, 0};
    if (node.op == "conv2d") {
      one.shape.k = static_cast<int>(node.integer("kernel"));
      one.shape.stride = static_cast<int>(node.integer("stride"));
      one.shape.pad = static_cast<int>(node.integer("pad"));
    } else if (node.op == "batch_norm") {
      one.norm = {value(node.name + ".gamma"), value(node.name + ".beta"), value(node.name + ".running_mean"),
                  value(node.name + ".running_var"), static_cast<float>(node.real("eps"))};
    }
    net.nodes.push_back(one);
  }
  return net;
}

HPML_GIVEN void network(const check::Words& words) {
  const hpml::nn::Graph graph = hpml::nn::resnet8_cifar();
  const Values values = read_weights(graph, words.text(1));
  auto ranges = read_ranges(words.text(2));
  const lab5::IntNet net = lab5::lower(float_net(graph, values, ranges));
  const auto input = graph.input();
  for (const lab5::IntNode& node : net.nodes) {
    std::printf("%s %08x %d %d\n", node.name.c_str(), check::float_bits(node.out.scale), node.out.zero, node.clamp_lo);
  }
  std::printf("bytes %lld\n", static_cast<long long>(lab5::model_bytes(net)));
  check::Results results;
  for (const lab5::IntNode& node : net.nodes) {
    results.write(node.weight);
    results.write(node.bias);
    for (const lab5::Multiplier& m : node.multipliers) {
      results.write_one(m.m0);
      results.write_one(m.n);
    }
  }
  for (int64_t i = 0; i < words.integer(4); ++i) {
    const auto stream = static_cast<uint64_t>(i);
    std::vector<uint8_t> image = check::bytes(words.seed(3), stream, input.size());
    for (size_t p = 0; p < image.size() && i % 2 == 0; ++p) {  // every other image: soft, as pictures are
      image[p] = static_cast<uint8_t>((image[p] + 7 * image[p - p % 96]) / 8);
    }
    std::vector<int32_t> logits = lab5::run(net, image.data());
    logits.resize(10, -1);
    results.write(logits);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const check::Words words(argc, argv);
  const struct {
    std::string_view name;
    void (*run)(const check::Words&);
  } commands[] = {{"fold", fold},     {"conv", conv},
                  {"add", add},       {"requantize", requantize},
                  {"bias", bias},     {"multiplier", multiplier},
                  {"scalar", scalar}, {"net", network}};
  for (const auto& command : commands) {
    if (command.name == words.command()) {
      command.run(words);
      return 0;
    }
  }
  check::fail("usage: lowering fold|conv|add|requantize|bias|multiplier|scalar|net NUMBER...");
}
