// One launch, from request to record.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/base/demangle.hpp"
#include "simulator/debug/debugger.hpp"
#include "simulator/device/cluster_check.hpp"
#include "simulator/device/estimate.hpp"
#include "simulator/device/formulas.hpp"
#include "simulator/device/launch_check.hpp"
#include "simulator/device/simulated_device.hpp"
#include "simulator/device/tensor_rules.hpp"
#include "simulator/device/traps.hpp"
#include "simulator/device/wall_clock.hpp"
#include "simulator/timing/issue_watch.hpp"

namespace hpml::sim::device {
namespace {

// Automatic mode times this many warp instructions of a launch and extrapolates the rest: about two seconds of our
// time, and several waves of blocks on every GPU for kernels of ordinary length.
constexpr uint64_t kTimedInstructions = 4'000'000;
// ... and no more cycles than this in which anything happens.
constexpr uint64_t kTimedTurns = 4'500'000;

// The model's clock stands still where a sampled launch goes on without time. More instructions than this without a
// tick mean that: from then on each counts as a cycle, so that a kernel that waits for the clock to advance ends.
constexpr uint64_t kInstructionsWithoutTick = 4096;

// SMs have more to do in one cycle than in another: who is done early takes a further share.
constexpr unsigned kSharesPerThread = 8;

exec::Extent extent(const Dim3& d) { return {.x = d.x, .y = d.y, .z = d.z}; }

// What the model tells, in the debugger's words.
class DebuggedIssues final : public timing::IssueWatch {
 public:
  explicit DebuggedIssues(const std::function<void(const debug::TimedIssue&)>& issued) : issued_(issued) {}
  void issued(const timing::Issue& issue) override {
    issued_({.block = issue.block,
             .warp = issue.warp,
             .inst = issue.inst,
             .at = issue.at,
             .free = issue.free,
             .held = {timing::name(issue.held_for), issue.held_until},
             .operands = {timing::name(issue.operands_for), issue.operands_at},
             .in_flight = issue.in_flight});
  }

 private:
  const std::function<void(const debug::TimedIssue&)>& issued_;
};

class KernelClock {
 public:
  KernelClock(const timing::Engine& engine, const exec::Grid* const& grid) : engine_(engine), grid_(grid) {}
  uint64_t cycles() {
    const uint64_t now = engine_.clock();
    const uint64_t done = grid_->counters().warp_instructions;
    if (now != last_tick_) {
      last_tick_ = now;
      done_at_tick_ = done;
    }
    const uint64_t since = done - done_at_tick_;
    if (since > kInstructionsWithoutTick) {
      ahead_ = std::max(ahead_, now + since - kInstructionsWithoutTick);
    }
    return std::max(ahead_, now);
  }

 private:
  const timing::Engine& engine_;
  const exec::Grid* const& grid_;
  uint64_t last_tick_ = ~uint64_t{0}, done_at_tick_ = 0;
  uint64_t ahead_ = 0;  // what it has shown while the model's stood still: it never goes back
};

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at)) {
    text.replace(at, 1, "; ");
  }
  return text;
}

}  // namespace

// What lives exactly as long as the launch executes.
struct SimulatedDevice::Execution {
  std::unique_ptr<exec::Grid> grid;
  const exec::Grid* running = nullptr;  // grid.get(), for the services made before it
  std::unique_ptr<KernelClock> clock;
  exec::DeviceCalls* calls = nullptr;
  std::optional<debug::Launch> debugged;  // nothing: there is no debugger
  double deadline = 0;                    // wall seconds; 0 = none
  std::string deadlock;
};

// Pages that move and tools that watch see one access at a time.
unsigned SimulatedDevice::threads() const {
  const bool alone = !managed_.empty() || sanitizer_ != nullptr || options_.debugger != nullptr || options_.threads < 1;
  return alone ? 1 : static_cast<unsigned>(options_.threads);
}

