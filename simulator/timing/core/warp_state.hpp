#pragma once
// What an SM knows about a resident warp. Plain data, one entry per warp slot.
#include <cstddef>
#include <vector>

#include "simulator/exec/grid.hpp"
#include "simulator/timing/clock/cycle.hpp"
#include "simulator/timing/counters.hpp"

namespace hpml::sim::timing {

// When a register can be read: (cycle << 2 | kind), or kPending | load << 2 | kind while a load has not returned.
// The order of the numbers is the order of waiting: the largest of several is what an instruction waits for.
using RegReady = uint64_t;
inline constexpr RegReady kPending = uint64_t{1} << 63;
enum class Wait : uint8_t { fixed = 0, short_ = 1, long_ = 2 };  // which stall reason a wait counts as

constexpr RegReady reg_ready(Cycle when, Wait kind) { return when.value << 2 | static_cast<uint64_t>(kind); }
constexpr RegReady reg_pending(uint32_t load, Wait kind) {
  return kPending | uint64_t{load} << 2 | static_cast<uint64_t>(kind);
}
constexpr bool is_pending(RegReady r) { return (r & kPending) != 0; }
constexpr Cycle ready_cycle(RegReady r) { return is_pending(r) ? kNever : Cycle{r >> 2}; }
constexpr Wait wait_kind(RegReady r) { return static_cast<Wait>(r & 3); }
constexpr uint32_t load_of(RegReady pending) { return static_cast<uint32_t>((pending & ~kPending) >> 2); }
constexpr bool same_load(RegReady r, uint32_t load) { return (r & ~RegReady{3}) == (kPending | uint64_t{load} << 2); }

// A copy under way that an mbarrier object waits for.
struct BarrierCopy {
  const std::byte* mbarrier = nullptr;
  uint32_t load = 0;
  uint64_t order = 0;    // of those of this SM
  Cycle ready = kNever;  // known once the load has returned
};

// An asynchronous copy under way: the load that brings its data, and the group that it is committed in.
struct CopyInFlight {
  uint32_t load = 0, group = 0;
  Cycle ready = kNever;  // known once the load has returned
};

// A load that has not returned, and an instruction whose registers wait for it: the load itself, or one that copies
// what it brings.
struct LoadInFlight {
  uint32_t load = 0;
  const ir::Inst* inst = nullptr;
};

struct WarpState {
  enum class Phase : uint8_t { empty, running, barrier };
  Phase phase = Phase::empty;
  Stall hold_reason = Stall::wait;
  exec::Warp* warp = nullptr;
  const ir::Inst* next = nullptr;
  Cycle hold_until;                 // start, branch, memory fence, barrier release, sleep
  RegReady needs = 0;               // latest operand of `next`
  RegReady gate = 0;                // what every instruction waits for: an atomic of the whole warp
  uint64_t age = 0;                 // launch order on this SM, from 1: larger is younger
  uint64_t issued = 0;              // instructions since Sm::take_pace()
  int block = -1;                   // block slot of the SM
  std::vector<RegReady> registers;  // by virtual register number
  std::vector<LoadInFlight> loads;
  std::vector<CopyInFlight> copies;
  uint32_t open_group = 0;  // of the copies not yet committed
  const std::byte* mbarrier =
      nullptr;  // a phase of it is over for this warp, once the copies before `awaits` are there
  uint64_t awaits = 0;
};

}  // namespace hpml::sim::timing
