#include "simulator/device/managed_memory.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace hpml::sim::device {
namespace {

using memory::kLeafBytes;

size_t leaf_count(uint64_t bytes) { return (bytes + kLeafBytes - 1) / kLeafBytes; }

// Which pages of [view, view + bytes) exist; all of them where the kernel does not tell.
std::vector<unsigned char> touched_pages(std::byte* view, uint64_t bytes, uint64_t page) {
  std::vector<unsigned char> touched((bytes + page - 1) / page, 1);
  if (mincore(view, bytes, touched.data()) != 0) {
    std::fill(touched.begin(), touched.end(), static_cast<unsigned char>(1));
  }
  return touched;
}

int protection_of(timing::UnifiedMemory::HostAccess access) {
  switch (access) {
    case timing::UnifiedMemory::HostAccess::none: return PROT_NONE;
    case timing::UnifiedMemory::HostAccess::read: return PROT_READ;
    case timing::UnifiedMemory::HostAccess::all: return PROT_READ | PROT_WRITE;
  }
  HPML_CHECK(false, fmt::format("access {}", static_cast<int>(access)));
}

// For a few instructions, and also inside a signal handler: a spin lock.
class Busy {
 public:
  explicit Busy(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Busy() { flag_.clear(std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace

ManagedMemory::ManagedMemory(const memory::AddressSpace& memory, timing::UnifiedMemory& model, int slot)
    : memory_(memory), model_(model), slot_(slot) {}

ManagedMemory::~ManagedMemory() { unwatch_host_faults(slot_); }

void ManagedMemory::allocated(uint64_t address, uint64_t bytes) {
  if (blocks_.empty()) {
    watch_host_faults(slot_, memory_.managed_base(), memory::kRegionBytes, this);
  }
  model_.allocated(address, bytes);
  blocks_[address] = {
      .bytes = bytes, .fresh = true, .open = std::vector<HostAccess>(leaf_count(bytes), HostAccess::all)};
}

void ManagedMemory::freed(uint64_t address) {
  model_.freed(address);
  blocks_.erase(address);
}

void ManagedMemory::note_first_touches() {
  for (auto& [base, block] : blocks_) {
    if (block.fresh) {
      note_first_touches(base, block);
    }
  }
}

void ManagedMemory::note_first_touches(uint64_t base, Block& block) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const memory::Allocation* allocation = memory_.find(base);
  HPML_CHECK(allocation != nullptr, fmt::format("managed block {:#x} without an allocation", base));
  const auto touched = touched_pages(allocation->view, block.bytes, page);
  const size_t pages_per_leaf = std::max<uint64_t>(kLeafBytes / page, 1);
  block.fresh = false;
  for (size_t leaf = 0; leaf < block.open.size(); ++leaf) {
    const uint64_t address = base + leaf * kLeafBytes;
    if (model_.on_host(address) || model_.on_device(address)) {
      continue;
    }
    const auto first = touched.begin() + static_cast<ptrdiff_t>(leaf * pages_per_leaf);
    const auto last = touched.begin() + static_cast<ptrdiff_t>(std::min((leaf + 1) * pages_per_leaf, touched.size()));
    if (std::any_of(first, last, [](unsigned char state) { return (state & 1) != 0; })) {
      model_.host_fault(address, true);
    } else {
      block.fresh = true;
    }
  }
}

void ManagedMemory::set_access(uint64_t base, Block& block, size_t first, size_t last, HostAccess access) {
  const uint64_t bytes = std::min(last * kLeafBytes, block.bytes) - first * kLeafBytes;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t whole_pages = (bytes + page - 1) / page * page;
  // Out of kernel records for ranges (vm.max_map_count): the pages stay as they are, the program stays correct, and
  // only the count of its faults suffers.
  if (mprotect(reinterpret_cast<void*>(base + first * kLeafBytes), whole_pages, protection_of(access)) == 0) {
    std::fill(block.open.begin() + static_cast<ptrdiff_t>(first), block.open.begin() + static_cast<ptrdiff_t>(last),
              access);
  }
}

// What nobody has touched is open.
ManagedMemory::HostAccess ManagedMemory::wanted(uint64_t address) const {
  const bool fresh = !model_.on_host(address) && !model_.on_device(address);
  return fresh ? HostAccess::all : model_.host_access(address);
}

void ManagedMemory::protect(uint64_t base, Block& block, size_t first, size_t last) {
  for (size_t leaf = first; leaf < last;) {
    const HostAccess want = wanted(base + leaf * kLeafBytes);
    size_t next = leaf + 1;
    while (next < last && block.open[next] == block.open[leaf] && wanted(base + next * kLeafBytes) == want) {
      ++next;
    }
    if (want != block.open[leaf]) {
      set_access(base, block, leaf, next, want);
    }
    leaf = next;
  }
}

void ManagedMemory::kernel_begins() {
  const Busy busy(busy_);
  kernel_runs_ = true;
}

void ManagedMemory::protect() {
  const Busy busy(busy_);
  kernel_runs_ = false;
  for (auto& [base, block] : blocks_) {
    protect(base, block, 0, block.open.size());
  }
  if (!blocks_.empty()) {
    keep_host_fault_handler_first();
  }
}

bool ManagedMemory::host_fault(uint64_t address, bool is_write) {
  const Busy busy(busy_);
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) {
    return false;
  }
  auto& [base, block] = *std::prev(after);
  const size_t leaf = (address - base) / kLeafBytes;
  if (leaf >= block.open.size() || block.open[leaf] == HostAccess::all ||
      (block.open[leaf] == HostAccess::read && !is_write)) {
    return false;  // beyond the allocation, or open: a fault of another kind
  }
  if (kernel_runs_) {
    set_access(base, block, leaf, leaf + 1, HostAccess::all);
    return block.open[leaf] == HostAccess::all;
  }
  const auto range = model_.host_fault(std::min(address, base + block.bytes - 1), is_write);
  protect(base, block, (range.begin - base) / kLeafBytes, leaf_count(range.end - base));
  if (listener_) {
    listener_(address, is_write);
  }
  return true;
}

}  // namespace hpml::sim::device
