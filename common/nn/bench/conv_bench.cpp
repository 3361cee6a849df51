// The convolutions of ResNet-18 (batch 32) and of ResNet-8 (small, batch 64), one thread, nominal GFLOP/s of CPU time;
// with oneDNN's beside them where it is installed. "resnet18" runs all 20. Compare within one run only:
//   bench_common_nn --benchmark_filter='^resnet18/' --benchmark_repetitions=9 --benchmark_enable_random_interleaving
#include <benchmark/benchmark.h>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/bench/onednn.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {
namespace {

// Convolutions that are run one after the other, each `times` times.
struct Layer {
  ConvShape shape;
  int times = 1;
};
struct Stack {
  const char* name;
  std::vector<Layer> layers;
};

const ConvShape kStem{32, 32, 32, 3, 64, 3, 1, 1}, kL1{32, 32, 32, 64, 64, 3, 1, 1}, kL2a{32, 32, 32, 64, 128, 3, 2, 1},
    kL2{32, 16, 16, 128, 128, 3, 1, 1}, kL2p{32, 32, 32, 64, 128, 1, 2, 0}, kL3a{32, 16, 16, 128, 256, 3, 2, 1},
    kL3{32, 8, 8, 256, 256, 3, 1, 1}, kL3p{32, 16, 16, 128, 256, 1, 2, 0}, kL4a{32, 8, 8, 256, 512, 3, 2, 1},
    kL4{32, 4, 4, 512, 512, 3, 1, 1}, kL4p{32, 8, 8, 256, 512, 1, 2, 0};

const std::vector<Stack>& stacks() {
  static const std::vector<Stack> all = {
      {"resnet18", {{kStem}, {kL1, 4}, {kL2a}, {kL2, 3}, {kL2p}, {kL3a}, {kL3, 3}, {kL3p}, {kL4a}, {kL4, 3}, {kL4p}}},
      {"stem", {{kStem}}},
      {"l1", {{kL1}}},
      {"l2a", {{kL2a}}},
      {"l2", {{kL2}}},
      {"l2p", {{kL2p}}},
      {"l3a", {{kL3a}}},
      {"l3", {{kL3}}},
      {"l4a", {{kL4a}}},
      {"l4", {{kL4}}},
      {"small1", {{{64, 32, 32, 16, 16, 3, 1, 1}}}},
      {"small2", {{{64, 16, 16, 32, 32, 3, 1, 1}}}},
  };
  return all;
}

struct Tensors {
  Tensor x, w, y, dx, dw;
  explicit Tensors(const ConvShape& s)
      : x(s.in_shape()), w(s.weight_shape()), y(s.out_shape()), dx(s.in_shape()), dw(s.weight_shape()) {
    std::fill_n(x.data(), x.size(), 0.5F);
    std::fill_n(w.data(), w.size(), 0.01F);
    std::fill_n(y.data(), y.size(), 0.25F);
  }
};

struct Prepared {
  Tensors tensors;
  std::unique_ptr<Conv2d> conv;
  int times;
};

using Call = void (*)(const Prepared& layer);
void forward(const Prepared& p) { p.conv->forward(p.tensors.x.view(), p.tensors.w.view(), p.tensors.y.view()); }
void by_weights(const Prepared& p) {
  p.conv->backward(p.tensors.x.view(), p.tensors.w.view(), p.tensors.y.view(), {}, p.tensors.dw.view());
}
// Both gradients: as the executor calls it for all layers but the first.
void by_both(const Prepared& p) {
  p.conv->backward(p.tensors.x.view(), p.tensors.w.view(), p.tensors.y.view(), p.tensors.dx.view(),
                   p.tensors.dw.view());
}

void measure(benchmark::State& state, const Stack& stack, Kernel kernel, Call call) {
  ThreadPool pool(1);
  const Slots slots = baseline_slots(kernel);
  std::vector<Prepared> layers;
  double flop = 0;
  for (const Layer& layer : stack.layers) {
    layers.push_back({Tensors(layer.shape), slots.conv2d(layer.shape, pool), layer.times});
    flop += 2.0 * static_cast<double>(layer.shape.macs()) * layer.times;
  }
  for (auto _ : state) {
    for (const Prepared& layer : layers) {
      for (int i = 0; i < layer.times; ++i) {
        call(layer);
      }
    }
  }
  state.counters["GFLOP/s"] = benchmark::Counter(1e-9 * flop, benchmark::Counter::kIsIterationInvariantRate);
}

void add(const Stack& stack, Kernel kernel, const std::string& rung) {
  const std::string name = std::string(stack.name) + "/" + rung;
  for (const auto& [pass, call] :
       {std::pair<const char*, Call>{"forward", forward}, {"by_weights", by_weights}, {"by_both", by_both}}) {
    benchmark::RegisterBenchmark((name + "/" + pass).c_str(), [&stack, kernel, call = call](benchmark::State& state) {
      measure(state, stack, kernel, call);
    });
  }
}

const bool registered = [] {
  for (const Stack& stack : stacks()) {
    add(stack, Kernel::direct, "direct");
    add(stack, Kernel::gemm, "gemm");
    std::vector<std::pair<ConvShape, int>> shapes;
    for (const Layer& layer : stack.layers) {
      shapes.emplace_back(layer.shape, layer.times);
    }
    add_onednn_benchmarks(stack.name, shapes);
  }
  return true;
}();

}  // namespace
}  // namespace hpml::nn
