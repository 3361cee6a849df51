#pragma once
// Everything that a warp's memory access needs to know about its 32 lane addresses, found in one pass over them.
#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/exec/access_counts.hpp"
#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

struct AddressPass {
  uint64_t low = 0, high = 0, bits = 0;  // lowest, highest, OR of all
  uint64_t off_row = 0;                  // not 0: some lane is not at the first lane's address + lane * bytes

  bool uniform() const { return low == high; }
  bool consecutive() const { return off_row == 0; }
  AddressRange range() const { return {low, high, bits}; }
};

// Writes base[lane] + offset of `lanes` (not 0) to `out`; the other lanes get the address of the first of `lanes`.
AddressPass pass_addresses(const uint64_t* base, uint64_t offset, isa::LaneMask lanes, uint64_t bytes, uint64_t* out);
AddressPass pass_addresses(const uint32_t* base, uint32_t offset, isa::LaneMask lanes, uint64_t bytes, uint64_t* out);

// Local memory: turns offsets within each thread's memory, multiples of `bytes`, into addresses in the machine, where
// the elements of 32 lanes lie side by side, and says where the offsets are in ours: thread after thread,
// `thread_bytes` each. Lanes beyond `lanes` get the address of the first of `lanes`. Returns the range of the
// addresses.
AddressRange spread_local(uint64_t* address, isa::LaneMask lanes, uint64_t thread_bytes, uint64_t bytes,
                          uint64_t* place);

// Sectors, lines and bytes of the access, from its pass: `address` as the pass wrote it, aligned to `bytes`.
SectorCount count_sectors(const AddressPass& pass, const uint64_t* address, isa::LaneMask lanes, uint32_t bytes);

// Distinct elements, sectors and lines of the addresses of `lanes` in any order, all less than kDistinctSpan above
// `low`.
struct DistinctCount {
  int elements = 0, sectors = 0, lines = 0;
};
inline constexpr uint64_t kDistinctSpan = UINT32_MAX - 256;
DistinctCount count_distinct(const uint64_t* address, isa::LaneMask lanes, uint64_t low);

}  // namespace hpml::sim::exec
