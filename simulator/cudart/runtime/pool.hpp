#pragma once
// Memory pools of cudaMallocAsync. They account for memory; where it lies is the address space's business.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

namespace hpml::sim::cudart {

struct MemPool {                                          // cudaMemPool_t is the address of one
  static constexpr uint64_t kChunk = uint64_t{32} << 20;  // by which a pool grows

  int ordinal = 0;  // of its device
  bool reuse_follow_event_dependencies = true, reuse_opportunistic = true, reuse_internal_dependencies = true;
  uint64_t release_threshold = 0;
  uint64_t reserved = 0, reserved_high = 0, used = 0, used_high = 0;
  uint64_t max_bytes = 0;                    // 0: what the device has
  bool shareable = false;                    // with other processes
  int file = -1;                             // of the process that shares it: this pool has memory of that one only
  std::set<int> readers;                     // other devices that may use its memory
  std::map<uint64_t, uint64_t> allocations;  // address -> bytes

  void allocated(uint64_t address, uint64_t bytes) {
    allocations[address] = bytes;
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, round_up(used));
    reserved_high = std::max(reserved_high, reserved);
  }
  void freed(uint64_t address) {
    used -= allocations[address];
    allocations.erase(address);
  }
  // Gives back what is above `keep`, as far as it is not in use.
  void trim(uint64_t keep) { reserved = std::min(reserved, std::max(round_up(used), round_up(keep))); }
  // At a synchronisation: more than the threshold is given back.
  void synchronized() { trim(release_threshold); }

 private:
  static uint64_t round_up(uint64_t bytes) {
    return bytes > UINT64_MAX - kChunk ? UINT64_MAX : (bytes + kChunk - 1) / kChunk * kChunk;
  }
};

}  // namespace hpml::sim::cudart
