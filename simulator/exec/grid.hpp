#pragma once
// exec::Grid: one launch, functionally. Blocks are started in order, cluster by cluster, warps are stepped one
// instruction at a time by a timing model, or the whole grid (or what is left of it) is run without time by run_rest().
//
//   Grid grid(launch);
//   int b = grid.start_block();                  // next block in order; -1: none left
//   Warp& w = grid.block(b).warp(i);
//   while (w.ready()) { const ir::Inst& next = w.next(); ...; w.step(effects); }
//
// The order of step() calls decides the order of memory effects; everything else is the callee's. Warps of different
// shares (Launch::shares) may be stepped side by side, but for instructions that take turns (ir::Inst::turns);
// the caller keeps their order. With managed memory or an observer nothing may run
// side by side.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/exec/counters.hpp"
#include "simulator/exec/device_calls.hpp"
#include "simulator/exec/effects.hpp"
#include "simulator/exec/observer.hpp"
#include "simulator/exec/source_lines.hpp"
#include "simulator/exec/tensor_sums.hpp"
#include "simulator/exec/touched.hpp"
#include "simulator/ir/kernel.hpp"
#include "simulator/memory/address_space.hpp"
#include "simulator/memory/managed.hpp"

namespace hpml::sim::exec {

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

enum class TrapKind : uint8_t {
  illegal_address,
  misaligned_address,
  invalid_address_space,
  shared_out_of_bounds,
  local_out_of_bounds,
  stack_overflow,
  trap_instruction,
  assertion,
  illegal_instruction,
  invalid_pc,
  timeout,
  deadlock
};
struct Trap {
  TrapKind kind{};
  std::string message;  // one line: what, kernel, source line if known, block, thread, address, nearest allocation
  int lane = -1;        // of the warp that executed last; -1: of none
};

// What the executor asks of the device while running: services that belong to no warp.
struct Services {
  memory::AddressSpace* memory = nullptr;
  memory::ManagedPages* managed = nullptr;                // residency of managed pages; null: no managed memory
  std::function<uint64_t()> clock;                        // SM cycles, for %clock; empty: by Launch::latency
  std::function<uint64_t()> globaltimer_ns;               // empty: the same
  std::function<uint64_t(uint64_t bytes)> device_malloc;  // in-kernel malloc; returns 0 when the heap is full
  std::function<bool(uint64_t address)> device_free;
  Observer* observer = nullptr;  // told what happens; null: nobody
  DeviceCalls* calls = nullptr;  // the device runtime; null: such calls trap
};

struct Launch {
  const ir::Module* module = nullptr;
  int kernel = 0;
  Extent grid, block;
  Extent cluster;  // blocks of a cluster, by axis: divides the grid
  bool explicit_cluster = false;
  uint32_t dynamic_shared = 0;
  std::span<const std::byte> params;
  bool cooperative = false;
  uint64_t cooperative_workspace = 0;  // device address for %envreg1/2; 0 if not cooperative
  int sm_count = 1;                    // for %nsmid
  // Of its warps, that may be stepped side by side: multiprocessor i belongs to share i * shares / sm_count.
  int shares = 1;
  uint32_t stack_bytes = 1024;  // cudaLimitStackSize: per thread, beyond the static frames
  TensorSums tensor_sums;
  // A key that chooses products of bytes by matrix instructions, which count twice (exec/detail/chosen_products.hpp).
  std::optional<uint64_t> chosen_products;
  // For %clock and %globaltimer where Services has no clock: cycles that a warp takes for an instruction of each class,
  // one after the other. All 0: the clocks count warp instructions.
  std::array<uint32_t, isa::kLatCount> latency = {};
  double start_ns = 0, ns_per_cycle = 1;
  // An access outside of every allocation, in a page that holds one, passes as on hardware; else it traps.
  bool page_bounds = false;
  uint64_t max_warp_instructions = 0;  // 0 = no limit
  std::function<bool()> out_of_time;   // asked every few million instructions; true = timeout
};

class Grid;
class Block;

class Warp {
 public:
  virtual ~Warp() = default;
  virtual bool finished() const = 0;
  virtual bool at_barrier() const = 0;  // waits for other warps of the block
  bool ready() const { return !finished() && !at_barrier(); }
  virtual const ir::Inst& next() const = 0;     // the instruction step() will execute; precondition: ready()
  virtual isa::LaneMask next_mask() const = 0;  // lanes at that instruction
  virtual void step(Effects& effects) = 0;      // executes one instruction of one group of lanes; precondition: ready()
  // Executes up to `budget` instructions without time; returns how many. Fewer: it has finished, waits at a barrier,
  // was trapped, or its lanes wait in a loop (then it is still ready()). `sink`, if there is one, hears of its accesses
  // to global and local memory; those of matrices, images and bulk copies are left out.
  virtual uint64_t run(uint64_t budget, AccessSink* sink) = 0;
  virtual int index() const = 0;  // within the block
};

class Block {
 public:
  virtual ~Block() = default;
  virtual int warp_count() const = 0;
  virtual Warp& warp(int index) = 0;
  virtual bool finished() const = 0;
  virtual uint64_t id() const = 0;  // linear block id, x fastest
  // The barrier on which the last step() released waiting warps: a bit per warp index that became ready. Cleared by the
  // call.
  virtual uint64_t take_released() = 0;
};

class Grid {
 public:
  static std::unique_ptr<Grid> create(const Launch& launch, const Services& services);
  virtual ~Grid() = default;

