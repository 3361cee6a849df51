#pragma once
// Measures cases in rounds until the median of each is known well enough. The engine that times a round is Google
// Benchmark (engine.hpp); tests bring one of their own.
#include <functional>
#include <string>
#include <vector>

#include "common/bench/stats.hpp"

namespace hpml::bench {

struct BenchCase {
  std::string name;
  std::function<void()> work;  // one call
  double work_units = 0;       // bytes or operations of a call, for rates
};

struct SamplePair {
  double cpu_s = 0, wall_s = 0;  // per call
};

class Engine {
 public:
  virtual ~Engine() = default;
  // One round: some samples of every case, in an order that mixes the cases.
  virtual std::vector<std::vector<SamplePair>> round(const std::vector<BenchCase>& cases) = 0;
};

struct SeriesPlan {
  double target = 0.02;  // half width of the median's 95 % interval, relative
  int min_samples = 9;
  int max_rounds = 8;
};

struct Measured {
  std::string name;
  double work_units = 0;
  std::vector<double> cpu_s, wall_s;  // every sample
  bool tight = false;                 // false: the target was not reached within max_rounds
  double best_rate() const;           // work units per second of processor time, of the fastest sample
};

// The first round only warms up and is not kept.
std::vector<Measured> run_series(Engine& engine, const std::vector<BenchCase>& cases, const SeriesPlan& plan);

}  // namespace hpml::bench
