#pragma once
// What the warps of one share of a launch count and remember while they run: shares run side by side, and nobody waits
// for another to count. The launch's figures are sums and unions, which do not depend on how many shares there are.
#include <deque>
#include <vector>

#include "simulator/exec/counters.hpp"
#include "simulator/exec/detail/access_shape.hpp"
#include "simulator/exec/detail/matrix_layout.hpp"
#include "simulator/exec/effects.hpp"
#include "simulator/exec/source_lines.hpp"
#include "simulator/exec/touched.hpp"
#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

// The way that an instruction's accesses take (fast_access.cpp).
enum class Route : uint8_t { unknown, general, global, shared, local };

// A load or store of a full warp in rows (row_access.cpp): false when it is not one now, and nothing has happened.
struct MemorySite;
struct RowMemory {  // of the block: shared memory; registers and constants of the warp
  std::byte* regs = nullptr;
  const std::byte* consts = nullptr;
  std::byte* shared = nullptr;
  uint64_t shared_bytes = 0;
};
using RowFn = bool (*)(const ir::Inst& inst, MemorySite& site, const RowMemory& memory);

// What is known of one instruction's accesses: where the last one went, because most accesses of a loop stay in one
// allocation, and how to do and count the next.
struct MemorySite {
  uint64_t begin = 1, end = 0;  // empty
  const std::byte* view = nullptr;
  AccessCounters* counters = nullptr;  // of the route's space; null: no access has taken the short way yet
  AccessShape* shape = nullptr;        // null: none yet
  union {                              // of the launch, for the instruction's kind: of counters' space
    SpaceCounters* space = nullptr;
    SharedCounters* shared;
  } total;
  Route route = Route::unknown;
  bool managed = false;
  RowFn row = nullptr;  // the shortest way, while shape and counters are known and not managed; null: not now
  void set_region(const memory::Allocation& allocation, bool moves) {
    begin = allocation.base;
    end = allocation.end();
    view = allocation.view;
    managed = moves;
    row = nullptr;
  }
};

// How often one instruction ran, as differences: what ran from one instruction up to (and without) another one is
// counted where it begins and, negative, where it ends; the counts of an instruction are the sums up to it.
struct PcProfile {
  uint64_t warps = 0, threads = 0;  // modulo 2^64
  uint64_t threads_off = 0;         // lanes whose guard was false: no difference, a count
  void enter(unsigned lanes) {
    ++warps;
    threads += lanes;
  }
  void leave(unsigned lanes) {
    --warps;
    threads -= lanes;
  }
};

// Accesses of one instruction; most have one space, cp.async and generic addresses several.
struct AccessSite {
  int function = 0;
  ir::Pc pc = 0;
  AccessCounters global, shared, local;
  AccessCounters& operator[](isa::Space space) {
    return space == isa::Space::shared ? shared : space == isa::Space::local ? local : global;
  }
  const AccessCounters& operator[](isa::Space space) const { return const_cast<AccessSite&>(*this)[space]; }
};

struct alignas(64) Tally {  // no two on one cache line
  explicit Tally(const ir::Module& module);
  AccessSite& site(int function, ir::Pc pc) { return sites[site_number(function, pc) - 1]; }
  uint32_t site_number(int function, ir::Pc pc) {  // from 1
    uint32_t& index = site_index[static_cast<size_t>(function)][pc];
    return index != 0 ? index : index = new_site(function, pc);
  }
  uint32_t new_site(int function, ir::Pc pc);
  // All of the counters: those that follow from the profile, too.
  Counters sum(const ir::Module& module) const;

  std::vector<std::vector<PcProfile>> profile;  // [function][pc], and one behind the last
  std::vector<std::vector<MemorySite>> memory;  // [function][pc]
  MemorySite observed_region;  // in place of these while somebody watches: no access may skip the observer
  std::vector<std::vector<uint32_t>> site_index;  // [function][pc]: in sites, from 1; 0: no access yet
  std::deque<AccessSite> sites;                   // a deque keeps them in place: MemorySite points to them
  std::deque<AccessShape> shapes;                 // likewise
  Counters counters;                              // those of accesses and products
  Touched touched;
  Effects heard;  // of the access that a sink is told of
  FragmentMaps fragments;
  uint64_t executed = 0;  // warp instructions, for limits and clocks
};

}  // namespace hpml::sim::exec
