// bayes FIRST COUNT RUNS SHIFT_X SHIFT_Y: of each seed FIRST ... the points x, y of RUNS Bayesian runs, one line each. What is
// minimised is Branin's function of (x + SHIFT_X, y + SHIFT_Y).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "sweep.hpp"

namespace {

using namespace lab6::sweep;

double branin(double x, double y) {
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
  if (argc != 6) {
    std::fprintf(stderr, "usage: bayes FIRST COUNT RUNS SHIFT_X SHIFT_Y\n");
    return 2;
  }
  const uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  const double shift_x = std::atof(argv[4]), shift_y = std::atof(argv[5]);
  const Sweep sweep = branin_sweep();
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::vector<RunRecord> runs;
    for (int64_t run = 0; run < std::atoll(argv[3]); ++run) {
      RunRecord record;
      record.index = run, record.state = "finished";
      record.config = bayes_config(sweep, seed, run, runs);
      const double x = std::get<double>(record.config.at("x")), y = std::get<double>(record.config.at("y"));
      record.history = {branin(x + shift_x, y + shift_y)};
      runs.push_back(record);
      std::printf("%.17g %.17g\n", x, y);
    }
  }
  return 0;
}
