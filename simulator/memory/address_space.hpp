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
//             kRegisteredBase  nothing              nothing: only caches see it there (place_of)
//
// Shared and local memory are windows above the 47 bits a host pointer can have (isa/types.hpp: kSharedWindow,
// kLocalWindow), so generic addresses need no tag.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::memory {

// Where the regions lie: below the 47 bits that x86-64 gives a program, above what AddressSanitizer uses for its shadow
// (0x2010'0000'0000 on aarch64 with 48 bits) and below its heap (from 0x5000'0000'0000). GPU i is kGpuStride * i
// further.
#ifdef __SANITIZE_THREAD__  // whose own tables lie there: it leaves a program the first 512 GiB (tsan_platform.h), room
                            // for one H100
inline constexpr uint64_t kDeviceBase = 0x4'0000'0000;
inline constexpr uint64_t kRegionBytes = 0x14'4000'0000;  // 81 GiB each
inline constexpr uint64_t kGpuStride = 3 * kRegionBytes;
inline constexpr uint64_t kViewOffset = 3 * kRegionBytes;
inline constexpr int kMaxGpus = 1;
#else
inline constexpr uint64_t kDeviceBase = 0x3000'0000'0000;
inline constexpr uint64_t kRegionBytes = 0x40'0000'0000;  // 256 GiB each
inline constexpr uint64_t kGpuStride = 0x100'0000'0000;
inline constexpr uint64_t kViewOffset = 0x800'0000'0000;
inline constexpr int kMaxGpus = 8;
#endif
inline constexpr uint64_t kManagedBase = kDeviceBase + kRegionBytes;
inline constexpr uint64_t kPinnedBase = kDeviceBase + 2 * kRegionBytes;
inline constexpr uint64_t kRegisteredBase = 0x30c0'0000'0000;  // places of registered memory, see place_of()

inline constexpr uint64_t kAlignment = 512;   // of device memory; what hardware shows
inline constexpr uint64_t kGuardBytes = 512;  // least distance of two allocations: a small overrun hits no neighbour
inline constexpr uint64_t kVaBlockBytes = 2u << 20;  // managed allocations of that size begin at one (driver VA block)

class AddressSpace;
enum class Kind : uint8_t { device, managed, pinned, registered, module };
const char* name(Kind kind);

struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;  // bytes asked for
  Kind kind = Kind::device;
  uint32_t serial = 0;        // order of allocation, 1-based
  std::byte* view = nullptr;  // where the simulator finds the byte at `base`
  std::string label;          // "" or the symbol name of a module variable
  uint8_t readers = 0;        // other GPUs that may use it without peer access: a bit per index
  uint64_t place = 0;         // of registered memory: where the caches see `base`
  uint64_t end() const { return base + size; }
  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

// Pages of a memory file that hold an allocation, for other processes.
struct SharedPages {
  uint64_t offset = 0, bytes = 0;  // in the file, whole pages
  uint64_t skip = 0, size = 0;     // where in them the allocation begins, and its size
};

// Hears of what an address space gives and takes back, after it is there and before it is gone.
class AllocationObserver {
 public:
  virtual ~AllocationObserver() = default;
  virtual void allocated(const Allocation& allocation) = 0;
  virtual void freed(const Allocation& allocation) = 0;
  virtual void peer_enabled(const AddressSpace& peer, bool enabled) = 0;
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
  // Virtual memory management. A range of addresses of the device without memory behind them, aligned to kVaBlockBytes
  // or more; 0 when there is none. Taken back by release(): false when it was not reserved, or has open parts.
  uint64_t reserve(uint64_t bytes, uint64_t alignment);
  bool release(uint64_t base);
  // Takes bytes of the GPU's memory without an address; false: it has no more. put_back() gives them back.
  bool set_aside(uint64_t bytes);
  void put_back(uint64_t bytes) { used_bytes_ -= bytes; }
  // Lets kernels and copies use [base, base + bytes) of a reserved range. What is open without a gap is one allocation,
  // since programs use it as one array. False: not reserved, partly open, or out of the operating system's memory.
  bool open(uint64_t base, uint64_t bytes);
  // The contrary, with the same arguments or those of several open() calls; the bytes read as zero afterwards.
  bool close(uint64_t base, uint64_t bytes);
  // Whether [base, base + bytes) is part of one reserved range.
  bool is_reserved(uint64_t base, uint64_t bytes) const;

