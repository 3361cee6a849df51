// bayes FIRST COUNT RUNS SECRET: of each seed FIRST ... the points x, y of RUNS Bayesian runs, one line each. What is minimised
// is Branin's function, moved, stretched and with other waves for each seed, by SECRET.
//
// The student's search runs in a process of its own, started anew with the words FIRST COUNT RUNS alone: it can neither read
// SECRET nor compute a value itself, and gets one for each point that it hands over.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "sweep.hpp"

namespace {

using namespace lab6::sweep;
using Point = std::array<double, 2>;
constexpr int kPoints = 3, kValues = 4;  // descriptors of the search: it writes points, and reads their values
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

// All of an object, or false: the other side is gone.
template <class T>
bool take(int file, T& value) {
  return ::read(file, &value, sizeof(T)) == static_cast<ssize_t>(sizeof(T));
}
template <class T>
bool give(int file, const T& value) {
  return ::write(file, &value, sizeof(T)) == static_cast<ssize_t>(sizeof(T));
}

// From here on this process opens no file. /proc tells the command lines of other processes, and the one that started the
// sandbox has SECRET among its words.
bool open_no_more() {
  constexpr rlimit kNone{0, 0};
  return ::setrlimit(RLIMIT_NOFILE, &kNone) == 0;
}

int search(const Plan& plan) {
  if (!open_no_more()) {
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
      if (!give(kPoints, point) || !take(kValues, value)) {
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
      if (!take(points, point) || !give(values, value_of(secret, seed, point))) {
        return 1;
      }
      std::printf("%.17g %.17g\n", point[0], point[1]);
    }
  }
  return 0;
}

int serve(char** argv) {
  ::prctl(PR_SET_DUMPABLE, 0);  // other processes cannot read this one's memory
  std::signal(SIGPIPE, SIG_IGN);
  int points[2], values[2];
  if (::pipe(points) != 0 || ::pipe(values) != 0) {
    std::perror("bayes");
    return 2;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    const int from = ::dup(values[0]), to = ::dup(points[1]);  // out of the way of the numbers that are wanted
    char* const words[] = {argv[0], argv[1], argv[2], argv[3], nullptr};
    if (::dup2(to, kPoints) == kPoints && ::dup2(from, kValues) == kValues) {
      for (int other = kValues + 1; other < 16; ++other) {
        ::close(other);
      }
      ::close(STDOUT_FILENO);
      ::execv(argv[0], words);
    }
    std::perror("bayes");
    ::_exit(2);
  }
  ::close(points[1]);
  ::close(values[0]);
  const int failed = answer(plan_of(argv + 1), std::strtoull(argv[4], nullptr, 10), points[0], values[1]);
  ::close(points[0]);
  ::close(values[1]);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) {
    std::fprintf(stderr, "the search did not end well\n");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 1;
  }
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: bayes FIRST COUNT RUNS SECRET\n");
    return 2;
  }
  return argc == 4 ? search(plan_of(argv + 1)) : serve(argv);
}
