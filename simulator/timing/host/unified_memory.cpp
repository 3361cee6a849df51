#include "simulator/timing/host/unified_memory.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace hpml::sim::timing {

namespace {
constexpr uint64_t kBlock = 2 * 1024 * 1024;
constexpr uint64_t kPage = 4096;
constexpr uint32_t kLeavesPerBlock = 32;

uint64_t bytes_of(const TreeBlock& block, uint32_t leaves) {
  uint64_t pages = 0;
  for (uint32_t rest = leaves; rest != 0; rest &= rest - 1) {
    pages += pages_of_leaf(block, static_cast<uint32_t>(std::countr_zero(rest)));
  }
  return pages * kPage;
}

}  // namespace

UnifiedMemory::UnifiedMemory(const GpuSpec& spec, uint64_t base, uint64_t bytes) : spec_(spec) {
  base_ = base;
  on_device_.assign((bytes + memory::kLeafBytes - 1) / memory::kLeafBytes, 0);
}

void UnifiedMemory::allocated(uint64_t address, uint64_t bytes) {
  allocations_[address] = Allocation{address, bytes, std::vector<Leaves>((bytes + kBlock - 1) / kBlock)};
}

void UnifiedMemory::freed(uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) {
    return;
  }
  for (size_t block = 0; block < found->second.blocks.size(); ++block) {
    mark(Place{&found->second, block, 0}, ~uint32_t{0}, false);
  }
  allocations_.erase(found);
}

const UnifiedMemory::Allocation* UnifiedMemory::find(uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) {
    return nullptr;
  }
  const Allocation& candidate = std::prev(after)->second;
  return address - candidate.base < candidate.bytes ? &candidate : nullptr;
}

UnifiedMemory::Place UnifiedMemory::locate(uint64_t address) {
  Allocation* allocation = const_cast<Allocation*>(find(address));
  HPML_CHECK(allocation != nullptr, "managed fault outside every allocation: {:#x}", address);
  const uint64_t offset = address - allocation->base;
  return Place{allocation, offset / kBlock, static_cast<uint32_t>(offset % kBlock / memory::kLeafBytes)};
}

TreeBlock UnifiedMemory::shape(const Allocation& allocation, size_t block, uint32_t resident) {
  const uint64_t inside = std::min<uint64_t>(kBlock, allocation.bytes - block * kBlock);
  const auto pages = static_cast<uint32_t>((inside + kPage - 1) / kPage);
  return TreeBlock{resident, static_cast<uint32_t>((inside + memory::kLeafBytes - 1) / memory::kLeafBytes), pages};
}

void UnifiedMemory::mark(const Place& place, uint32_t leaves, bool on_device) {
  const uint64_t first = (place.allocation->base - base_) / memory::kLeafBytes + place.block * kLeavesPerBlock;
  const uint32_t inside = shape(*place.allocation, place.block, 0).leaf_count;
  leaves &= inside == kLeavesPerBlock ? ~uint32_t{0} : (uint32_t{1} << inside) - 1;  // the next leaf may be another's
  for (uint32_t rest = leaves; rest != 0; rest &= rest - 1) {
    const uint64_t leaf = first + static_cast<uint64_t>(std::countr_zero(rest));
    if (leaf < on_device_.size()) {
      on_device_[leaf] = on_device ? 1 : 0;
    }
  }
}

uint64_t UnifiedMemory::to_device(Place place, uint32_t leaves) {
  Leaves& state = place.allocation->blocks[place.block];
  const uint64_t bytes = bytes_of(shape(*place.allocation, place.block, 0), leaves & state.host);
  if (bytes > 0) {
    counters_.host_to_device_copies += bytes > kPage ? 2 : 1;  // the faulted page, then the rest
    counters_.host_to_device_bytes += bytes;
  }
  state.device |= leaves;
  state.host &= ~leaves;
  mark(place, leaves, true);
  return bytes;
}

uint64_t UnifiedMemory::to_host(Place place, uint32_t leaves) {
  Leaves& state = place.allocation->blocks[place.block];
  const uint64_t bytes = bytes_of(shape(*place.allocation, place.block, 0), leaves & state.device);
  if (bytes > 0) {
    counters_.device_to_host_copies += 1;
    counters_.device_to_host_bytes += bytes;
  }
  state.host |= leaves;
  state.device &= ~leaves;
  mark(place, leaves, false);
  return bytes;
}

void UnifiedMemory::begin_kernel(std::function<uint64_t()> progress, uint64_t warps) {
  progress_ = std::move(progress);
  window_ = std::max(kLeastWindow, kGroupSteps * warps);
  kernel_us_ = 0;
  group_faults_ = group_bytes_ = group_begin_ = 0;
  if (spec_.unified_memory.demand_paging) {
    return;
  }
  // Before Pascal: everything the host has goes over in bulk when a kernel is launched.
  for (auto& [base, allocation] : allocations_) {
    uint64_t bytes = 0;
    for (size_t block = 0; block < allocation.blocks.size(); ++block) {
      bytes += to_device(Place{&allocation, block, 0}, ~uint32_t{0});
    }
    const double us = static_cast<double>(bytes) / (spec_.host_link.pinned_h2d_gbs * 1e3);
    counters_.host_to_device_us += us;
    kernel_us_ += us;
  }
}

