#include "simulator/device/managed_memory.hpp"

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

}  // namespace

ManagedMemory::ManagedMemory(const memory::AddressSpace& memory, timing::UnifiedMemory& model, int slot)
    : memory_(memory), model_(model), slot_(slot) {}

ManagedMemory::~ManagedMemory() { unwatch_host_faults(slot_); }

void ManagedMemory::allocated(uint64_t address, uint64_t bytes) {
  if (blocks_.empty()) {
    watch_host_faults(slot_, memory_.managed_base(), memory::kRegionBytes, this);
  }
  model_.allocated(address, bytes);
  blocks_[address] = {.bytes = bytes, .fresh = true, .closed = std::vector<uint8_t>(leaf_count(bytes), 0)};
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
  HPML_CHECK(allocation != nullptr, "managed block {:#x} without an allocation", base);
  const auto touched = touched_pages(allocation->view, block.bytes, page);
  const size_t pages_per_leaf = std::max<uint64_t>(kLeafBytes / page, 1);
  block.fresh = false;
  for (size_t leaf = 0; leaf < block.closed.size(); ++leaf) {
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

void ManagedMemory::set_access(uint64_t base, Block& block, size_t first, size_t last, bool closed) {
  const uint64_t bytes = std::min(last * kLeafBytes, block.bytes) - first * kLeafBytes;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t whole_pages = (bytes + page - 1) / page * page;
  // Out of kernel records for ranges (vm.max_map_count): the pages stay open, the program stays correct, and only the
  // count of its faults suffers.
  if (mprotect(reinterpret_cast<void*>(base + first * kLeafBytes), whole_pages,
               closed ? PROT_NONE : PROT_READ | PROT_WRITE) == 0) {
    std::fill(block.closed.begin() + static_cast<ptrdiff_t>(first), block.closed.begin() + static_cast<ptrdiff_t>(last),
              closed);
  }
}

void ManagedMemory::protect() {
  for (auto& [base, block] : blocks_) {
    for (size_t leaf = 0; leaf < block.closed.size();) {
      const bool want = model_.on_device(base + leaf * kLeafBytes);
      size_t last = leaf + 1;
      while (last < block.closed.size() && block.closed[last] == block.closed[leaf] &&
             model_.on_device(base + last * kLeafBytes) == want) {
        ++last;
      }
      if (want != (block.closed[leaf] != 0)) {
        set_access(base, block, leaf, last, want);
      }
      leaf = last;
    }
  }
  if (!blocks_.empty()) {
    keep_host_fault_handler_first();
  }
}

bool ManagedMemory::host_fault(uint64_t address, bool is_write) {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) {
    return false;
  }
  auto& [base, block] = *std::prev(after);
  const size_t leaf = (address - base) / kLeafBytes;
  if (leaf >= block.closed.size() || block.closed[leaf] == 0) {
    return false;  // beyond the allocation, or open: a fault of another kind
  }
  const auto range = model_.host_fault(std::min(address, base + block.bytes - 1), is_write);
  set_access(base, block, (range.begin - base) / kLeafBytes, leaf_count(range.end - base), false);
  if (listener_) {
    listener_(address, is_write);
  }
  return true;
}

}  // namespace hpml::sim::device
