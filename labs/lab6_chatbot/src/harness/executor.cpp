#include "harness/executor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <sstream>

#include "harness/sweep_json.hpp"

namespace lab6::sweep {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMs = 100;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Pipe {
  int read = -1, write = -1;
  void open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe for another run");
    }
    read = ends[0], write = ends[1];
  }
};

// One run from its start to its record.
struct Active {
  RunRecord record;
  pid_t process = -1;
  int results = -1, orders = -1;  // our ends of its pipes
  std::string text;               // of a line that is not complete yet
  bool asks = false;              // it waits for leave to go on
  bool stopped = false;
  Clock::time_point start = Clock::now();
};

// ---- the child
[[noreturn]] void run_child(const SweepJob& job, const Config& config, int results, int orders) {
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches all processes of the terminal: the parent decides
  ::signal(SIGPIPE, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 0;
  try {
    job.train(config, [&](double value, const std::map<std::string, double>& metrics) {
      const std::string line =
          nlohmann::json{{"value", std::isfinite(value) ? nlohmann::json(value) : nlohmann::json()},
                         {"metrics", metrics}}
              .dump() +
          "\n";
      char order = 's';
      if (::write(results, line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
          ::read(orders, &order, 1) != 1) {
        ::_exit(1);
      }
      return order == 'g';
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "a run failed: %s\n", error.what());
    status = 1;
  }
  ::_exit(status);
}

// ---- the parent
class Executor {
 public:
  explicit Executor(const SweepJob& job) : job_(job), total_(runs_of(job.sweep)) {
    if (job.sweep.early_terminate) {
      bands_ = bands(*job.sweep.early_terminate);
    }
    load_log();
  }
  ~Executor() {
    for (auto& [index, run] : active_) {
      ::kill(run.process, SIGKILL);
      ::waitpid(run.process, nullptr, 0);
    }
  }

  std::vector<RunRecord> run() {
    while (!(job_.interrupted && job_.interrupted())) {
      start_some();
      if (active_.empty()) {
        break;
      }
      wait_for_results();
      answer_questions();
    }
    std::vector<RunRecord> result;
    for (const auto& [index, record] : ended_) {
      result.push_back(record);
    }
    return result;
  }

 private:
  // A Bayesian run reads the results of all earlier ones, so those run one after the other.
  int64_t limit() const { return job_.sweep.method == "bayes" ? 1 : job_.jobs; }

  void load_log() {
    for (const std::string& line : read_lines(job_.log)) {
      RunRecord record = record_of(line);
      ended_.emplace(record.index, std::move(record));
    }
    std::vector<RunRecord> earlier;
    for (const auto& [index, record] : ended_) {
      const bool known = index >= 0 && index < total_ &&
                         (job_.sweep.method != "bayes" || index == static_cast<int64_t>(earlier.size()));
      if (!known || json_of(config_at(job_, index, earlier)) != json_of(record.config)) {
        throw std::runtime_error(job_.log + ": run " + std::to_string(index) +
                                 " is not one of this sweep; name another file for the log, or delete this one");
      }
      earlier.push_back(record);
    }
  }

  void start_some() {
    while (next_ < total_ && static_cast<int64_t>(active_.size()) < limit()) {
      if (!ended_.contains(next_)) {
        start(next_);
      }
      ++next_;
    }
  }

  void start(int64_t index) {
    std::vector<RunRecord> earlier;
    for (const auto& [number, record] : ended_) {
      earlier.push_back(record);
    }
    Active run;
    run.record.index = index;
    run.record.config = config_at(job_, index, earlier);
    Pipe results, orders;
    results.open();
    orders.open();
    run.process = ::fork();
    if (run.process < 0) {
      throw std::runtime_error("no process for another run");
    }
    if (run.process == 0) {
      ::close(results.read);
      ::close(orders.write);
      for (const auto& [number, other] : active_) {
        ::close(other.results);
        ::close(other.orders);
      }
      run_child(job_, run.record.config, results.write, orders.read);
    }
    ::close(results.write);
    ::close(orders.read);
    run.results = results.read, run.orders = orders.write;
    active_.emplace(index, std::move(run));
  }

  void wait_for_results() {
    std::vector<pollfd> watched;
    std::vector<int64_t> whose;
    for (const auto& [index, run] : active_) {
      watched.push_back({run.results, POLLIN, 0});
      whose.push_back(index);
    }
    if (::poll(watched.data(), watched.size(), kPollMs) <= 0) {
      return;
    }
    for (size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].revents != 0) {
        read_from(whose[i]);
      }
    }
  }

  void read_from(int64_t index) {
    Active& run = active_.at(index);
    char buffer[4096];
    const ssize_t size = ::read(run.results, buffer, sizeof buffer);
    if (size <= 0) {
      end(index);
      return;
    }
    run.text.append(buffer, static_cast<size_t>(size));
    for (size_t at = run.text.find('\n'); at != std::string::npos; at = run.text.find('\n')) {
      const auto line = nlohmann::json::parse(run.text.substr(0, at));
      run.text.erase(0, at + 1);
      const auto value = line.at("value");
      run.record.history.push_back(value.is_null() ? std::nan("") : value.get<double>());
      run.record.metrics.clear();
      for (const auto& [name, number] : line.at("metrics").items()) {
        run.record.metrics[name] = number.is_null() ? std::nan("") : number.get<double>();
      }
      run.asks = true;
    }
  }

  const std::vector<double>* history_of(int64_t index) const {
    if (const auto found = ended_.find(index); found != ended_.end()) {
      return &found->second.history;
    }
    const auto found = active_.find(index);
    return found == active_.end() ? nullptr : &found->second.record.history;
  }

  // Nothing: the answer depends on runs that are not far enough.
  std::optional<bool> may_go_on(const Active& run) const {
    const auto band = static_cast<int64_t>(run.record.history.size()) - 1;
    if (!std::binary_search(bands_.begin(), bands_.end(), band)) {
      return true;
    }
    std::vector<History> histories;
    for (int64_t index = 0; index < run.record.index; ++index) {
      const std::vector<double>* other = history_of(index);
      if (!ended_.contains(index) && (other == nullptr || static_cast<int64_t>(other->size()) <= band)) {
        return std::nullopt;
      }
      // No further than this band: what follows there depends on timing.
      const auto length = std::min<size_t>(other->size(), static_cast<size_t>(band) + 1);
      histories.push_back({{other->begin(), other->begin() + static_cast<std::ptrdiff_t>(length)}, false});
    }
    histories.push_back({run.record.history, true});
    const auto stop = stop_runs(*job_.sweep.early_terminate, job_.sweep.metric->goal, histories);
    return !(stop.size() == histories.size() && stop.back());
  }

  void answer_questions() {
    for (auto& [index, run] : active_) {
      const auto go_on = run.asks ? may_go_on(run) : std::nullopt;
      if (go_on) {
        run.asks = false;
        run.stopped = !*go_on;
        const char order = *go_on ? 'g' : 's';
        (void)!::write(run.orders, &order, 1);
      }
    }
  }

  void end(int64_t index) {
    Active run = std::move(active_.at(index));
    active_.erase(index);
    ::close(run.results);
    ::close(run.orders);
    int status = 0;
    ::waitpid(run.process, &status, 0);
    const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    run.record.state = !good ? "failed" : run.stopped ? "stopped" : "finished";
    run.record.seconds = seconds_since(run.start);
    append_line(job_.log, line_of(run.record));
    const auto added = ended_.emplace(index, std::move(run.record)).first;
    ++done_here_;
    report(added->second);
  }

  void report(const RunRecord& last) {
    if (!job_.on_progress) {
      return;
    }
    std::vector<RunRecord> all;
    for (const auto& [index, record] : ended_) {
      all.push_back(record);
    }
    const auto best = best_run(job_.sweep.metric.value_or(Metric{}), all);
    const auto done = static_cast<int64_t>(ended_.size());
    const double elapsed = seconds_since(start_);
    job_.on_progress({done, total_, elapsed,
                      elapsed / static_cast<double>(done_here_) * static_cast<double>(total_ - done), &last,
                      best ? &all[*best] : nullptr});
  }

  const SweepJob& job_;
  const int64_t total_;
  std::vector<int64_t> bands_;
  std::map<int64_t, RunRecord> ended_;
  std::map<int64_t, Active> active_;
  int64_t next_ = 0, done_here_ = 0;
  Clock::time_point start_ = Clock::now();
};

std::string cell_of(const nlohmann::json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return quoted + "\"";
}

}  // namespace