  virtual uint64_t block_count() const = 0;
  virtual unsigned shares() const = 0;  // Launch::shares
  virtual uint64_t blocks_started() const = 0;
  virtual uint64_t blocks_finished() const = 0;
  // Makes the next block resident on SM `sm`; returns its handle (reused after retire), -1 when all have been started.
  // Whoever starts the first block of a cluster starts the others, too, before any of them steps.
  virtual int start_block(int sm) = 0;
  virtual uint32_t cluster_blocks() const { return 1; }  // in every cluster
  virtual Block& block(int handle) = 0;
  virtual void retire(int handle) = 0;  // precondition: finished

  // Blocks whose cluster barrier has opened since the call before, and their warps that waited there (a bit per index).
  // Clusters of one block are not told apart: take_released() has them.
  struct ClusterPassed {
    int handle = -1;
    uint64_t warps = 0;
  };
  virtual std::vector<ClusterPassed> take_cluster_passed() { return {}; }

  // Ends the launch with a trap once it has executed more, or taken longer, than it may. Whoever steps warps asks now
  // and then.
  virtual void check_limits() = 0;

  // Runs everything that is left, resident blocks first, without time, until the grid is done or trapped.
  virtual void run_rest() = 0;

  virtual const std::optional<Trap>& trap() const = 0;
  // The first access that passed by Launch::page_bounds alone, as its trap would have said it; empty: none has.
  virtual std::string stray_access() const = 0;
  virtual const Counters& counters() const = 0;
  // What the clocks by Launch::latency have come to, in the warp that took longest; 0: no kernel code reads a clock.
  virtual uint64_t longest_warp_cycles() const = 0;
  virtual const Touched& touched() const = 0;
  // By file, line, space and kind, in this order; instructions without a known line are left out.
  virtual std::vector<LineAccess> line_accesses() const = 0;
  // Device printf and assert text so far, in execution order; cleared by the call.
  virtual std::string take_output() = 0;
  virtual std::string take_assertions() = 0;  // what failed ones say, which goes to stderr
  // "block 3: warp 0 at k.cu:12 (k.ptx:40) waits at barrier 0 ..." for deadlock reports.
  virtual std::string describe_waiting() const = 0;
  // Tells the observer, if there is one, who waits where: for a caller that finds that nothing can go on.
  virtual void report_deadlock() = 0;
};

}  // namespace hpml::sim::exec
