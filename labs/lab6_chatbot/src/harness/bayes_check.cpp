// bayes FIRST COUNT RUNS SECRET: of each seed FIRST ... the points x, y of RUNS Bayesian runs, one line each. What is
// minimised is Branin's function, moved, stretched and with other waves for each seed, by SECRET.
//
// The student's search runs in a process of its own, with the words FIRST COUNT RUNS alone: it can neither read SECRET
// nor compute a value itself, and gets one for each point that it hands over.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "harness/apart.hpp"
#include "sweep.hpp"

namespace {

using namespace lab6::sweep;
using Point = std::array<double, 2>;
constexpr double kShift = 2, kStretch = 0.2;

// As judges/lab6_bayes.py has it.
double value_of(uint64_t secret, uint64_t seed, const Point& point) {
  constexpr double kPi = std::numbers::pi;
  const auto drawn = [&](uint64_t which, double most) { return most * (2 * uniform_of(secret, seed, which) - 1); };
  const double x = point[0] + drawn(0, kShift), y = point[1] + drawn(1, kShift);
  const double bowl = (1 + drawn(2, kStretch)) * y - 5.1 / (4 * kPi * kPi) * x * x + 5 / kPi * x - 6;
  const double wave = std::cos((1 + drawn(3, kStretch)) * x + drawn(4, kPi));
  return bowl * bowl + 10 * (1 - 1 / (8 * kPi)) * wave + 10;
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

struct Plan {
  uint64_t first = 0, count = 0, runs = 0;
};

Plan plan_of(char** words) {
  const auto number = [&](int i) { return std::strtoull(words[i], nullptr, 10); };
  return {number(0), number(1), number(2)};
}

int search(const Plan& plan) {
  if (!apart::open_no_more()) {
    std::perror("bayes");
    return 2;
  }
  const Sweep sweep = branin_sweep();
  for (uint64_t seed = plan.first; seed < plan.first + plan.count; ++seed) {
    std::vector<RunRecord> runs;
    for (uint64_t run = 0; run < plan.runs; ++run) {
      RunRecord record;
      record.index = static_cast<int64_t>(run), record.state = "finished";
      record.config = bayes_config(sweep, seed, static_cast<int64_t>(run), runs);
      const Point point{std::get<double>(record.config.at("x")), std::get<double>(record.config.at("y"))};
      double value = 0;
      if (!apart::give(apart::kAsk, point) || !apart::take(apart::kHear, value)) {
        return 1;
      }
      record.history = {value};
      runs.push_back(record);
    }
  }
  return 0;
}

int answer(const Plan& plan, uint64_t secret, int points, int values) {
  for (uint64_t seed = plan.first; seed < plan.first + plan.count; ++seed) {
    for (uint64_t run = 0; run < plan.runs; ++run) {
      Point point{};
      if (!apart::take(points, point) || !apart::give(values, value_of(secret, seed, point))) {
        return 1;
      }
      std::printf("%.17g %.17g\n", point[0], point[1]);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: bayes FIRST COUNT RUNS SECRET\n");
    return 2;
  }
  const Plan plan = plan_of(argv + 1);
  if (argc == 4) {
    return search(plan);
  }
  const uint64_t secret = std::strtoull(argv[4], nullptr, 10);
  return apart::serve(argv, 4, [&](int points, int values) { return answer(plan, secret, points, values); });
}
