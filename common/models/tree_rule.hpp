#pragma once
// The driver's density prefetcher (NVIDIA open kernel modules, defaults): which pages of a 2 MiB block a fault brings.
// Works on the 32 leaves of 64 KiB to which every fault is first grown.
#include <cstdint>
#include <vector>

namespace hpml::models {

struct TreeBlock {
  uint32_t resident = 0;      // bit i: leaf i is here
  uint32_t leaf_count = 32;   // leaves of the block inside the allocation
  uint32_t page_count = 512;  // 4 KiB pages of the block inside the allocation
};

// Leaves to migrate for faults on the leaves `faulted` (not resident): the faulted leaves themselves, and for each the
// largest span of 128 KiB to 2 MiB around it of which more than threshold percent of the pages are resident or now
// requested. Resident leaves are not in the result.
uint32_t tree_rule(const TreeBlock& block, uint32_t faulted, uint32_t threshold_percent);

// Pages of a leaf inside the allocation (the last leaf may be cut).
uint32_t pages_of_leaf(const TreeBlock& block, uint32_t leaf);

// Sizes in KiB of the migrations when a program touches an allocation of `bytes` from its first byte to its last.
std::vector<uint64_t> sequential_migrations_kib(uint64_t bytes, uint32_t threshold_percent);

}  // namespace hpml::models
