#pragma once
// The cycle-level model of one GPU. Drives an exec::Grid: every warp instruction is executed by step() in the cycle in
// which the model issues it. Caches keep their contents from one launch to the next, as on the card.
#include <memory>
#include <string>

#include "simulator/exec/grid.hpp"
#include "simulator/timing/counters.hpp"
#include "simulator/timing/gpu_spec.hpp"
#include "simulator/timing/occupancy.hpp"

namespace hpml::sim::timing {

class Apertures;
class IssueWatch;

struct RunOptions {
  // Warp instructions to time before any is left out; 0 = all. Of what is longer, sampling units are
  // timed (gpu/sampler.hpp). Decided by counts only, never by our own speed.
  uint64_t sample_after = 0;
  // The same in cycles in which something happens to model; 0 = all. Bounds launches that wait rather than work: warps
  // that fight over a lock fill thousands of cycles with a handful of instructions.
  uint64_t sample_after_turns = 0;
  // Threads of ours that simulate SMs side by side; the result is the same with any number. More than the grid has
  // shares find nothing to do.
  unsigned threads = 1;
};

struct RunResult {
  double cycles = 0;  // of the kernel on the SMs, first block placed to last warp retired
  bool sampled = false;
  double sampled_fraction = 1;  // timed warp instructions / all
  uint64_t turns = 0;           // cycles in which something happened to model
  ModelCounters counters;       // scaled up to the whole launch when sampled
  std::string deadlock;         // not empty: nothing could ever move again; every component's state
};

class Engine {
 public:
  // Error: the GPU file names something that does not exist (issue policy).
  static Result<std::unique_ptr<Engine>> create(const GpuSpec& spec);
  virtual ~Engine() = default;

  // Runs the grid to its end or to its trap (grid.trap()). `needs` decides residency. Precondition:
  // occupancy(spec, needs).blocks_per_sm > 0. registers: size of the largest register numbering of the kernel's
  // functions (ir::Function::reg_count).
  virtual RunResult run(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers, const RunOptions& options) = 0;

  // The current cycle of the running kernel, for %clock.
  virtual uint64_t clock() const = 0;

  // Says which memory addresses lead to; without, all is the GPU's own. It must outlive the engine's last run.
  virtual void attach(const Apertures* apertures) = 0;

  // Tells `watch` of every instruction that is issued from now on; null: nobody. It must outlive the engine's last run.
  virtual void watch(IssueWatch* watch) = 0;

  // A host copy or memset wrote these bytes of device memory through L2.
  virtual void memory_written(uint64_t address, uint64_t bytes) = 0;
};

}  // namespace hpml::sim::timing
