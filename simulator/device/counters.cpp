#include "simulator/device/counters.hpp"

#include "simulator/device/formulas.hpp"

namespace hpml::sim::device {
namespace {

using isa::ThreadOp;
using timing::Pipe;
using timing::Stall;

enum class Counted : uint8_t { device, exec, timing, program };

struct Sources {
  const LaunchFacts& launch;
  const timing::ModelCounters& model;
  const timing::UnifiedCounters& unified;
  const timing::GpuSpec& spec;
};

struct Row {
  const char* name;
  Counted counted;
  metrics::Value (*value)(const LaunchFacts& l, const exec::Counters& c, const timing::ModelCounters& m,
                          const timing::UnifiedCounters& u, const timing::GpuSpec& g);
};

#define HPML_COUNTER(name, counted, value)                                                                \
  {name, Counted::counted,                                                                                \
   []([[maybe_unused]] const LaunchFacts& l, [[maybe_unused]] const exec::Counters& c,                    \
      [[maybe_unused]] const timing::ModelCounters& m, [[maybe_unused]] const timing::UnifiedCounters& u, \
      [[maybe_unused]] const timing::GpuSpec& g) -> metrics::Value { return value; }},
constexpr Row kRows[] = {
#include "simulator/metrics/counters.inc"
};
#undef HPML_COUNTER

template <class Wanted>
metrics::Values values(const Sources& from, Wanted wanted) {
  metrics::Values found;
  found.reserve(std::size(kRows));
  for (const Row& row : kRows) {
    if (!wanted(row.counted)) {
      continue;
    }
    metrics::Value value = row.value(from.launch, from.launch.counters, from.model, from.unified, from.spec);
    if (value.known()) {
      found.push_back({row.name, std::move(value)});
    }
  }
  return found;
}

}  // namespace

metrics::Values launch_counters(const LaunchFacts& facts, const timing::GpuSpec& spec) {
  const timing::ModelCounters untimed;
  const bool timed = facts.modelled.has_value();
  return values(
      {.launch = facts, .model = timed ? *facts.modelled : untimed, .unified = {}, .spec = spec},
      [timed](Counted counted) { return counted != Counted::program && (timed || counted != Counted::timing); });
}

metrics::Values program_counters(const timing::UnifiedCounters& counters, const timing::GpuSpec& spec) {
  const KernelInfo none;
  const LaunchRequest nothing;
  const LaunchFacts facts{.kernel = none, .request = nothing, .fit = {}, .counters = {}, .modelled = {}};
  return values({.launch = facts, .model = {}, .unified = counters, .spec = spec},
                [](Counted counted) { return counted == Counted::program; });
}

metrics::Values stall_counters(const timing::ModelCounters& counters) {
  metrics::Values stalls;
  for (int i = 0; i < timing::kStallCount; ++i) {
    stalls.push_back({name(static_cast<Stall>(i)), counters.stall_cycles[static_cast<size_t>(i)]});
  }
  return stalls;
}

}  // namespace hpml::sim::device
