#pragma once
// What one access of a warp adds to the counters of the launch and of its instruction (`own`).
#include <bit>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/counters.hpp"
#include "simulator/exec/source_lines.hpp"
#include "simulator/isa/op.hpp"

namespace hpml::sim::exec {

inline SpaceCounters& counters_of_space(Counters& all, isa::Mem mem, bool local) {
  switch (mem) {
    case isa::Mem::st: return local ? all.local_st : all.global_st;
    case isa::Mem::atom: return all.global_atom;
    case isa::Mem::red: return all.global_red;
    case isa::Mem::ld:
    case isa::Mem::none:
    case isa::Mem::prefetch:
    case isa::Mem::copy_async:
    case isa::Mem::copy_bulk:
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank:
    case isa::Mem::fence: break;
  }
  return local ? all.local_ld : all.global_ld;
}

inline SharedCounters& counters_of_shared(Counters& all, isa::Mem mem) {
  return mem == isa::Mem::ld ? all.shared_ld : mem == isa::Mem::st ? all.shared_st : all.shared_atom;
}

// Sectors of the active lanes' bytes when they lie side by side.
inline uint32_t ideal_sectors(isa::LaneMask active, uint32_t bytes) {
  constexpr uint32_t kSectorBytes = 32;
  return (static_cast<uint32_t>(std::popcount(active)) * bytes + kSectorBytes - 1) / kSectorBytes;
}

inline void count_access(const SectorCount& count, uint32_t ideal, SpaceCounters& counters, AccessCounters& own) {
  counters.requests += 1;
  counters.sectors += static_cast<uint64_t>(count.sectors);
  counters.lines += static_cast<uint64_t>(count.lines);
  counters.bytes += count.bytes;
  own.requests += 1;
  own.parts += static_cast<uint64_t>(count.sectors);
  own.ideal_parts += ideal;
}

inline void count_access(const BankCount& count, SharedCounters& counters, AccessCounters& own) {
  counters.requests += 1;
  counters.wavefronts += static_cast<uint64_t>(count.wavefronts);
  counters.ideal_wavefronts += static_cast<uint64_t>(count.ideal);
  own.requests += 1;
  own.parts += static_cast<uint64_t>(count.wavefronts);
  own.ideal_parts += static_cast<uint64_t>(count.ideal);
}

}  // namespace hpml::sim::exec
