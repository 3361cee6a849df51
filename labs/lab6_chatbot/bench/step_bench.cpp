// Training steps of the reference solution: gradients, clipping and Adam. CPU time of the process, wall time beside it.
#include <benchmark/benchmark.h>

#include "harness/step.hpp"

namespace lab6 {
namespace {

// range: hidden, vocabulary, words of a side, threads
void training_step(benchmark::State& state) {
  Config config;
  config.hidden = static_cast<int>(state.range(0));
  PoolCompute compute(static_cast<int>(state.range(3)));
  Step step(static_cast<int>(state.range(1)), config, static_cast<int>(state.range(2)), compute);
  step.run(nullptr);
  const int64_t before = compute.macs();
  for (auto _ : state) {
    step.run(nullptr);
  }
  state.counters["FLOP/s"] =
      benchmark::Counter(2 * static_cast<double>(compute.macs() - before), benchmark::Counter::kIsRate);
}
BENCHMARK(training_step)
    ->ArgNames({"H", "V", "words", "threads"})
    ->Args({64, 258, 9, 1})
    ->Args({64, 258, 9, 2})
    ->Args({256, 7826, 10, 1})
    ->Args({256, 7826, 10, 2})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lab6