std::unique_ptr<exec::Grid> SimulatedDevice::make_grid(KernelEntry& kernel, const LaunchRequest& request,
                                                       Execution& execution) {
  exec::Launch launch;
  launch.module = &*kernel.code();
  launch.grid = extent(request.grid);
  launch.block = extent(request.block);
  if (const std::optional<Dim3> cluster = cluster_of(kernel.header(), request)) {
    launch.cluster = extent(*cluster);
    launch.explicit_cluster = true;
  }
  launch.dynamic_shared = request.dynamic_shared;
  launch.params = request.params;
  launch.cooperative = request.cooperative;
  launch.cooperative_workspace = request.cooperative ? cooperative_workspace() : 0;
  launch.sm_count = static_cast<int>(spec_.topology.sms);
  launch.shares = static_cast<int>(threads() == 1 ? 1 : threads() * kSharesPerThread);
  launch.stack_bytes = stack_bytes_;
  launch.page_bounds = !options_.strict;
  launch.tensor_sums = tensor_rules(spec_.tensor);
  launch.chosen_products = options_.chosen_products;
  launch.max_warp_instructions = options_.max_warp_instructions;
  if (execution.deadline > 0) {
    launch.out_of_time = [&execution] { return wall_seconds() > execution.deadline; };
  }
  exec::Services services;
  services.memory = memory_.get();
  services.managed = managed_.empty() ? nullptr : &unified_;
  services.device_malloc = [this](uint64_t bytes) { return heap_.allocate(bytes); };
  services.device_free = [this](uint64_t address) { return heap_.free(address); };
  services.observer = sanitizer_.get();
  services.calls = execution.calls;
  if (execution.clock == nullptr) {
    launch.latency = warp_latencies(spec_);
    launch.start_ns = static_cast<double>(request.start) / 1000.0;
    launch.ns_per_cycle = spec_.cycles_to_ns(1.0);
  } else {
    services.clock = [&execution] { return execution.clock->cycles(); };
    const auto start_ns = static_cast<uint64_t>(request.start / 1000);
    services.globaltimer_ns = [this, &execution, start_ns] {
      return start_ns + static_cast<uint64_t>(spec_.cycles_to_ns(static_cast<double>(execution.clock->cycles())));
    };
  }
  return exec::Grid::create(launch, services);
}

// Kernels that look at a clock see the model's, so they are always timed.
const TimedLaunch* SimulatedDevice::stand_in(KernelEntry& kernel, const LaunchRequest& request) {
  return options_.mode == Mode::cycle || kernel.reads_clock() ? nullptr : history_.stand_in(request);
}

// The launch has run without time: what another launch cost, scaled by what both did.
void SimulatedDevice::take_time(const TimedLaunch& known, const exec::Grid& grid, LaunchFacts& facts) const {
  const auto instructions = static_cast<double>(grid.counters().warp_instructions);
  const double estimate = estimate_cycles(grid.counters(), grid.block_count(), facts.fit, spec_);
  facts.cycles = known.cycles * (known.estimate > 0 ? estimate / known.estimate : 1);
  facts.modelled = known.modelled;
  const double more = known.warp_instructions > 0 ? instructions / known.warp_instructions : 1;
  facts.modelled->scale(more);
  timing::Accesses accesses;
  accesses.add(known.accesses, more);
  extrapolate(*facts.modelled, accesses, timing::Accesses::of(grid.counters()));
  facts.sampled = true;
  facts.sampled_fraction = 0;
}

