// sweep whole JOBS: runs the sweep of LAB6_SWEEP with scripted training and JOBS jobs; prints the log, sorted, without
// times. sweep killed JOBS: the same, but the process that runs the sweep is killed (SIGKILL) after some runs, then the
// sweep is run again on the same log.
#include <sys/wait.h>
#include <unistd.h>

#include <signal.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "harness/executor.hpp"
#include "harness/sweep_json.hpp"

namespace lab6::sweep {
// The bonus is not part of this check.
Config bayes_config(const Sweep&, uint64_t, int64_t, std::span<const RunRecord>) { return {}; }
}  // namespace lab6::sweep

namespace {

using namespace lab6::sweep;

constexpr int kEpochs = 9, kKillAfter = 4;

double number(const Config& config, const char* name) {
  const Value& value = config.at(name);
  const auto* integer = std::get_if<int64_t>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

// The metric of each epoch is known (judges/lab6_analysis.py); how long an epoch takes depends on the run, so that runs
// end in another order than they started. Run "x" = 3 of shape "b" crashes in its third epoch.
void train(const Config& config, const OnEpoch& on_epoch) {
  const double x = number(config, "x"), slope = std::get<std::string>(config.at("shape")) == "a" ? 1 : 0.25;
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    std::this_thread::sleep_for(std::chrono::microseconds(300 + 400 * (static_cast<int>(x * 7) % 5)));
    if (slope != 1 && x == 3 && epoch == 3) {
      std::abort();
    }
    if (!on_epoch(std::fabs(x - 2.25) + slope * 8 / epoch, {})) {
      return;
    }
  }
}

SweepJob job_of(const std::string& log, int jobs) {
  SweepJob job;
  job.sweep = sweep_of(json_from_environment("LAB6_SWEEP"));
  job.jobs = jobs;
  job.log = log;
  job.train = train;
  return job;
}

void print_log(const std::string& log) {
  std::vector<RunRecord> records;
  for (const std::string& line : read_lines(log)) {
    records.push_back(record_of(line));
  }
  std::sort(records.begin(), records.end(), [](const RunRecord& a, const RunRecord& b) { return a.index < b.index; });
  for (RunRecord& record : records) {
    record.seconds = 0;
    std::printf("%s\n", line_of(record).c_str());
  }
}

// In a process of its own, which kills itself after `runs` ended runs.
bool run_killed(const std::string& log, int jobs, int runs) {
  const pid_t child = ::fork();
  if (child == 0) {
    SweepJob job = job_of(log, jobs);
    job.on_progress = [&](const Progress& progress) {
      if (progress.done >= runs) {
        ::kill(::getpid(), SIGKILL);
      }
    };
    run_sweep(job);
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return child > 0 && WIFSIGNALED(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: sweep whole|killed JOBS\n");
    return 2;
  }
  const auto log = (std::filesystem::temp_directory_path() / ("lab6_sweep_" + std::to_string(::getpid()))).string();
  const int jobs = std::atoi(argv[2]);
  try {
    if (std::strcmp(argv[1], "killed") == 0 && !run_killed(log, jobs, kKillAfter)) {
      std::fprintf(stderr, "the sweep ended before it could be killed\n");
      return 1;
    }
    run_sweep(job_of(log, jobs));
    print_log(log);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::filesystem::remove(log);
  return 0;
}
