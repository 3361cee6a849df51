#include "simulator/timing/counters.hpp"

#include <cmath>

namespace hpml::sim::timing {

namespace {

// Every counter, once: add() and scale() cannot forget one that the other knows.
template <class F>
void for_each(ModelCounters& c, F f) {
  f(c.issued);
  for (uint64_t& v : c.pipe_issued) {
    f(v);
  }
  for (uint64_t& v : c.stall_cycles) {
    f(v);
  }
  f(c.issue_active);
  f(c.scheduler_cycles_active);
  f(c.sm_cycles_active);
  f(c.l1_sectors);
  f(c.l1_hits);
  for (uint64_t& v : c.l2_sectors) {
    f(v);
  }
  f(c.l2_hits);
  f(c.dram_read_sectors);
  f(c.dram_write_sectors);
  f(c.link_read_sectors);
  f(c.link_write_sectors);
}

constexpr size_t kCounters = 1 + kPipeCount + kStallCount + 3 + 2 + 4 + 1 + 4;
static_assert(sizeof(ModelCounters) == kCounters * sizeof(uint64_t), "for_each() must name every counter");

// Order of enum Stall; spelt as in smsp__average_warps_issue_stalled_<reason>_per_issue_active.
constexpr std::array<std::string_view, kStallCount> kStallNames{
    "drain",          "barrier",          "membar",           "sleeping",
    "no_instruction", "branch_resolving", "short_scoreboard", "long_scoreboard",
    "wait",           "imc_miss",         "dispatch_stall",   "math_pipe_throttle",
    "lg_throttle",    "mio_throttle",     "tex_throttle",     "not_selected",
    "selected"};

std::array<uint64_t, kCounters> values_of(ModelCounters counters) {
  std::array<uint64_t, kCounters> values{};
  size_t i = 0;
  for_each(counters, [&](uint64_t& v) { values[i++] = v; });
  return values;
}

}  // namespace

std::string_view name(Stall stall) { return kStallNames[static_cast<size_t>(stall)]; }

void ModelCounters::add(const ModelCounters& other) {
  const auto values = values_of(other);
  size_t i = 0;
  for_each(*this, [&](uint64_t& v) { v += values[i++]; });
}

void ModelCounters::remove(const ModelCounters& other) {
  const auto values = values_of(other);
  size_t i = 0;
  for_each(*this, [&](uint64_t& v) { v -= values[i++]; });
}

void ModelCounters::scale(double factor) {
  for_each(*this, [&](uint64_t& v) { v = static_cast<uint64_t>(std::llround(static_cast<double>(v) * factor)); });
}

}  // namespace hpml::sim::timing
