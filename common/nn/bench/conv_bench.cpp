// The convolutions of ResNet-18 (3x3, batch 32, one thread), each pass, in GFLOP/s; with oneDNN's beside them where it
// is installed. Compare within one run only.
#include <benchmark/benchmark.h>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/bench/onednn.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {
namespace {

struct Layer {
  const char* name;
  ConvShape shape;
};
constexpr Layer kLayers[] = {
    {"stem", {32, 32, 32, 3, 64, 3, 1, 1}},    {"l1", {32, 32, 32, 64, 64, 3, 1, 1}},
    {"l2a", {32, 32, 32, 64, 128, 3, 2, 1}},   {"l2", {32, 16, 16, 128, 128, 3, 1, 1}},
    {"l3a", {32, 16, 16, 128, 256, 3, 2, 1}},  {"l3", {32, 8, 8, 256, 256, 3, 1, 1}},
    {"l4a", {32, 8, 8, 256, 512, 3, 2, 1}},    {"l4", {32, 4, 4, 512, 512, 3, 1, 1}},
    {"l2p", {32, 32, 32, 64, 128, 1, 2, 0}},   {"small1", {64, 32, 32, 16, 16, 3, 1, 1}},
    {"small2", {64, 16, 16, 32, 32, 3, 1, 1}},
};

enum class Direction : uint8_t { forward, by_input, by_weights };

struct Tensors {
  Tensor x, w, y, dx, dw;
  explicit Tensors(const ConvShape& s)
      : x(s.in_shape()), w(s.weight_shape()), y(s.out_shape()), dx(s.in_shape()), dw(s.weight_shape()) {
    std::fill_n(x.data(), x.size(), 0.5F);
    std::fill_n(w.data(), w.size(), 0.01F);
    std::fill_n(y.data(), y.size(), 0.25F);
  }
};

void report(benchmark::State& state, const ConvShape& shape) {
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * static_cast<double>(shape.macs()), benchmark::Counter::kIsIterationInvariantRate);
}

void ours_forward(benchmark::State& state, const ConvShape& shape, Kernel kernel) {
  ThreadPool pool(1);
  Tensors t(shape);
  const auto conv = baseline_slots(kernel).conv2d(shape, pool);
  for (auto _ : state) {
    conv->forward(t.x.view(), t.w.view(), t.y.view());
  }
  report(state, shape);
}

// Both gradients, or the one by the weights alone: as the executor calls it for all layers but the first.
void ours_backward(benchmark::State& state, const ConvShape& shape, Kernel kernel, bool by_input) {
  ThreadPool pool(1);
  Tensors t(shape);
  const auto conv = baseline_slots(kernel).conv2d(shape, pool);
  for (auto _ : state) {
    conv->backward(t.x.view(), t.w.view(), t.y.view(), by_input ? t.dx.view() : View<float>{}, t.dw.view());
  }
  report(state, shape);
}

void add_ours(const Layer& layer, Kernel kernel, const std::string& rung) {
  const ConvShape shape = layer.shape;
  const std::string name = std::string(layer.name) + "/" + rung;
  benchmark::RegisterBenchmark((name + "/forward").c_str(),
                               [=](benchmark::State& state) { ours_forward(state, shape, kernel); });
  benchmark::RegisterBenchmark((name + "/by_weights").c_str(),
                               [=](benchmark::State& state) { ours_backward(state, shape, kernel, false); });
  benchmark::RegisterBenchmark((name + "/by_both").c_str(),
                               [=](benchmark::State& state) { ours_backward(state, shape, kernel, true); });
}

const bool registered = [] {
  for (const Layer& layer : kLayers) {
    add_ours(layer, Kernel::direct, "direct");
    add_ours(layer, Kernel::gemm, "gemm");
    add_onednn_benchmarks(layer.name, layer.shape);
  }
  return true;
}();

}  // namespace
}  // namespace hpml::nn
