#pragma once
// Small loops over 32 lanes that the instruction loop cannot afford to run scalar.
#include <bit>
#include <cstdint>

#include "simulator/isa/types.hpp"

// Compiled once per vector ISA and chosen at load time; sanitizers run before such choices can be made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && defined(__OPTIMIZE__) && \
    !defined(__clang__)
#define HPML_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HPML_VECTOR_CLONES
#endif

namespace hpml::sim::exec {

// Exactly one lane, given that there is one. (std::has_single_bit counts bits: a function call on the baseline.)
inline bool single_lane(isa::LaneMask mask) { return (mask & (mask - 1)) == 0; }

// Number of lanes, not zero; the two usual cases without counting (the portable baseline has no popcount instruction).
inline unsigned lane_count(isa::LaneMask mask) {
  return mask == isa::kFullMask ? 32u : single_lane(mask) ? 1u : static_cast<unsigned>(std::popcount(mask));
}

// Are base[1..31] = base[0] + lane * bytes?
bool consecutive(const uint64_t* base, uint64_t bytes);

// Lowest and highest of 32 addresses, and the OR of all: inactive lanes must repeat an active one.
struct AddressRange {
  uint64_t low = 0, high = 0, bits = 0;
};
AddressRange address_range(const uint64_t* address);

}  // namespace hpml::sim::exec
