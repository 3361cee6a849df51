#pragma once
// What a watcher of a running grid is told: every access before it happens, barriers, warp-wide synchronisation. The
// check tools (sanitize) are one. Without a watcher nothing here costs anything: an instruction takes its quick way
// through an allocation only after the slow way has met it, and the slow way asks.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

// One warp-wide access.
struct ObservedAccess {
  const ir::Function* function = nullptr;
  const ir::Inst* at = nullptr;    // the instruction, an element of function->code
  const ir::Inst* inst = nullptr;  // what is accessed and how: the same, or one access of an instruction with several
  int block = 0;                   // handle
  int owner = 0;  // of the block whose shared memory it is: the same, or another one of the cluster; -1: of none
  int warp = 0;
  isa::Space space = isa::Space::global;  // resolved: global, shared or local
  isa::LaneMask active = 0;
  uint32_t bytes = 0;                           // per lane
  const uint64_t* address = nullptr;            // [32]; shared, local: offset in the block's / thread's memory
  std::span<const std::byte> shared;            // of the owner, before the access
  uint64_t local_bytes = 0;                     // per thread
  std::array<const std::byte*, 4> stored = {};  // st: lane values of element i
  uint32_t stored_bytes = 0;                    // from one lane's value to the next
};

struct ObservedBlock {
  int handle = 0;  // reused after the block has retired
  std::array<uint32_t, 3> ctaid = {};
  int warps = 0;
  uint32_t threads = 0;
  uint32_t shared_bytes = 0;
};

// Lanes of one warp at one instruction.
struct ObservedGroup {
  const ir::Function* function = nullptr;
  const ir::Inst* inst = nullptr;
  int block = 0, warp = 0;
  isa::LaneMask lanes = 0;    // at the instruction
  isa::LaneMask live = 0;     // of the warp: have not exited
  int barrier = -1;           // the block barrier they wait at; 16: the cluster's; -1: other lanes of the warp
  isa::LaneMask members = 0;  // of the warp-wide instruction they wait at
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Whether accesses outside of every allocation pass as they do without an observer (Launch::page_bounds).
  virtual bool lenient() const { return false; }
  virtual void block_started(const ObservedBlock& block) = 0;
  // Returns the lanes that may go on: the others read zero and write nothing, and the launch ends with the fault that
  // the first of them would have been. A lane that would fault and is let through ends the launch at once.
  virtual isa::LaneMask access(const ObservedAccess& access) = 0;
  // The device run time wrote these bytes itself.
  virtual void written(int block, isa::Space space, uint64_t address, uint64_t bytes) = 0;
  // A warp arrives at a barrier of its block; `counted`: the instruction gives a number of threads. `waits`: not
  // bar.arrive.
  virtual void barrier_arrived(const ObservedGroup& group, uint32_t threads, bool counted, bool waits) = 0;
  // The barrier opens; the groups that waited at it have not moved yet.
  virtual void barrier_opens(int block, int barrier, std::span<const ObservedGroup> waited, bool counted) = 0;
  // Lanes execute a warp-wide instruction together; masks: what each of them names as members. Several groups when they
  // came from different instructions.
  virtual void warp_synced(std::span<const ObservedGroup> groups, isa::LaneMask together,
                           const std::array<isa::LaneMask, 32>& masks) = 0;
  // Nothing can go on any more.
  virtual void deadlocked(std::span<const ObservedGroup> waiting) = 0;
};

}  // namespace hpml::sim::exec
