#pragma once
// Runs a sweep on this machine: each run in a process of its own, so that a crash is one failed run; finished runs go
// to the log at once, so that neither Ctrl-C nor kill -9 loses one.
//
// The result does not depend on the number of jobs: run i is judged at band b against runs with smaller indices only,
// and waits there until each of them has passed b or has ended.
#include <functional>
#include <string>

#include "sweep.hpp"

namespace lab6::sweep {

// After each epoch: the metric's value, and other values to keep. False: the run is stopped and must return.
using OnEpoch = std::function<bool(double value, const std::map<std::string, double>& metrics)>;
// Trains with a configuration; called in a child process.
using TrainRun = std::function<void(const Config& config, const OnEpoch& on_epoch)>;

struct Progress {
  int64_t done = 0, total = 0;  // runs
  double seconds = 0;           // since the start; of this call
  double seconds_left = 0;
  const RunRecord* last = nullptr;  // that has ended just now
  const RunRecord* best = nullptr;
};
struct SweepJob {
  Sweep sweep;
  uint64_t seed = 1;
  int jobs = 1;
  std::string log;  // runs.jsonl; runs that it holds are not repeated
  TrainRun train;
  std::function<void(const Progress&)> on_progress;
  std::function<bool()> interrupted;  // asked now and then; true ends the sweep
};

// Number of runs, and the configuration of one (of a Bayesian sweep, given the records of all earlier ones).
int64_t runs_of(const Sweep& sweep);
Config config_at(const SweepJob& job, int64_t run, std::span<const RunRecord> earlier);

// The records in the order of their indices; fewer than runs_of() after an interruption. Errors: std::runtime_error, as
// for a log that holds runs of another sweep.
std::vector<RunRecord> run_sweep(const SweepJob& job);

// As a file for spreadsheets: run, state, score, parameters.
std::string csv_of(const Sweep& sweep, std::span<const RunRecord> runs);

}  // namespace lab6::sweep
