#pragma once
// Google Benchmark as the engine of a series: it chooses the iterations of a sample and mixes the repetitions.
#include "common/bench/series.hpp"

namespace hpml::bench {

class GoogleEngine : public Engine {
 public:
  // sample_s: how long a sample takes at least; repetitions: samples of a case in a round
  GoogleEngine(double sample_s, int repetitions);
  std::vector<std::vector<SamplePair>> round(const std::vector<BenchCase>& cases) override;

 private:
  double sample_s_;
  int repetitions_;
};

}  // namespace hpml::bench
