// Training steps of whole networks: forward, loss, backward and the update. CPU time of the process, wall time beside
// it.
#include <benchmark/benchmark.h>

#include <fmt/format.h>

#include <map>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/data/synthetic.hpp"
#include "common/nn/graph/networks.hpp"
#include "common/nn/profile/tables.hpp"
#include "common/nn/thread_pool.hpp"
#include "common/nn/train/network.hpp"

namespace hpml::nn {
namespace {

// range: batch, threads
void training_step(benchmark::State& state, const char* name) {
  const int batch = static_cast<int>(state.range(0));
  ThreadPool pool(static_cast<int>(state.range(1)));
  const Slots slots = baseline_slots();
  Network net = Network::build(*network_by_name(name), {.batch = batch}, slots, pool).value();
  const auto optimizer = slots.optimizer({.kind = OptimizerKind::sgd, .lr = 0.01}, pool);
  const Dataset dataset = synthetic_dataset({.seed = 1, .count = batch});
  const auto loader = slots.loader(dataset, {.batch = batch, .workers = 0});
  loader->start_epoch(0);
  const Batch data = *loader->next();
  for (auto _ : state) {
    benchmark::DoNotOptimize(net.train_step(data.images, data.labels));
    optimizer->step(net.parameters());
  }
  state.counters["images/s"] = benchmark::Counter(batch, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(training_step, resnet18, "resnet18")
    ->Args({32, 1})
    ->Args({32, 2})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(training_step, resnet8, "resnet8")
    ->Args({64, 1})
    ->Args({64, 2})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// One step of ResNet-18, layer by layer: operators by self time. Printed as the benchmark's label.
void profile_of_a_step(benchmark::State& state) {
  ThreadPool pool(1);
  const Slots slots = baseline_slots();
  Network net = Network::build(resnet18_cifar(), {.batch = 32}, slots, pool).value();
  const Tensor images(Shape{32, 32, 32, 3});
  const std::vector<int32_t> labels(32, 1);
  const auto tracer = slots.tracer();
  for (auto _ : state) {
    net.set_tracer(nullptr);
    net.train_step(images.view(), labels);
    net.set_tracer(tracer.get());
    net.train_step(images.view(), labels);
  }
  std::map<std::string, double> by_op;
  for (const ProfileRow& row : profile(net.graph(), slots.cost, tracer->events())) {
    const std::string& op = net.graph().nodes()[static_cast<size_t>(row.node)].op;
    by_op[fmt::format("{} {}", op, to_string(row.pass))] += row.self_ms / static_cast<double>(state.iterations());
  }
  std::string label;
  for (const auto& [name, ms] : by_op) {
    label += fmt::format("{}{} {:.1f} ms", label.empty() ? "" : ", ", name, ms);
  }
  state.SetLabel(label);
}
BENCHMARK(profile_of_a_step)->Unit(benchmark::kMillisecond);

void loader_per_image(benchmark::State& state) {
  const Dataset dataset = synthetic_dataset({.seed = 1, .count = 1000});
  const auto loader = baseline_slots().loader(dataset, {.batch = 100, .workers = 0, .augment = state.range(0) != 0});
  for (auto _ : state) {
    loader->start_epoch(0);
    while (loader->next()) {
    }
  }
  state.counters["us/image"] =
      benchmark::Counter(1e-3, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(loader_per_image)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hpml::nn
