// bayes FIRST COUNT RUNS: of each seed FIRST ... the best score of RUNS Bayesian runs and of as many random ones on a
// function of two parameters (Branin's, whose minimum is 0.398), one line each.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "sweep.hpp"

namespace {

using namespace lab6::sweep;

double branin(const Config& config) {
  const double x = std::get<double>(config.at("x")), y = std::get<double>(config.at("y"));
  constexpr double kPi = std::numbers::pi;
  const double a = y - 5.1 / (4 * kPi * kPi) * x * x + 5 / kPi * x - 6;
  return a * a + 10 * (1 - 1 / (8 * kPi)) * std::cos(x) + 10;
}

Sweep branin_sweep() {
  Sweep sweep;
  sweep.method = "bayes";
  sweep.metric = Metric{"loss", Goal::minimize, {}};
  for (const auto& [name, min, max] : {std::tuple("x", -5.0, 10.0), std::tuple("y", 0.0, 15.0)}) {
    Parameter parameter;
    parameter.name = name;
    parameter.distribution = Distribution::uniform;
    parameter.min = min, parameter.max = max;
    sweep.parameters.push_back(parameter);
  }
  return sweep;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bayes FIRST COUNT RUNS\n");
    return 2;
  }
  const uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const Sweep sweep = branin_sweep();
  for (uint64_t seed = first; seed < first + std::strtoull(argv[2], nullptr, 10); ++seed) {
    std::vector<RunRecord> runs;
    double best = 1e9, random = 1e9;
    for (int64_t run = 0; run < std::atoll(argv[3]); ++run) {
      RunRecord record;
      record.index = run, record.state = "finished";
      record.config = bayes_config(sweep, seed, run, runs);
      const double value = branin(record.config);
      record.history = {value};
      best = std::min(best, value);
      random = std::min(random, branin(random_config(sweep, seed + 1000003, run)));
      runs.push_back(record);
    }
    std::printf("%.17g %.17g\n", best, random);
  }
  return 0;
}
