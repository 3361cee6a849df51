// P1: where the time of a training step goes.
#include "profile.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace lab6 {

namespace {

// The events by thread, then by start; a span before the spans inside it.
std::vector<const Event*> in_order(std::span<const Event> events) {
  std::vector<const Event*> order;
  for (const Event& event : events) {
    order.push_back(&event);
  }
  std::stable_sort(order.begin(), order.end(), [](const Event* a, const Event* b) {
    if (a->thread != b->thread || a->start_ns != b->start_ns) {
      return a->thread != b->thread ? a->thread < b->thread : a->start_ns < b->start_ns;
    }
    return a->duration_ns > b->duration_ns;
  });
  return order;
}

}  // namespace

std::vector<OperatorRow> top_operators(std::span<const Event> events) {
  std::map<std::pair<std::string, std::string>, OperatorRow> rows;
  const auto row_of = [&](const Event& event) -> OperatorRow& { return rows[{event.name, event.pass}]; };
  std::vector<const Event*> open;  // spans that the next one may lie inside, the outermost first
  for (const Event* event : in_order(events)) {
    while (!open.empty() && (open.back()->thread != event->thread ||
                             open.back()->start_ns + open.back()->duration_ns <= event->start_ns)) {
      open.pop_back();
    }
    if (!open.empty()) {
      row_of(*open.back()).self_ns -= event->duration_ns;
      row_of(*open.back()).self_flops -= event->flops;
    }
    OperatorRow& own = row_of(*event);
    own.name = event->name;
    own.pass = event->pass;
    ++own.calls;
    own.self_ns += event->duration_ns;
    own.self_flops += event->flops;
    open.push_back(event);
  }
  std::vector<OperatorRow> found;
  int64_t total = 0;
  for (auto& [key, row] : rows) {
    total += row.self_ns;
    found.push_back(std::move(row));
  }
  for (OperatorRow& row : found) {
    row.share = total == 0 ? 0 : static_cast<double>(row.self_ns) / static_cast<double>(total);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const OperatorRow& a, const OperatorRow& b) { return a.self_ns > b.self_ns; });
  return found;
}

std::string chrome_trace(std::span<const Event> events) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  std::set<int> threads;
  for (const Event& event : events) {
    threads.insert(event.thread);
  }
  for (const int thread : threads) {
    list.push_back({{"name", "thread_name"},
                    {"ph", "M"},
                    {"pid", 1},
                    {"tid", thread},
                    {"args", {{"name", "thread " + std::to_string(thread)}}}});
  }
  for (const Event* event : in_order(events)) {
    list.push_back({{"name", event->name},
                    {"cat", event->pass},
                    {"ph", "X"},
                    {"ts", static_cast<double>(event->start_ns) / 1e3},
                    {"dur", static_cast<double>(event->duration_ns) / 1e3},
                    {"pid", 1},
                    {"tid", event->thread},
                    {"args", {{"pass", event->pass}, {"flops", event->flops}, {"bytes", event->bytes}}}});
  }
  return Json{{"traceEvents", list}, {"displayTimeUnit", "ms"}}.dump();
}

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
