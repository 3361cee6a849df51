#pragma once
// Counters of the timing model. Exact address and mask arithmetic is counted by exec (exec/counters.hpp), not here.
#include <array>
#include <cstdint>
#include <string_view>

#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

// One reason per resident warp and cycle, highest priority first (simulator_timing section 11).
enum class Stall : uint8_t {
  drain,
  barrier,
  membar,
  sleeping,
  no_instruction,
  branch_resolving,
  short_scoreboard,
  long_scoreboard,
  wait,
  imc_miss,
  dispatch_stall,
  math_pipe_throttle,
  lg_throttle,
  mio_throttle,
  tex_throttle,
  not_selected,
  selected
};
inline constexpr int kStallCount = static_cast<int>(Stall::selected) + 1;
std::string_view name(Stall stall);

// Of the memory system, in sectors of 32 bytes.
struct TrafficCounters {
  uint64_t l1_sectors = 0, l1_hits = 0;  // global and local, all operations that look L1 up
  std::array<uint64_t, 4> l2_sectors{};  // by MemOp
  uint64_t l2_hits = 0;
  uint64_t dram_read_sectors = 0, dram_write_sectors = 0;
  uint64_t link_read_sectors = 0, link_write_sectors = 0;  // of memory at the other end of the host link
};

struct ModelCounters : TrafficCounters {
  uint64_t issued = 0;  // warp instructions with a machine instruction
  std::array<uint64_t, kPipeCount> pipe_issued{};
  std::array<uint64_t, kStallCount> stall_cycles{};  // warp-cycles; their sum is the resident warp-cycles
  uint64_t issue_active = 0;                         // scheduler-cycles with at least one issue
  uint64_t scheduler_cycles_active = 0;              // scheduler-cycles with at least one resident warp
  uint64_t sm_cycles_active = 0;                     // SM-cycles with at least one resident warp

  void add(const ModelCounters& other);
  void remove(const ModelCounters& other);  // what was added before
  void scale(double factor);                // extrapolation of a sampled launch
};

}  // namespace hpml::sim::timing
