#pragma once
// The coalescer's and the shared-memory banks' arithmetic: exact, and the same in every mode.
#include <cstdint>

#include "simulator/exec/effects.hpp"

namespace hpml::sim::exec {

// Lowest and highest of some addresses, and the OR of all.
struct AddressRange {
  uint64_t low = 0, high = 0, bits = 0;
};

struct SectorCount {
  int sectors = 0;     // distinct 32-byte sectors
  int lines = 0;       // distinct 128-byte lines
  uint32_t bytes = 0;  // distinct bytes
};
// `address`: 32 lane addresses, those of `active` count; each access is `bytes` wide and lies within one sector.
SectorCount count_sectors(const uint64_t* address, isa::LaneMask active, uint32_t bytes);
// The same, sooner; `range` is that of the active lanes.
SectorCount count_sectors(const uint64_t* address, isa::LaneMask active, uint32_t bytes, const AddressRange& range);
// Fills lines, line_count and sector_count: each line once, in the order of the lanes that touch it first.
void list_lines(const uint64_t* address, isa::LaneMask active, Access& out);

struct BankCount {
  int wavefronts = 0;  // passes: the most distinct words in one bank, per group of lanes, summed over the groups
  int ideal = 0;       // passes this width needs without conflicts
};
// 32 banks of 4 bytes; 8-byte accesses go in two half-warp groups, 16-byte ones in four quarter-warp groups, a group
// without active lanes costs nothing (simulator_timing section 4.2). `range`: of the active lanes.
BankCount count_banks(const uint64_t* offset, isa::LaneMask active, uint32_t bytes, const AddressRange& range);

}  // namespace hpml::sim::exec