  // Memory of the GPU that several processes use. The file is this GPU's, of which share() fills a part; -1, or
  // nothing: the operating system refuses, or `base` is not the start of device memory of this process' own.
  int sharing_file();
  std::optional<SharedPages> share(uint64_t base);
  // Another process' allocation as one of this space; 0: impossible. free() ends it for this process.
  uint64_t import(int file, const SharedPages& pages);
  bool is_imported(uint64_t base) const { return imported_.contains(base); }

  // Makes host memory of the program accessible to kernels. False when it overlaps a live allocation.
  bool register_host(void* host, uint64_t bytes);
  bool unregister_host(void* host);

  // What kernels of this GPU may use: its own memory, pinned and managed memory of every other GPU of the process, and
  // their device memory where peer access is enabled. Peers outlive this object's use.
  void attach(const AddressSpace& peer) { peers_[&peer] = false; }
  void enable_peer(const AddressSpace& peer, bool enabled);
  // Lets other GPUs (a bit per index) use the allocation at `base`, as cudaMemPoolSetAccess does.
  void set_readers(uint64_t base, uint8_t gpus);
  const Allocation* find(uint64_t address) const;  // live allocation that contains the byte, or null
  const Allocation* own(uint64_t address) const;   // the same without the peers
  // Device memory of a peer without access to it, or null.
  const Allocation* out_of_reach(uint64_t address) const;
  // Ordinary memory of this process, which no kernel may use: no simulated address, but mapped.
  static bool is_host_memory(uint64_t address);
  // Where the bytes are, of which no live allocation has all, if a kernel can reach them all the same, as on hardware:
  // they lie in one page with a live allocation. Null: a GPU faults there, too.
  std::byte* mapped(uint64_t address, uint64_t bytes) const;
  const Allocation* nearest(uint64_t address) const;  // closest live allocation, for diagnostics; null if none
  const Allocation* freed(uint64_t address) const;    // an allocation freed earlier that contained the byte, or null
  std::vector<const Allocation*> live() const;        // by address

  // Where caches and TLBs see what kernels use at `address`: for registered memory, whose address the operating system
  // chose, a place that depends only on the order of registrations; else the address itself.
  uint64_t place_of(uint64_t address) const {
    const bool simulated = address - kDeviceBase < kMaxGpus * kGpuStride;
    return simulated ? address : place_of_host(address);
  }

  // In a forked process: what kernels write from now on, here and in peers, is seen by this process alone. False: the
  // operating system refuses.
  bool detach_from_parent() const;

  // At most one; null: none. It must outlive what it observes.
  void observe(AllocationObserver* observer) { observer_ = observer; }
  int index() const { return index_; }

  // First address of this GPU's managed region; kRegionBytes long.
  uint64_t managed_base() const;

  uint64_t total_bytes() const { return device_bytes_; }
  uint64_t free_bytes() const { return device_bytes_ - used_bytes_; }

  // Bumped by every allocate, free and (un)register: caches of Allocation pointers check it.
  uint64_t generation() const { return generation_; }

 private:
  struct Region;
  AddressSpace(uint64_t device_bytes, int index);
  Region& region_of(Kind kind);
  void insert(Allocation allocation);
  void take(std::map<uint64_t, Allocation>::iterator it);
  void erase(std::map<uint64_t, Allocation>::iterator it);
  uint64_t place_of_host(uint64_t address) const;
  const Allocation* registered_at(uint64_t line) const;
  std::byte* own_mapped(uint64_t address, uint64_t bytes, bool device_memory) const;
  void remember_freed(Allocation allocation);
  void drop_import(uint64_t base);

  uint64_t device_bytes_;
  uint64_t used_bytes_ = 0;
  uint64_t generation_ = 1;
  uint32_t serials_ = 0;
  uint64_t next_registered_;  // place
  std::vector<std::unique_ptr<Region>> regions_;
  std::map<uint64_t, Allocation> live_;
  std::map<uint64_t, uint64_t> reserved_;     // base -> bytes
  std::map<uint64_t, SharedPages> imported_;  // by their base
  std::map<uint64_t, Allocation> freed_;      // the last few thousand, without those whose place is in use again
  std::deque<uint32_t> freed_order_;          // serials, oldest first; some are no longer in freed_
  std::map<uint32_t, uint64_t> freed_base_;   // serial -> base, of freed_
  mutable std::atomic<const Allocation*> last_found_ = nullptr;  // several threads may ask
  std::map<const AddressSpace*, bool> peers_;                    // bool: access to its device memory
  int index_ = 0;
  AllocationObserver* observer_ = nullptr;
};

}  // namespace hpml::sim::memory
