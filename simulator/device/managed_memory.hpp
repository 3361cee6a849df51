#pragma once
// Managed memory as the program meets it: which pages it may touch. The unified-memory model (timing/host) decides what
// moves and what it costs; here the decisions become page protection, and the program's accesses become its faults.
//
// Fresh managed memory is open to the program, so that it can be filled by anything (system calls do not fault into a
// handler). What it touched is read from the kernel's page tables when it matters. Pages that moved to the GPU are
// closed until the program touches them.
#include <atomic>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "simulator/device/host_faults.hpp"
#include "simulator/memory/address_space.hpp"
#include "simulator/timing/host/unified_memory.hpp"

namespace hpml::sim::device {

class ManagedMemory final : public HostFaultWatcher {
 public:
  // Both must outlive it. slot: index of the GPU.
  ManagedMemory(const memory::AddressSpace& memory, timing::UnifiedMemory& model, int slot);
  ~ManagedMemory() override;

  void allocated(uint64_t address, uint64_t bytes);
  void freed(uint64_t address);
  bool empty() const { return blocks_.empty(); }

  // Before a kernel or a prefetch: tells the model which fresh pages the program has touched, in address order.
  void note_first_touches();
  // A kernel begins. Until protect() the host program may touch all pages: a host fault opens the page and is not
  // reported to the unified-memory model, which the kernel's thread is using.
  void kernel_begins();
  // After a kernel, a prefetch or advice: closes what is on the GPU, opens what came back; duplicates can be read.
  void protect();

  bool host_fault(uint64_t address, bool is_write) override;
  // Told of every page that the program takes back from the GPU.
  void listen(std::function<void(uint64_t, bool)> listener) { listener_ = std::move(listener); }

 private:
  using HostAccess = timing::UnifiedMemory::HostAccess;
  struct Block {
    uint64_t bytes = 0;
    bool fresh = true;             // has leaves that are neither on the CPU nor on the GPU
    std::vector<HostAccess> open;  // per leaf: what its pages let the program do
  };
  void note_first_touches(uint64_t base, Block& block);
  HostAccess wanted(uint64_t address) const;
  void protect(uint64_t base, Block& block, size_t first, size_t last);
  void set_access(uint64_t base, Block& block, size_t first, size_t last, HostAccess access);

  const memory::AddressSpace& memory_;
  timing::UnifiedMemory& model_;
  int slot_;
  bool kernel_runs_ = false;
  std::atomic_flag busy_;  // a thread of the program meets a fault while another one may be at a kernel's end
  std::map<uint64_t, Block> blocks_;
  std::function<void(uint64_t, bool)> listener_;
};

}  // namespace hpml::sim::device
