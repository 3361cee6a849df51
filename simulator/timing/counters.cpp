#include "simulator/timing/counters.hpp"

#include <bit>
#include <cmath>
#include <functional>

namespace hpml::sim::timing {

namespace {

// As a list: add(), remove() and scale() cannot forget one.
using All = std::array<uint64_t, sizeof(ModelCounters) / sizeof(uint64_t)>;
static_assert(sizeof(All) == sizeof(ModelCounters), "all counters are 64-bit sums");

// Order of enum Stall; spelt as in smsp__average_warps_issue_stalled_<reason>_per_issue_active.
constexpr std::array<std::string_view, kStallCount> kStallNames{
    "drain",          "barrier",          "membar",           "sleeping",
    "no_instruction", "branch_resolving", "short_scoreboard", "long_scoreboard",
    "wait",           "imc_miss",         "dispatch_stall",   "math_pipe_throttle",
    "lg_throttle",    "mio_throttle",     "tex_throttle",     "not_selected",
    "selected"};

// `f` of each counter and of the same one in `other`.
template <class F>
ModelCounters combined(const ModelCounters& counters, const ModelCounters& other, F f) {
  All mine = std::bit_cast<All>(counters);
  const All theirs = std::bit_cast<All>(other);
  for (size_t i = 0; i < mine.size(); ++i) {
    mine[i] = f(mine[i], theirs[i]);
  }
  return std::bit_cast<ModelCounters>(mine);
}

}  // namespace

std::string_view name(Stall stall) { return kStallNames[static_cast<size_t>(stall)]; }

void ModelCounters::add(const ModelCounters& other) { *this = combined(*this, other, std::plus<uint64_t>()); }

void ModelCounters::remove(const ModelCounters& other) { *this = combined(*this, other, std::minus<uint64_t>()); }

void ModelCounters::scale(double factor) {
  *this = combined(*this, {}, [factor](uint64_t value, uint64_t) {
    return static_cast<uint64_t>(std::llround(static_cast<double>(value) * factor));
  });
}

}  // namespace hpml::sim::timing
