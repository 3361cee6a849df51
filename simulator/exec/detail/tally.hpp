#pragma once
// What the warps of one share of a launch count and remember while they run: shares run side by side, and nobody waits
// for another to count. The launch's figures are sums and unions, which do not depend on how many shares there are.
#include <vector>

#include "simulator/exec/counters.hpp"
#include "simulator/exec/detail/matrix_layout.hpp"
#include "simulator/exec/effects.hpp"
#include "simulator/exec/source_lines.hpp"
#include "simulator/exec/touched.hpp"
#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

// Where the last access of one instruction went: most accesses of a loop stay in one allocation.
struct RegionHint {
  uint64_t begin = 1, end = 0;  // empty
  const std::byte* view = nullptr;
  bool managed = false;
};

// How often one instruction ran; counters and per-line reports are sums of these.
struct PcProfile {
  uint64_t warps = 0, threads = 0, threads_on = 0;
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
  AccessSite& site(int function, ir::Pc pc) {
    const uint32_t index = site_index[static_cast<size_t>(function)][pc];
    return index != 0 ? sites[index - 1] : new_site(function, pc);
  }
  AccessSite& new_site(int function, ir::Pc pc);
  // All of the counters: those that follow from the profile, too.
  Counters sum(const ir::Module& module) const;

  std::vector<std::vector<PcProfile>> profile;  // [function][pc]
  std::vector<std::vector<RegionHint>> hints;
  RegionHint observed_region;  // in place of the hints while somebody watches: no access may skip the observer
  std::vector<std::vector<uint32_t>> site_index;  // [function][pc]: in sites, from 1; 0: no access yet
  std::vector<AccessSite> sites;
  Counters counters;  // those of accesses and products
  Touched touched;
  Effects heard;  // of the access that a sink is told of
  FragmentMaps fragments;
  uint64_t executed = 0;  // warp instructions, for limits and clocks
};

}  // namespace hpml::sim::exec
