#pragma once
// Managed memory of CC >= 6.0: pages move on faults, in groups, by the driver's tree rule (simulator_timing section 9).
// Owns the residency table that exec asks. Order of calls decides everything; no time is read.
#include <functional>
#include <map>
#include <vector>

#include "common/models/tree_rule.hpp"
#include "simulator/memory/managed.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

using models::TreeBlock;

struct UnifiedCounters {
  uint64_t fault_groups = 0;  // GPU page-fault groups
  uint64_t gpu_faults = 0;    // faulted leaves
  uint64_t host_to_device_copies = 0, device_to_host_copies = 0;
  uint64_t host_to_device_bytes = 0, device_to_host_bytes = 0;
  uint64_t cpu_faults = 0;
  double fault_us = 0;                                  // service of the groups, transfers included
  double host_to_device_us = 0, device_to_host_us = 0;  // transfers alone
  double cpu_fault_us = 0;
};

class UnifiedMemory final : public memory::ManagedPages {
 public:
  // base, bytes: the managed region of the address space.
  UnifiedMemory(const GpuSpec& spec, uint64_t base, uint64_t bytes);

  void allocated(uint64_t address, uint64_t bytes);
  void freed(uint64_t address);

  // --- kernels -------------------------------------------------------------------------------------------------------
  // `progress`: warp instructions executed so far; `warps`: how many are resident at a time. A group is what the driver
  // finds when it looks: the faults that came before each resident warp went on by kGroupSteps instructions.
  void begin_kernel(std::function<uint64_t()> progress, uint64_t warps = 1);
  void device_fault(uint64_t address, bool is_write) override;
  // Closes the last group. Returns the microseconds the kernel's faults took since begin_kernel().
  double end_kernel();

  // --- host ----------------------------------------------------------------------------------------------------------
  // The CPU touches a byte that may be on the GPU or nowhere yet: the pages around it move to the CPU by the same rule.
  // Returns the leaves [first, last) that are on the CPU now, as a byte range, so that the caller can open its pages.
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  Range host_fault(uint64_t address, bool is_write);
  bool on_host(uint64_t address) const;
  double take_host_fault_us();  // cost of host faults since the last call

  // cudaMemPrefetchAsync: bulk transfer without faults. Returns microseconds.
  double prefetch(uint64_t address, uint64_t bytes, bool to_device);

  const UnifiedCounters& counters() const { return counters_; }

  static constexpr uint64_t kGroupSteps =
      8;  // fit: RTX 8000 vector add, one thread per element, 9, 50, 100, 1,029 groups
  static constexpr uint64_t kLeastWindow = 64;  // instructions: the driver's latency, when few warps run

 private:
  struct Leaves {
    uint32_t device = 0;  // resident on the GPU
    uint32_t host = 0;    // resident on the CPU
  };
  struct Allocation {
    uint64_t base = 0, bytes = 0;
    std::vector<Leaves> blocks;  // per 2 MiB
  };
  struct Place {
    Allocation* allocation = nullptr;
    size_t block = 0;
    uint32_t leaf = 0;
  };
  Place locate(uint64_t address);
  const Allocation* find(uint64_t address) const;
  static TreeBlock shape(const Allocation& allocation, size_t block, uint32_t resident);
  uint64_t to_device(Place place, uint32_t leaves);  // returns bytes that crossed the link
  uint64_t to_host(Place place, uint32_t leaves);
  void mark(const Place& place, uint32_t leaves, bool on_device);
  void close_group();

  const GpuSpec& spec_;
  std::map<uint64_t, Allocation> allocations_;
  UnifiedCounters counters_;
  std::function<uint64_t()> progress_;
  double kernel_us_ = 0, host_us_ = 0;
  uint64_t group_faults_ = 0, group_bytes_ = 0, group_begin_ = 0, window_ = kLeastWindow;
  bool first_group_ = true;
};

}  // namespace hpml::sim::timing