int64_t runs_of(const Sweep& sweep) {
  const int64_t all = sweep.method == "grid" ? grid_size(sweep) : sweep.run_cap.value_or(0);
  return std::min(all, sweep.run_cap.value_or(all));
}

Config config_at(const SweepJob& job, int64_t run, std::span<const RunRecord> earlier) {
  if (job.sweep.method == "grid") {
    return grid_config(job.sweep, run);
  }
  return job.sweep.method == "random" ? random_config(job.sweep, job.seed, run)
                                      : bayes_config(job.sweep, job.seed, run, earlier);
}

std::vector<RunRecord> run_sweep(const SweepJob& job) {
  ::signal(SIGPIPE, SIG_IGN);
  return Executor(job).run();
}

std::string csv_of(const Sweep& sweep, std::span<const RunRecord> runs) {
  std::string text = "run,state,epochs,score";
  for (const Parameter& parameter : sweep.parameters) {
    text += "," + cell_of(parameter.name);
  }
  text += "\n";
  for (const RunRecord& run : runs) {
    const auto score = score_of(sweep.metric.value_or(Metric{}), run);
    text += std::to_string(run.index) + "," + run.state + "," + std::to_string(run.history.size()) + "," +
            (score ? nlohmann::json(*score).dump() : "");
    for (const Parameter& parameter : sweep.parameters) {
      const auto value = run.config.find(parameter.name);
      text += "," + (value == run.config.end() ? "" : cell_of(json_of(value->second)));
    }
    text += "\n";
  }
  return text;
}

}  // namespace lab6::sweep
