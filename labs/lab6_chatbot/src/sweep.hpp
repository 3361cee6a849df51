#pragma once
// The sweep: what sweep_config.cpp (S1), sweep_search.cpp (S2), hyperband.cpp (S3), analysis.cpp (S4) and bayes.cpp
// (bonus) define, and what the given executor calls. The file format and its meaning are those of Weights & Biases
// (docs.wandb.ai, "Sweep configuration structure"); the runs happen on this machine.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lab6::sweep {

// ---- sweep_config.cpp (S1) -----------------------------------------------------------------------------------------
// A scalar of a sweep file: null, boolean, integer, real number or text.
using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

enum class Distribution {
  constant,
  categorical,
  categorical_w_probabilities,
  int_uniform,
  uniform,
  q_uniform,
  log_uniform,
  log_uniform_values,
  q_log_uniform,
  q_log_uniform_values,
  inv_log_uniform,
  inv_log_uniform_values,
  normal,
  q_normal,
  log_normal,
  q_log_normal,
  beta,
  q_beta
};
static constexpr const char* kDistributionNames[] = {"constant",
                                                     "categorical",
                                                     "categorical_w_probabilities",
                                                     "int_uniform",
                                                     "uniform",
                                                     "q_uniform",
                                                     "log_uniform",
                                                     "log_uniform_values",
                                                     "q_log_uniform",
                                                     "q_log_uniform_values",
                                                     "inv_log_uniform",
                                                     "inv_log_uniform_values",
                                                     "normal",
                                                     "q_normal",
                                                     "log_normal",
                                                     "q_log_normal",
                                                     "beta",
                                                     "q_beta"};

struct Parameter {
  std::string name;  // of a nested parameter: "outer.inner"
  Distribution distribution = Distribution::constant;
  std::vector<Value> values;          // constant: one; categorical: those to choose from, in the order of the file
  std::vector<double> probabilities;  // of categorical_w_probabilities; their sum is 1
  // Limits as the file has them: integers (int64_t) or real numbers (double). log_uniform, inv_log_uniform and
  // q_log_uniform: natural logarithms.
  Value min, max;
  Value q = int64_t{1};      // of the q_ forms
  double mu = 0, sigma = 1;  // of the normal forms
  double a = 1, b = 1;       // of the beta forms
  int line = 0;              // where it stands in the file; 1 is the first line
};

enum class Goal { minimize, maximize };
struct Metric {
  std::string name;
  Goal goal = Goal::minimize;
  std::optional<double> target;
};

struct EarlyTerminate {                // type: hyperband
  std::optional<int64_t> min_iter;     // one form ...
  std::optional<int64_t> max_iter, s;  // ... or the other
  double eta = 3;
  bool strict = true;  // the default of this course
};

struct Sweep {
  std::string method;  // "grid", "random" or "bayes"
  std::optional<Metric> metric;
  std::vector<Parameter> parameters;  // sorted by name, byte by byte
  std::optional<EarlyTerminate> early_terminate;
  std::optional<int64_t> run_cap;
  std::map<std::string, std::string> texts;  // name, description, program, project, entity: kept, not used
};

// What is wrong with a sweep file, and in which line.
struct SweepError : std::runtime_error {
  SweepError(int line_, const std::string& what) : std::runtime_error(what), line(line_) {}
  int line;
};

// Reads a sweep file. Errors: SweepError with the line of the key or value that is wrong.
Sweep parse_sweep(const std::string& text);

// ---- sweep_search.cpp (S2) -----------------------------------------------------------------------------------------
using Config = std::map<std::string, Value>;  // of one run: by name

// Uniform in [0, 1), 53 bits: number `parameter` of run `run`. It depends on nothing else, so run 17 of a sweep is the
// same in every order of execution. SplitMix64 (Steele, Lea, Flood 2014).
static inline uint64_t split_mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}
static inline double uniform_of(uint64_t seed, uint64_t run, uint64_t parameter) {
  return static_cast<double>(split_mix(split_mix(split_mix(seed) + run) + parameter) >> 11) * 0x1p-53;
}