void SimulatedDevice::run_timed(KernelEntry& kernel, Execution& execution, LaunchFacts& facts) {
  exec::Grid& grid = *execution.grid;
  const timing::BlockNeeds needs =
      needs_of(spec_, facts.kernel, facts.request.block.count(), facts.request.dynamic_shared);
  const bool all = options_.mode == Mode::cycle;
  const timing::RunOptions options{
      .sample_after = all ? 0 : kTimedInstructions, .sample_after_turns = all ? 0 : kTimedTurns, .threads = threads()};
  timing::RunResult result = engine_->run(grid, needs, kernel.register_numbers(), options);
  facts.cycles = result.cycles;
  facts.modelled = result.counters;
  facts.sampled = result.sampled;
  facts.sampled_fraction = result.sampled_fraction;
  execution.deadlock = std::move(result.deadlock);
  if (!execution.deadlock.empty()) {
    grid.report_deadlock();
  }
  if (!all && !grid.trap()) {
    const auto instructions = static_cast<double>(grid.counters().warp_instructions);
    const double most = std::max(instructions, static_cast<double>(result.counters.l1_sectors));
    const auto timed = static_cast<uint64_t>(most * result.sampled_fraction);
    history_.add(facts.request, std::max(timed, result.turns),
                 {.cycles = result.cycles,
                  .estimate = estimate_cycles(grid.counters(), grid.block_count(), facts.fit, spec_),
                  .warp_instructions = instructions,
                  .modelled = result.counters,
                  .accesses = timing::Accesses::of(grid.counters())});
  }
}

// Check tools watch every launch, cycle mode times every one, and a clock never shows the same time twice.
bool SimulatedDevice::may_repeat(KernelEntry& kernel) const {
  return sanitizer_ == nullptr && options_.debugger == nullptr && options_.mode != Mode::cycle && !kernel.reads_clock();
}

// The second time finds the caches as every later one does. Of a launch that takes far longer than L2 takes to fill,
// the first time says the same.
bool SimulatedDevice::time_is_known(const RepeatedLaunches::Known& known) const {
  constexpr double kLong = 100;
  const double fill_cycles = spec_.l2.size_kib * 1024.0 / spec_.dram_bytes_per_cycle();
  return options_.mode == Mode::functional || known.times >= 2 || known.outcome.cycles >= kLong * fill_cycles;
}

void SimulatedDevice::repeat(const LaunchOutcome& outcome, LaunchFacts& facts) const {
  facts.counters = outcome.counters;
  facts.lines = outcome.lines;
  facts.cycles = outcome.cycles;
  facts.modelled = outcome.modelled;
  facts.sampled = outcome.modelled.has_value();
  facts.sampled_fraction = facts.sampled ? 0 : 1;
}

void SimulatedDevice::execute(KernelEntry& kernel, Execution& execution, LaunchFacts& facts) {
  exec::Grid& grid = *execution.grid;
  const RepeatedLaunches::Known* again = may_repeat(kernel) ? repeated_.find(facts.request, *memory_) : nullptr;
  if (again != nullptr && time_is_known(*again)) {
    return repeat(again->outcome, facts);
  }
  if (options_.mode == Mode::functional) {
    if (execution.debugged) {
      options_.debugger->execute(*execution.debugged, grid);
    } else {
      grid.run_rest();
    }
    facts.cycles = std::max(estimate_cycles(grid.counters(), grid.block_count(), facts.fit, spec_),
                            static_cast<double>(grid.longest_warp_cycles()));
  } else if (const TimedLaunch* known = stand_in(kernel, facts.request); known != nullptr) {
    grid.run_rest();
    take_time(*known, grid, facts);
    history_.took(facts.request, static_cast<double>(grid.counters().warp_instructions));
  } else {
    run_timed(kernel, execution, facts);
  }
  facts.counters = grid.counters();
  facts.lines = grid.line_accesses();
  if (!grid.trap() && execution.deadlock.empty() && grid.stray_access().empty() && may_repeat(kernel)) {
    repeated_.remember(
        facts.request, grid.touched(), again,
        {.counters = facts.counters, .lines = facts.lines, .cycles = facts.cycles, .modelled = facts.modelled});
  }
}

std::optional<Trap> SimulatedDevice::trap_of(const Execution& execution, const std::string& kernel) const {
  if (execution.grid->trap()) {
    return to_device_trap(*execution.grid->trap());
  }
  if (!execution.deadlock.empty()) {
    return Trap{.kind = TrapKind::deadlock,
                .message = fmt::format("kernel {}: nothing can move any more: {}", demangle(kernel),
                                       one_line(execution.grid->describe_waiting()))};
  }
  return std::nullopt;
}

