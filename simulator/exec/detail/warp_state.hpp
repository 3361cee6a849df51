#pragma once
// Control state of a warp: groups of lanes with one pc each, and the splits at which diverged groups meet again.
//
// A divergent branch makes a Split {reconvergence pc, lanes that must arrive} and two groups. A group that reaches the
// reconvergence pc of its innermost split parks there; when every lane of the split that has not exited is parked, they
// go on as one group. Any group that is not parked or waiting may run, so lanes of one warp make progress
// independently (Volta and later), while the default order, newest group first, executes structured code exactly as a
// post-dominator stack would.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/exec/detail/lane_storage.hpp"
#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

using ir::Pc;
using isa::LaneMask;

// One activation of a function by a group of lanes (and by the groups it splits into).
struct Frame {
  const ir::Function* function = nullptr;
  int function_index = 0;
  std::byte* regs = nullptr;  // storage.data()
  LaneStorage storage;        // frame_bytes
  Frame* caller = nullptr;
  const ir::CallSite* site = nullptr;                 // in the caller
  Pc return_pc = 0;                                   // in the caller
  uint32_t local_base = 0;                            // of this frame in local memory
  std::array<uint32_t, isa::kWarpSize> dynamic = {};  // bytes of stack above the frame, where the function grows it
  LaneMask live = 0;                                  // lanes that have neither returned nor exited
};

// How long lanes have been in loops, in backward branches taken: by this, those that wait there are noticed (spin.cpp).
struct Patience {
  uint32_t spins = 0;  // backward branches taken
  uint32_t turn = 0;   // `spins` when the group last gave way
  uint32_t look = 32;  // `spins` at which to look whether the loop waits
  uint32_t naps = 0;   // nanosleeps since lanes parked behind a loop were let go
};

struct Split {
  Pc reconverge = ir::kNoPc;
  const Frame* frame = nullptr;  // the meeting point is (frame, reconverge)
  LaneMask pending = 0;          // must still arrive
  LaneMask arrived = 0;
  int parent = -1;
  bool in_use = false;
  bool broken = false;  // nobody waits here any more (spin.cpp)
  Patience patience;    // of the group that arrived with the longest: a call in a loop, or a branch, does not end it
};

enum class Wait : uint8_t { none, block_barrier, warp_sync };

struct Group {
  Pc pc = 0;
  LaneMask mask = 0;
  Frame* frame = nullptr;
  int split = -1;  // innermost split these lanes must arrive at
  Wait wait = Wait::none;
  LaneMask sync_mask = 0;        // warp_sync: members waited for
  LaneMask sync_active = 0;      // warp_sync: lanes that execute the instruction
  uint32_t barrier_threads = 0;  // block_barrier: how many the instruction names; 0: all of the block
  Patience patience;
};

}  // namespace hpml::sim::exec
