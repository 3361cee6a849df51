#pragma once
// Managed memory of CC >= 6.0: pages move on faults, in groups, by the driver's tree rule (simulator_timing section 9).
// Owns the residency table that exec asks. Order of calls decides everything; no time is read.
//
// Advice (CUDA programming guide, Unified Memory, "Data Usage Hints"): leaves that are read mostly are duplicated until
// somebody writes; leaves that prefer the host stay there, and those that the GPU accesses are mapped as long as they
// are: kernels reach both over the link. When the GPU's memory is full, the 2 MiB block used longest ago goes back
// (NVIDIA open kernel modules: root chunks, least recently used first).
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
  uint64_t evicted_bytes = 0;  // of device_to_host_bytes: to make room
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
  // How many bytes of the GPU are there for managed pages. Without: as many as are asked for.
  void limit(std::function<uint64_t()> room) { room_ = std::move(room); }
  // Told of every range that was copied to the GPU: a copy engine writes through L2.
  void tell(std::function<void(uint64_t address, uint64_t bytes)> arrived) { arrived_ = std::move(arrived); }

  // Sets or takes back what is said about the leaves that have bytes of the range. Moves nothing.
  void advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set);

  // --- kernels -------------------------------------------------------------------------------------------------------
  // `progress`: warp instructions executed so far; `warps`: how many are resident at a time. A group is what the driver
  // finds when it looks: the faults that came before each resident warp went on by kGroupSteps instructions.
  void begin_kernel(std::function<uint64_t()> progress, uint64_t warps = 1);
  void device_fault(uint64_t address, bool is_write) override;
  // Closes the last group. Returns the microseconds the kernel's faults took since begin_kernel().
  double end_kernel();

  // --- host ----------------------------------------------------------------------------------------------------------
  // What the CPU may do with a leaf without a fault. Of one that nobody has touched yet: nothing.
  enum class HostAccess : uint8_t { none, read, all };
  HostAccess host_access(uint64_t address) const;
  // The CPU makes an access that host_access() forbids: the pages around it move to the CPU by the same rule, or those
  // of the GPU are given up. Returns the leaves [first, last) around it that are on the CPU now, as a byte range.
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  Range host_fault(uint64_t address, bool is_write);
  bool on_host(uint64_t address) const { return is(address, &Leaves::host); }
  bool on_device(uint64_t address) const { return is(address, &Leaves::device); }
  double take_host_fault_us();  // cost of host faults since the last call

  // cudaMemPrefetchAsync: bulk transfer without faults. Returns microseconds.
  double prefetch(uint64_t address, uint64_t bytes, bool to_device);

  const UnifiedCounters& counters() const { return counters_; }

  static constexpr uint64_t kGroupSteps =
      8;  // fit: RTX 8000 vector add, one thread per element, 9, 50, 100, 1,029 groups
  static constexpr uint64_t kLeastWindow = 64;  // instructions: the driver's latency, when few warps run

 private:
  // Of 2 MiB, a bit per leaf. On both sides: a duplicate that nobody may write.
  struct Leaves {
    uint32_t device = 0, host = 0;                            // where they are
    uint32_t mapped = 0;                                      // on the host, for kernels to use there
    uint32_t read_mostly = 0, prefer_host = 0, accessed = 0;  // advice
    uint64_t used = 0;                                        // when the GPU last asked for one of them
  };
  struct Allocation {
    uint64_t base = 0, bytes = 0;
    std::vector<Leaves> blocks;  // per 2 MiB
  };
  struct Place {
    Allocation* allocation = nullptr;
    size_t block = 0;
    uint32_t leaf = 0;
    Leaves& leaves() const { return allocation->blocks[block]; }
    uint32_t mask() const { return uint32_t{1} << leaf; }
  };
  Place locate(uint64_t address);
  const Allocation* find(uint64_t address) const;
  bool is(uint64_t address, uint32_t Leaves::*where) const;
  static TreeBlock shape(const Place& place, uint32_t resident);
  // The range, block by block: f(place, leaves).
  template <class F>
  void for_each_block(uint64_t address, uint64_t bytes, F f);
  // Each returns the bytes that crossed the link. Of what is read mostly a copy stays, unless it is in `exclusive`.
  uint64_t to_device(const Place& place, uint32_t leaves, uint32_t exclusive);
  uint64_t to_host(const Place& place, uint32_t leaves, uint32_t exclusive);
  void put(const Place& place, uint32_t device, uint32_t host);
  void arrive(const Place& place, uint32_t leaves) const;
  void make_room(const Place& place);
  void close_group();

  const GpuSpec& spec_;
  std::map<uint64_t, Allocation> allocations_;
  UnifiedCounters counters_;
  std::function<uint64_t()> progress_, room_;
  std::function<void(uint64_t, uint64_t)> arrived_;
  double kernel_us_ = 0, host_us_ = 0;
  uint64_t group_faults_ = 0, group_bytes_ = 0, group_begin_ = 0, window_ = kLeastWindow;
  uint64_t evicted_bytes_ = 0;              // not yet part of a time
  uint64_t resident_bytes_ = 0, uses_ = 0;  // of whole blocks; how often a block was asked for
  bool first_group_ = true;
};

}  // namespace hpml::sim::timing