// What of the device the launch keeps busy: the places for blocks that it fills, or the rate it uses up.
double SimulatedDevice::share_of(const LaunchFacts& facts) const {
  const double places = static_cast<double>(facts.fit.blocks_per_sm) * spec_.topology.sms;
  const double filled = places > 0 ? static_cast<double>(facts.request.grid.count()) / places : 1;
  const double used = facts.modelled ? throughput_fraction(*facts.modelled, facts.cycles, spec_) : 0;
  return std::min(1.0, std::max(filled, used));
}

LaunchResult SimulatedDevice::launch(const LaunchRequest& request) {
  const auto module = static_cast<size_t>(entry(request.kernel).module_id());
  ChildGrids children(*this, options_.index, [this, module](uint64_t address) -> std::optional<KernelId> {
    const std::string* name = modules_[module]->program().kernel_at(address);
    return name != nullptr ? std::optional(kernel_ids_[module].at(*name)) : std::nullopt;
  });
  LaunchResult result = launch_grid(request, children);
  while (!result.trap) {
    const std::optional<ChildWork> work = children.next();
    if (!work) {
      break;
    }
    do_child(*work, children, result);
  }
  result.conditionals = children.take_conditionals();
  return result;
}

// The record stays the one of the grid that the host launched: profilers do not show those of kernels.
void SimulatedDevice::do_child(const ChildWork& work, ChildGrids& children, LaunchResult& all) {
  if (work.kind == ChildWork::Kind::grid) {
    LaunchResult child = launch_grid(work.request, children);
    // Side by side as far as they fit.
    all.duration += std::llround(static_cast<double>(child.duration) * child.share);
    all.output += child.output;
    all.assertions += child.assertions;
    all.stray_access = all.stray_access.empty() ? std::move(child.stray_access) : std::move(all.stray_access);
    all.trap = std::move(child.trap);
    return;
  }
  const memory::Allocation* to = memory_->find(work.to);
  const memory::Allocation* from = work.kind == ChildWork::Kind::copy ? memory_->find(work.from) : nullptr;
  if (to == nullptr || (work.kind == ChildWork::Kind::copy && from == nullptr)) {
    all.trap = Trap{.kind = TrapKind::illegal_address,
                    .message = fmt::format("a copy that a kernel asked for has lost its memory at {:#x}", work.to)};
    return;
  }
  std::byte* place = to->view + (work.to - to->base);
  if (from != nullptr) {
    std::memmove(place, from->view + (work.from - from->base), work.bytes);
    all.duration += copy_time(CopyKind::device_to_device, false, work.bytes);
  } else {
    std::memset(place, work.value, work.bytes);
    all.duration += memset_time(work.bytes);
  }
  if (sanitizer_ != nullptr) {
    sanitizer_->host_wrote(work.to, work.bytes);
  }
}

// The launch as a debugger explores it. Its grids live in processes of their own, in which nothing else happens, and
// are never destroyed.
debug::Launch SimulatedDevice::to_debug(KernelEntry& kernel, const LaunchRequest& request, ChildGrids& children) {
  debug::Launch launch;
  launch.program = &modules_[static_cast<size_t>(kernel.module_id())]->program();
  launch.kernel = kernel.header().name;
  launch.grid = extent(request.grid);
  launch.block = extent(request.block);
  if (const std::optional<Dim3> cluster = cluster_of(kernel.header(), request)) {
    launch.cluster = extent(*cluster);
  }
  launch.code = &kernel.code_to_debug();
  launch.names = &kernel.names();
  launch.memory = memory_.get();
  launch.number = ++debugged_;
  launch.make_grid = [this, &kernel, &request, &children] {
    auto* execution = new Execution();
    execution->calls = &children;
    managed_.note_first_touches();
    execution->grid = make_grid(kernel, request, *execution);
    execution->running = execution->grid.get();
    unified_.begin_kernel([execution] { return execution->running->counters().warp_instructions; }, 1);
    return execution->grid.get();
  };
  launch.run_timed = [this, &kernel, &request,
                      make_grid = launch.make_grid](const auto& issued) -> Result<debug::TimedRun> {
    HPML_TRY(const auto engine, timing::Engine::create(spec_));
    DebuggedIssues watch(issued);
    engine->attach(&apertures_);
    engine->watch(&watch);
    const timing::RunOptions options{
        .sample_after = kTimedInstructions, .sample_after_turns = kTimedTurns, .threads = 1};
    const timing::RunResult result =
        engine->run(*make_grid(), needs_of(spec_, kernel.info(), request.block.count(), request.dynamic_shared),
                    kernel.register_numbers(), options);
    return debug::TimedRun{.cycles = static_cast<uint64_t>(result.cycles), .sampled = result.sampled};
  };
  return launch;
}

