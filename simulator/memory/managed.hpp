#pragma once
// Residency of managed pages, at the 64 KiB leaves to which the driver grows every fault. Functional only: who
// migrates what, and what it costs, is decided by the unified-memory model (timing/host), which owns this table.
#include <cstdint>
#include <vector>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::memory {

inline constexpr uint64_t kLeafBytes = 64 * 1024;

// What a program says about its use of managed memory.
enum class Advice : uint8_t { read_mostly, prefer_host, accessed };  // accessed: by this GPU

class ManagedPages {
 public:
  virtual ~ManagedPages() = default;
  // True when a kernel may access the leaf that contains `address` (of a managed allocation) without a fault.
  bool accessible(uint64_t address, bool is_write) const {
    return (leaf(address) & (is_write ? kWritable : kReadable)) != 0;
  }
  // True when such an access goes to the memory of the host: the leaf is mapped where it is.
  bool over_link(uint64_t address) const { return (leaf(address) & kOverLink) != 0; }
  // A kernel made an access that is not accessible(). Called in execution order; makes it accessible (until a page that
  // the same instruction asks for takes its room).
  virtual void device_fault(uint64_t address, bool is_write) = 0;

 protected:
  enum : uint8_t { kReadable = 1, kWritable = 2, kOverLink = 4 };
  uint64_t base_ = 0;            // of the managed region
  std::vector<uint8_t> access_;  // per leaf of the region

 private:
  uint8_t leaf(uint64_t address) const {
    const uint64_t leaf = (address - base_) / kLeafBytes;
    return leaf < access_.size() ? access_[leaf] : 0;
  }
};

}  // namespace hpml::sim::memory
