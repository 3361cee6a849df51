// S4: the log of runs, the best run, and which parameters mattered.
// HPML-CANARY-5e0c71f3b8a94d26
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "sweep.hpp"

namespace lab6::sweep {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// How many bytes of the file are complete lines.
size_t complete(const std::string& text) {
  const size_t last = text.rfind('\n');
  return last == std::string::npos ? 0 : last + 1;
}

bool is_number(const Value& value) {
  return std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value);
}

double real(const Value& value) {
  const auto* integer = std::get_if<int64_t>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

// Rank 1 is the smallest; equal values share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    const auto below = std::count_if(values.begin(), values.end(), [&](double other) { return other < value; });
    const auto equal = std::count(values.begin(), values.end(), value);
    result.push_back(static_cast<double>(below) + static_cast<double>(equal + 1) / 2);
  }
  return result;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean(x), mean_y = mean(y);
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double eta_squared(const std::vector<Value>& groups, const std::vector<double>& scores) {
  std::map<Value, std::vector<double>> members;
  for (size_t i = 0; i < scores.size(); ++i) {
    members[groups[i]].push_back(scores[i]);
  }
  const double whole = mean(scores);
  double between = 0, total = 0;
  for (const auto& [value, own] : members) {
    between += static_cast<double>(own.size()) * (mean(own) - whole) * (mean(own) - whole);
  }
  for (const double score : scores) {
    total += (score - whole) * (score - whole);
  }
  return total > 0 ? between / total : 0;
}

}  // namespace

void append_line(const std::string& path, const std::string& line) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) {
    fail(path, "cannot be opened");
  }
  const std::string before = contents(path), text = line + "\n";
  const size_t kept = complete(before);
  // One write of a whole line: a process that is killed has written the line or has not.
  const bool done = (kept == before.size() || ::ftruncate(file, static_cast<off_t>(kept)) == 0) &&
                    ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
  if (!done) {
    const int reason = errno;
    ::close(file);
    errno = reason;
    fail(path, "cannot be written");
  }
  ::close(file);
}

std::vector<std::string> read_lines(const std::string& path) {
  const std::string text = contents(path);
  std::vector<std::string> result;
  for (size_t at = 0; at < complete(text);) {
    const size_t end = text.find('\n', at);
    result.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

std::optional<double> score_of(const Metric& metric, const RunRecord& run) {
  std::optional<double> best;
  for (const double value : run.history) {
    const bool better = !best || (metric.goal == Goal::maximize ? value > *best : value < *best);
    if (std::isfinite(value) && better && run.state != "failed") {
      best = value;
    }
  }
  return best;
}

std::optional<size_t> best_run(const Metric& metric, std::span<const RunRecord> runs) {
  const double sign = metric.goal == Goal::maximize ? -1 : 1;
  std::optional<size_t> best;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto score = score_of(metric, runs[i]);
    if (!score) {
      continue;
    }
    const auto key = [&](size_t run) { return std::pair(sign * *score_of(metric, runs[run]), runs[run].index); };
    if (!best || key(i) < key(*best)) {
      best = i;
    }
  }
  return best;
}

std::vector<Importance> importance(const Metric& metric, std::span<const RunRecord> runs) {
  std::map<std::string, std::pair<std::vector<Value>, std::vector<double>>> columns;
  for (const RunRecord& run : runs) {
    if (const auto score = score_of(metric, run)) {
      for (const auto& [name, value] : run.config) {
        columns[name].first.push_back(value);
        columns[name].second.push_back(*score);
      }
    }
  }
  std::vector<Importance> result;
  for (const auto& [name, column] : columns) {
    const auto& [values, scores] = column;
    if (std::set<Value>(values.begin(), values.end()).size() < 2) {
      continue;
    }
    const auto count = static_cast<int64_t>(values.size());
    if (std::all_of(values.begin(), values.end(), is_number)) {
      std::vector<double> numbers(values.size());
      std::transform(values.begin(), values.end(), numbers.begin(), real);
      result.push_back({name, "spearman", correlation(ranks(numbers), ranks(scores)), count});
    } else {
      result.push_back({name, "eta_squared", eta_squared(values, scores), count});
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Importance& x, const Importance& y) { return std::fabs(x.value) > std::fabs(y.value); });
  return result;
}

}  // namespace lab6::sweep