void UnifiedMemory::device_fault(uint64_t address, bool) {
  const uint64_t progress = progress_ ? progress_() : 0;
  if (group_faults_ > 0 && progress - group_begin_ > window_) {
    close_group();
  }
  group_begin_ = group_faults_ == 0 ? progress : group_begin_;
  const Place place = locate(address);
  const uint32_t resident = place.allocation->blocks[place.block].device;
  const TreeBlock block = shape(*place.allocation, place.block, resident);
  group_bytes_ += to_device(place, tree_rule(block, uint32_t{1} << place.leaf, spec_.unified_memory.threshold_percent));
  ++group_faults_;
  ++counters_.gpu_faults;
}

void UnifiedMemory::close_group() {
  if (group_faults_ == 0) {
    return;
  }
  const UnifiedMemorySpec& um = spec_.unified_memory;
  const double transfer = static_cast<double>(group_bytes_) / (um.migration_gbs * 1e3);
  // The fitted cost of a group is that of two faults.
  const double extra = um.per_extra_fault_us * static_cast<double>(group_faults_ > 2 ? group_faults_ - 2 : 0);
  const double us = um.group_us + (first_group_ ? um.first_group_us : 0) + extra + transfer;
  first_group_ = false;
  ++counters_.fault_groups;
  counters_.fault_us += us;
  counters_.host_to_device_us += transfer;
  kernel_us_ += us;
  group_faults_ = group_bytes_ = 0;
}

double UnifiedMemory::end_kernel() {
  close_group();
  progress_ = nullptr;
  return kernel_us_;
}

bool UnifiedMemory::on_host(uint64_t address) const {
  const Allocation* allocation = find(address);
  if (allocation == nullptr) {
    return false;
  }
  const uint64_t offset = address - allocation->base;
  return (allocation->blocks[offset / kBlock].host >> (offset % kBlock / memory::kLeafBytes) & 1) != 0;
}

UnifiedMemory::Range UnifiedMemory::host_fault(uint64_t address, bool) {
  const Place place = locate(address);
  const uint32_t resident = place.allocation->blocks[place.block].host;
  const TreeBlock block = shape(*place.allocation, place.block, resident);
  const uint32_t leaves = tree_rule(block, uint32_t{1} << place.leaf, spec_.unified_memory.threshold_percent);
  const uint64_t bytes = to_host(place, leaves);
  ++counters_.cpu_faults;
  if (bytes > 0) {
    const double transfer = static_cast<double>(bytes) / (spec_.unified_memory.writeback_gbs * 1e3);
    const double us = transfer + (spec_.unified_memory.demand_paging ? spec_.unified_memory.cpu_fault_us : 0);
    counters_.device_to_host_us += transfer;
    counters_.cpu_fault_us += us;
    host_us_ += us;
  }
  // A span of the rule is contiguous with the leaves that made it dense, so the new host range is one piece.
  const uint32_t here = place.allocation->blocks[place.block].host;
  uint32_t first = place.leaf, last = place.leaf;
  while (first > 0 && (here >> (first - 1) & 1) != 0) {
    --first;
  }
  while (last + 1 < block.leaf_count && (here >> (last + 1) & 1) != 0) {
    ++last;
  }
  const uint64_t start = place.allocation->base + place.block * kBlock;
  return Range{start + first * memory::kLeafBytes,
               std::min(start + (last + 1) * memory::kLeafBytes, place.allocation->base + place.allocation->bytes)};
}

double UnifiedMemory::take_host_fault_us() { return std::exchange(host_us_, 0.0); }

double UnifiedMemory::prefetch(uint64_t address, uint64_t bytes, bool to_gpu) {
  uint64_t moved = 0;
  const uint64_t end = address + bytes;
  for (uint64_t at = address; at < end;) {
    const Place place = locate(at);
    const uint64_t block_end = place.allocation->base + (place.block + 1) * kBlock;
    const uint64_t stop = std::min(end, block_end);
    const auto last = static_cast<uint32_t>((stop - 1 - place.allocation->base) % kBlock / memory::kLeafBytes);
    const uint32_t upto = last == 31 ? ~uint32_t{0} : (uint32_t{1} << (last + 1)) - 1;
    const uint32_t leaves = upto & ~((uint32_t{1} << place.leaf) - 1);
    moved += to_gpu ? to_device(place, leaves & ~place.allocation->blocks[place.block].device)
                    : to_host(place, leaves & ~place.allocation->blocks[place.block].host);
    at = stop;
  }
  const double us =
      static_cast<double>(moved) / ((to_gpu ? spec_.host_link.pinned_h2d_gbs : spec_.host_link.pinned_d2h_gbs) * 1e3);
  (to_gpu ? counters_.host_to_device_us : counters_.device_to_host_us) += us;
  return us;
}

}  // namespace hpml::sim::timing