// Given (harness/special.cpp): inverse cumulative distributions of N(0, 1) and of Beta(a, b), for u in (0, 1); relative
// error below 1e-9. inverse_normal(0) is -infinity, inverse_beta(0, a, b) is 0.
double inverse_normal(double u);
double inverse_beta(double u, double a, double b);

// The value of a parameter at which its cumulative distribution reaches u, 0 <= u < 1. q forms round to the nearest
// multiple of q, halves to the even multiple, and are integers if q is one.
Value value_at(const Parameter& parameter, double u);

// Number of combinations of a grid, before run_cap; and combination `run` of them.
int64_t grid_size(const Sweep& sweep);
Config grid_config(const Sweep& sweep, int64_t run);
// Run `run` of a random sweep.
Config random_config(const Sweep& sweep, uint64_t seed, int64_t run);

// ---- hyperband.cpp (S3) --------------------------------------------------------------------------------------------
struct History {
  std::vector<double> values;  // of the metric, one per iteration: values[0] is after the first
  bool running = false;
};

// Iterations (0-based indices of a history) at which runs are judged, ascending.
std::vector<int64_t> bands(const EarlyTerminate& rule);
// The value that a run must not exceed at a band: +infinity where no run has come that far.
double threshold_at(const EarlyTerminate& rule, Goal goal, std::span<const History> runs, int64_t band);
// Which of the runs are to be stopped now.
std::vector<bool> stop_runs(const EarlyTerminate& rule, Goal goal, std::span<const History> runs);

// ---- analysis.cpp (S4) ---------------------------------------------------------------------------------------------
struct RunRecord {
  int64_t index = 0;
  std::string state;  // "finished", "stopped" or "failed"
  Config config;
  std::vector<double> history;            // of the metric, one per epoch
  std::map<std::string, double> metrics;  // final values
  double seconds = 0;
};

// Given (harness/records.cpp): a record as one line of JSON without the newline, and back. record_of() throws
// std::runtime_error for a line that is no record.
std::string line_of(const RunRecord& record);
RunRecord record_of(const std::string& line);

// Adds one line, newline included, to the file, which is made if it is missing. When this returns, the line survives
// the end of the process, however it ends. A torn line that an earlier process left at the end of the file is cut off
// first. Errors: std::runtime_error.
void append_line(const std::string& path, const std::string& line);
// The complete lines of the file; none if it does not exist. A torn last line is left out.
std::vector<std::string> read_lines(const std::string& path);

// A run's score: the best finite value of its history (smallest for minimize, largest for maximize), as a checkpoint of
// that epoch can be kept. Nothing for a failed run, and for one without a finite value.
std::optional<double> score_of(const Metric& metric, const RunRecord& run);
// The run with the best score: position in `runs`, or nothing. The lower run index wins among equal scores.
std::optional<size_t> best_run(const Metric& metric, std::span<const RunRecord> runs);

struct Importance {
  std::string parameter, measure;  // "spearman" or "eta_squared"
  double value = 0;
  int64_t runs = 0;  // that it was computed from
};
// One row per parameter with at least two different values among the runs that have a score, largest |value| first,
// names by bytes among equals. Parameters whose values are all numbers: Spearman's rank correlation with the score
// (mean ranks for ties). All others: the correlation ratio eta^2 = sum of squares between the groups of equal values /
// total sum of squares. Zero if all scores are equal.
std::vector<Importance> importance(const Metric& metric, std::span<const RunRecord> runs);

// ---- bayes.cpp (bonus) ---------------------------------------------------------------------------------------------
// Run `run` of a Bayesian sweep, given the earlier ones.
Config bayes_config(const Sweep& sweep, uint64_t seed, int64_t run, std::span<const RunRecord> earlier);

}  // namespace lab6::sweep
