#pragma once
// Effects: everything the timing model may know about one executed warp instruction. Function knows nothing of time.
#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

inline constexpr uint32_t kConstantLineBytes = 64;  // of the first cache of constant memory, on every GPU

// One warp-wide memory access, by address arithmetic alone (simulator_timing section 4.1, 4.2).
struct Access {
  isa::Space space = isa::Space::global;  // resolved: generic addresses are already sorted into their window
  bool is_store = false, is_atomic = false, is_load = false;
  uint8_t bytes = 0;  // per lane, vector included
  isa::Cache cache = isa::Cache::none;
  isa::LaneMask active = 0;
  isa::LaneMask remote = 0;  // shared: those that go to another block of the cluster
  // global: device address; shared: offset in the block's memory; local: of the interleaved physical layout
  std::array<uint64_t, 32> address;
  // Global and local: distinct 32-byte sectors, grouped by 128-byte line, in ascending lane order of first touch.
  // Constant: distinct lines of kConstantLineBytes, without sectors.
  struct Line {
    uint64_t line = 0;    // address / 128 (local memory: of the interleaved physical layout)
    uint8_t sectors = 0;  // bit i: sector i of the line is touched
  };
  std::array<Line, 64> lines;
  int line_count = 0;
  int sector_count = 0;
  // Shared, and global loads of several lines: passes through the 32 banks (1 = no conflict); shared: the least this
  // width allows. Constant: distinct addresses, one pass each.
  int wavefronts = 0, ideal_wavefronts = 0;
  // Atomics: the largest number of lanes on one address.
  int same_address = 1;
};

enum class Outcome : uint8_t {
  executed,  // went on to the next instruction or a branch target
  barrier,   // arrived at a block barrier and waits
  yielded,   // waits for other lanes of the warp; another group of the warp goes on
  finished,  // the last lane of the warp exited
  trapped    // Grid::trap() says why
};

// What an instruction means for the asynchronous copies of its warp.
enum class CopyStep : uint8_t {
  none,
  copy,     // starts one: `access` is its read; it is in the group that the next commit closes
  commit,   // closes a group
  arrival,  // `mbarrier` waits for those that the warp has started
  awaited   // a phase of `mbarrier` is over: what it has waited for must have arrived
};

// Global memory that a bulk copy reads or writes.
struct BulkRange {
  enum class Op : uint8_t { read, write, reduce };
  Op op = Op::read;
  uint64_t address = 0, bytes = 0;      // multiples of 16
  const std::byte* mbarrier = nullptr;  // read: the object that waits for it
};

struct Effects {
  const ir::Inst* inst = nullptr;
  const ir::Function* function = nullptr;
  isa::LaneMask active = 0;       // lanes that executed it (guard applied)
  isa::LaneMask group = 0;        // lanes at this pc
  isa::Lat lat = isa::Lat::none;  // the class with the space resolved (generic ld of shared memory: ld_shared)
  Outcome outcome = Outcome::executed;
  bool branch_taken = false;  // the next pc is not pc + 1
  bool diverged = false;
  bool has_access = false;
  CopyStep copy = CopyStep::none;
  const std::byte* mbarrier = nullptr;  // of CopyStep::arrival and awaited: which object, wherever it lies
  Access access;                        // valid when has_access
  std::array<BulkRange, 32> ranges;
  int range_count = 0;
  // Managed pages this instruction touched that are not on the GPU: first byte of each 64 KiB leaf.
  std::array<uint64_t, 32> faults;
  int fault_count = 0;
  uint32_t sleep_ns = 0;  // nanosleep
  int barrier_id = -1;
};

// Told of every access that a warp makes while it runs without time.
class AccessSink {
 public:
  virtual ~AccessSink() = default;
  virtual void accessed(const Effects& effects) = 0;
};

}  // namespace hpml::sim::exec