LaunchResult SimulatedDevice::launch_grid(const LaunchRequest& asked, ChildGrids& children) {
  LaunchResult result;
  KernelEntry& kernel = entry(asked.kernel);
  const LaunchRequest request = in_blocks(kernel.header(), asked);
  LaunchFacts facts{.kernel = kernel.info(), .request = request, .fit = {}, .counters = {}, .modelled = {}};
  facts.fit = timing::occupancy(spec_, needs_of(spec_, facts.kernel, request.block.count(), request.dynamic_shared));
  if (!kernel.code().ok()) {
    result.trap = Trap{.kind = TrapKind::illegal_instruction,
                       .message = fmt::format("kernel {}: {}", demangle(facts.kernel.name),
                                              one_line(kernel.code().error().to_string()))};
    result.record = kernel_record(facts, spec_);
    return result;
  }
  if (sanitizer_ != nullptr) {
    sanitizer_->begin_launch(demangle(facts.kernel.name), {request.block.x, request.block.y, request.block.z});
  }
  Execution execution;
  execution.calls = &children;
  if (options_.debugger != nullptr) {
    execution.debugged = to_debug(kernel, request, children);
    options_.debugger->explore(*execution.debugged);
  }
  if (options_.mode != Mode::functional) {
    execution.clock = std::make_unique<KernelClock>(*engine_, execution.running);
  }
  execution.deadline = options_.max_seconds > 0 ? wall_seconds() + options_.max_seconds : 0;
  managed_.note_first_touches();
  const timing::UnifiedCounters before = unified_.counters();
  execution.grid = make_grid(kernel, request, execution);
  execution.running = execution.grid.get();
  const uint64_t resident = std::min(request.grid.count(), uint64_t{facts.fit.blocks_per_sm} * spec_.topology.sms);
  unified_.begin_kernel([&execution] { return execution.running->counters().warp_instructions; },
                        resident * ((request.block.count() + 31) / 32));
  managed_.kernel_begins();
  execute(kernel, execution, facts);
  facts.staged = sanitizer_ != nullptr ? sanitizer_->take_staged() : std::nullopt;
  facts.fault_us = unified_.end_kernel();
  managed_.protect();

  const double kernel_ns =
      spec_.api.kernel_fixed_us * 1000.0 + spec_.cycles_to_ns(facts.cycles) + facts.fault_us * 1000.0;
  result.duration = std::llround(kernel_ns * 1000.0);
  facts.duration_ns = static_cast<double>(result.duration) / 1000.0;
  facts.cycles = facts.duration_ns * spec_.clocks.core_mhz / 1000.0;
  facts.fault_groups = unified_.counters().fault_groups - before.fault_groups;
  facts.migrated_bytes = unified_.counters().host_to_device_bytes - before.host_to_device_bytes;
  warp_instructions_ += facts.counters.warp_instructions;
  result.share = share_of(facts);
  result.trap = trap_of(execution, facts.kernel.name);
  result.stray_access = execution.grid->stray_access();
  result.output = execution.grid->take_output();
  result.assertions = execution.grid->take_assertions();
  result.record = kernel_record(facts, spec_);
  return result;
}

}  // namespace hpml::sim::device
