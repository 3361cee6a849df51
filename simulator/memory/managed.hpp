#pragma once
// Residency of managed pages, at the 64 KiB leaves to which the driver grows every fault. Functional only: who
// migrates what, and what it costs, is decided by the unified-memory model (timing/host), which owns this table.
#include <cstdint>
#include <vector>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::memory {

inline constexpr uint64_t kLeafBytes = 64 * 1024;

class ManagedPages {
 public:
  virtual ~ManagedPages() = default;
  // True when the leaf that contains `address` (of a managed allocation) is on the GPU.
  bool on_device(uint64_t address) const {
    const uint64_t leaf = (address - base_) / kLeafBytes;
    return leaf < on_device_.size() && on_device_[leaf] != 0;
  }
  // A kernel touched a leaf that is not on the device. Called at most once per leaf and warp instruction, in execution
  // order; must make the leaf resident (on_device() is true afterwards).
  virtual void device_fault(uint64_t address, bool is_write) = 0;

 protected:
  uint64_t base_ = 0;               // of the managed region
  std::vector<uint8_t> on_device_;  // per leaf of the region
};

}  // namespace hpml::sim::memory
