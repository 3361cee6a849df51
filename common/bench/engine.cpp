#include "common/bench/engine.hpp"

#include <benchmark/benchmark.h>

#include <map>

#include "common/bench/keep.hpp"

namespace hpml::bench {
namespace {

// Keeps every repetition; prints nothing.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration && run.iterations > 0) {
        const auto calls = static_cast<double>(run.iterations);
        samples[run.run_name.function_name].push_back(
            {run.cpu_accumulated_time / calls, run.real_accumulated_time / calls});
      }
    }
  }
  std::map<std::string, std::vector<SamplePair>> samples;
};

void initialize_once() {
  static const bool done = [] {
    // Google Benchmark takes its options from a command line only.
    static char program[] = "hpml-bench", mix[] = "--benchmark_enable_random_interleaving=true",
                *words[] = {program, mix};
    int count = 2;
    benchmark::Initialize(&count, words);
    return true;
  }();
  (void)done;
}

}  // namespace

GoogleEngine::GoogleEngine(double sample_s, int repetitions) : sample_s_(sample_s), repetitions_(repetitions) {}

std::vector<std::vector<SamplePair>> GoogleEngine::round(const std::vector<BenchCase>& cases) {
  initialize_once();
  benchmark::ClearRegisteredBenchmarks();
  for (const BenchCase& one : cases) {
    benchmark::RegisterBenchmark(one.name.c_str(),
                                 [work = one.work](benchmark::State& state) {
                                   for (auto _ : state) {
                                     work();
                                     benchmark::ClobberMemory();
                                   }
                                 })
        ->MinTime(sample_s_)
        ->Repetitions(repetitions_);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, ".*");
  benchmark::ClearRegisteredBenchmarks();
  std::vector<std::vector<SamplePair>> result;
  for (const BenchCase& one : cases) {
    result.push_back(collector.samples[one.name]);
  }
  return result;
}

}  // namespace hpml::bench
