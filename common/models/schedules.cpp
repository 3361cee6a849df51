// Event simulation of learners that share parameters.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/models/training.hpp"

namespace hpml::models {

namespace {

struct Event {
  double time = 0;
  size_t learner = 0;
};

std::vector<Event> in_order(const Times& times) {
  std::vector<Event> events;
  for (size_t learner = 0; learner < times.size(); ++learner) {
    for (const double time : times[learner]) {
      events.push_back({time, learner});
    }
  }
  std::ranges::stable_sort(events, {}, &Event::time);
  return events;
}

Times finish_times(Times times) {
  for (std::vector<double>& row : times) {
    std::partial_sum(row.begin(), row.end(), row.begin());
  }
  return times;
}

double sync_time(const Times& times, int64_t updates, size_t k) {
  double total = 0;
  for (size_t round = 0; round < static_cast<size_t>(updates); ++round) {
    std::vector<double> batch;
    for (const std::vector<double>& row : times) {
      batch.push_back(row.at(round));
    }
    std::ranges::sort(batch);
    total += batch.at(k - 1);
  }
  return total;
}

struct KBatch {
  double time = 0;
  bool tie = false;  // with the gradient that makes an update, another one arrives
};

// Are these one moment? The times are sums of decimals.
bool same_moment(double left, double right) { return std::abs(left - right) <= 1e-9 * std::max(1.0, right); }

// Does it matter for what follows which of two learners was first? Where cancelled batches are started again it does
// not when both count.
bool tied(const std::vector<Event>& events, size_t k, bool retried) {
  const double update = events.at(k - 1).time;
  return (!retried && k >= 2 && same_moment(events[k - 2].time, update)) ||
         (k < events.size() && same_moment(events[k].time, update));
}

// All learners start an update together; a learner may deliver several of its K gradients.
KBatch k_batch_sync(const Times& times, int64_t updates, size_t k, bool retried) {
  std::vector<size_t> next(times.size(), 0);
  KBatch total;
  for (int64_t update = 0; update < updates; ++update) {
    Times left;
    for (size_t learner = 0; learner < times.size(); ++learner) {
      left.emplace_back(times[learner].begin() + static_cast<std::ptrdiff_t>(next[learner]), times[learner].end());
    }
    std::vector<Event> events = in_order(finish_times(std::move(left)));
    total.tie = total.tie || tied(events, k, retried);
    events.resize(k);
    std::vector<bool> finished_now(times.size(), false);
    for (const Event& event : events) {
      ++next[event.learner];
      finished_now[event.learner] = event.time == events.back().time;
    }
    total.time += events.back().time;
    for (size_t learner = 0; learner < times.size() && !retried; ++learner) {
      next[learner] += finished_now[learner] ? 0 : 1;  // the batch under way when the update came
      next[learner] = std::min(next[learner], times[learner].size());
    }
  }
  return total;
}

}  // namespace

std::vector<int64_t> staleness_of_arrivals(const Times& arrival_times) {
  std::vector<int64_t> read(arrival_times.size(), 0), result;
  int64_t version = 0;
  for (const Event& event : in_order(arrival_times)) {
    result.push_back(version - read[event.learner]);
    read[event.learner] = ++version;
  }
  return result;
}

UpdateTimes update_times(const Times& batch_times, int64_t updates, int64_t k) {
  const std::vector<Event> arrivals = in_order(finish_times(batch_times));
  const auto fastest = static_cast<size_t>(k);
  const KBatch skipped = k_batch_sync(batch_times, updates, fastest, false);
  const KBatch retried = k_batch_sync(batch_times, updates, fastest, true);
  return {.sync = sync_time(batch_times, updates, batch_times.size()),
          .k_sync = sync_time(batch_times, updates, fastest),
          .asynchronous = arrivals.at(static_cast<size_t>(updates) - 1).time,
          .k_batch_sync = skipped.time,
          .k_batch_sync_retried = retried.time,
          .tie = skipped.tie || retried.tie};
}

}  // namespace hpml::models
