#pragma once
// Small loops over 32 lanes that the instruction loop cannot afford to run scalar.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "simulator/exec/access_counts.hpp"
#include "simulator/isa/types.hpp"

// Compiled once per vector ISA and chosen at load time; sanitizers run before such choices can be made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(HPML_SANITIZED) && defined(__OPTIMIZE__) && \
    !defined(__clang__)
#define HPML_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HPML_VECTOR_CLONES
#endif

namespace hpml::sim::exec {

// Exactly one lane, given that there is one. (std::has_single_bit counts bits: a function call on the baseline.)
inline bool single_lane(isa::LaneMask mask) { return (mask & (mask - 1)) == 0; }

// Number of lanes: the usual case at once, the others by sums of neighbouring bits (Warren, Hacker's Delight, 5-1),
// because std::popcount is a function call on the portable baseline, which has no such instruction.
inline unsigned lane_count(isa::LaneMask mask) {
  if (mask == isa::kFullMask) {
    return 32;
  }
  mask -= mask >> 1 & 0x5555'5555u;
  mask = (mask & 0x3333'3333u) + (mask >> 2 & 0x3333'3333u);
  return ((mask + (mask >> 4)) & 0x0f0f'0f0fu) * 0x0101'0101u >> 24;
}

// Are base[1..31] = base[0] + lane * bytes?
bool consecutive(const uint64_t* base, uint64_t bytes);
bool consecutive(const std::byte* const* place, uint64_t bytes);

// The addresses of one access, by lane, with their range, which is worked out once for all who ask.
class LaneAddresses {
 public:
  uint64_t operator[](size_t lane) const { return value_[lane]; }
  const std::array<uint64_t, 32>& values() const { return value_; }
  void set(size_t lane, uint64_t address) {
    value_[lane] = address;
    measured_ = 0;
  }
  void fill(uint64_t address) {
    value_.fill(address);
    range_ = {address, address, address};
    measured_ = isa::kFullMask;
  }
  // base[lane] + offset of `lanes`, of which there is one; the others get that of the first.
  void set(const uint64_t* base, uint64_t offset, isa::LaneMask lanes);
  void set(const uint32_t* base, uint32_t offset, isa::LaneMask lanes);  // modulo 2^32
  // For callers that fill in the addresses themselves, and what they have measured of those of `lanes`.
  uint64_t* data() { return value_.data(); }
  void measured(const AddressRange& range, isa::LaneMask lanes) {
    range_ = range;
    measured_ = lanes;
  }
  // Of `lanes`, of which there is one. Valid until an address changes.
  const AddressRange& range(isa::LaneMask lanes);

 private:
  alignas(64) std::array<uint64_t, 32> value_;
  AddressRange range_;
  isa::LaneMask measured_ = 0;  // the lanes of range_
};

}  // namespace hpml::sim::exec
