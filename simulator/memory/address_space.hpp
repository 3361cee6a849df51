#pragma once
// The unified 49-bit address space of one simulated GPU, without time.
//
// A device pointer is a real virtual address of this process, reserved at a fixed place so that addresses (and with
// them cache sets and channels) are the same in every run:
//
//   region    base             host sees            simulator reads and writes at
//   device    kDeviceBase      nothing: a host      base + kViewOffset
//                              access is SIGSEGV,
//                              as on a real machine
//   managed   kManagedBase     the pages            base + kViewOffset (second mapping of the same memory)
//   pinned    kPinnedBase      the pages            base + kViewOffset (second mapping)
//   host      anywhere         its own memory       the same address (cudaHostRegister)
//
// Shared and local memory are windows above the 47 bits a host pointer can have (isa/types.hpp: kSharedWindow,
// kLocalWindow), so generic addresses need no tag.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::memory {

enum class Kind : uint8_t { device, managed, pinned, registered, module };

struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;  // bytes asked for
  Kind kind = Kind::device;
  uint32_t serial = 0;       // order of allocation, 1-based
  std::byte* view = nullptr;  // where the simulator finds the byte at `base`
  std::string label;          // "" or the symbol name of a module variable
  uint64_t end() const { return base + size; }
  bool contains(uint64_t address, uint64_t bytes) const { return address >= base && bytes <= size && address - base <= size - bytes; }
};

enum class FreeResult : uint8_t { ok, not_an_allocation, already_freed, wrong_kind };

class AddressSpace {
 public:
  // Reserves the regions. device_bytes: capacity of the GPU's memory (cudaMemGetInfo's total). index: which simulated
  // GPU of the process, 0-based. Error: the operating system refuses the reservation.
  static Result<std::unique_ptr<AddressSpace>> create(uint64_t device_bytes, int index = 0);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  // Returns the base address, 512-byte aligned; 0 when memory is exhausted. bytes > 0.
  uint64_t allocate(Kind kind, uint64_t bytes, std::string label = {});
  FreeResult free(uint64_t base, Kind kind);
  // Makes host memory of the program accessible to kernels. False when it overlaps a live allocation.
  bool register_host(void* host, uint64_t bytes);
  bool unregister_host(void* host);

  const Allocation* find(uint64_t address) const;     // live allocation that contains the byte, or null
  const Allocation* nearest(uint64_t address) const;  // closest live allocation, for diagnostics; null if none
  const Allocation* freed(uint64_t address) const;    // an allocation freed earlier that contained the byte, or null
  std::vector<const Allocation*> live() const;        // by address

  uint64_t total_bytes() const { return device_bytes_; }
  uint64_t free_bytes() const { return device_bytes_ - used_bytes_; }

  // Bumped by every allocate, free and (un)register: caches of Allocation pointers check it.
  uint64_t generation() const { return generation_; }

 private:
  struct Region;
  AddressSpace(uint64_t device_bytes, int index);
  Region* region_of(Kind kind);
  Region* region_at(uint64_t address);

  uint64_t device_bytes_;
  uint64_t used_bytes_ = 0;
  uint64_t generation_ = 1;
  uint32_t serials_ = 0;
  std::vector<std::unique_ptr<Region>> regions_;
  std::map<uint64_t, Allocation> live_;
  std::map<uint64_t, Allocation> freed_;
};

}  // namespace hpml::sim::memory
