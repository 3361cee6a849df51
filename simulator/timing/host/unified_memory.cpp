#include "simulator/timing/host/unified_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace hpml::sim::timing {

namespace {
constexpr uint64_t kBlock = 2 * 1024 * 1024;
constexpr uint64_t kPage = 4096;
constexpr uint32_t kLeavesPerBlock = 32, kAllLeaves = ~uint32_t{0};

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
  access_.assign((bytes + memory::kLeafBytes - 1) / memory::kLeafBytes, 0);
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
    put(Place{&found->second, block, 0}, 0, 0);
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
  HPML_CHECK(allocation != nullptr, fmt::format("managed fault outside every allocation: {:#x}", address));
  const uint64_t offset = address - allocation->base;
  return Place{allocation, offset / kBlock, static_cast<uint32_t>(offset % kBlock / memory::kLeafBytes)};
}

// False where no allocation is.
bool UnifiedMemory::is(uint64_t address, uint32_t Leaves::*where) const {
  const Allocation* allocation = find(address);
  if (allocation == nullptr) {
    return false;
  }
  const uint64_t offset = address - allocation->base;
  return (allocation->blocks[offset / kBlock].*where >> (offset % kBlock / memory::kLeafBytes) & 1) != 0;
}

TreeBlock UnifiedMemory::shape(const Place& place, uint32_t resident) {
  const uint64_t inside = std::min<uint64_t>(kBlock, place.allocation->bytes - place.block * kBlock);
  const auto pages = static_cast<uint32_t>((inside + kPage - 1) / kPage);
  return TreeBlock{resident, static_cast<uint32_t>((inside + memory::kLeafBytes - 1) / memory::kLeafBytes), pages};
}

template <class F>
void UnifiedMemory::for_each_block(uint64_t address, uint64_t bytes, F f) {
  const uint64_t end = address + bytes;
  for (uint64_t at = address; at < end;) {
    const Place place = locate(at);
    const uint64_t stop = std::min(end, place.allocation->base + (place.block + 1) * kBlock);
    const auto last = static_cast<uint32_t>((stop - 1 - place.allocation->base) % kBlock / memory::kLeafBytes);
    f(place, (kAllLeaves >> (kLeavesPerBlock - 1 - last)) & ~(place.mask() - 1));
    at = stop;
  }
}

// Where the leaves of a block are from now on, and with that what kernels may do with each.
void UnifiedMemory::put(const Place& place, uint32_t device, uint32_t host) {
  Leaves& now = place.leaves();
  const TreeBlock whole = shape(place, 0);
  const uint64_t bytes = uint64_t{whole.page_count} * kPage;
  resident_bytes_ += (device != 0 ? bytes : 0) - (now.device != 0 ? bytes : 0);
  now.device = device;
  now.host = host;
  now.mapped = host & ~device & (now.mapped | now.accessed);
  const uint64_t first = (place.allocation->base - base_) / memory::kLeafBytes + place.block * kLeavesPerBlock;
  for (uint32_t leaf = 0; leaf < whole.leaf_count && first + leaf < access_.size(); ++leaf) {
    const uint32_t here = device >> leaf & 1, there = host >> leaf & 1, mapped = now.mapped >> leaf & 1;
    const int both = kReadable | kWritable;
    access_[first + leaf] = static_cast<uint8_t>(here != 0     ? (there != 0 ? int{kReadable} : both)
                                                 : mapped != 0 ? both | kOverLink
                                                               : 0);
  }
}

void UnifiedMemory::advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set) {
  if (!spec_.unified_memory.demand_paging) {
    return;
  }
  for_each_block(address, bytes, [&](const Place& place, uint32_t leaves) {
    Leaves& now = place.leaves();
    uint32_t& said = advice == memory::Advice::read_mostly   ? now.read_mostly
                     : advice == memory::Advice::prefer_host ? now.prefer_host
                                                             : now.accessed;
    said = set ? said | leaves : said & ~leaves;
    now.mapped &= set ? kAllLeaves : ~leaves;  // until the next fault
    const uint32_t twice = now.device & now.host & ~now.read_mostly;
    put(place, now.device & ~twice, now.host);
  });
}

uint64_t UnifiedMemory::to_device(const Place& place, uint32_t leaves, uint32_t exclusive) {
  const Leaves now = place.leaves();
  const uint64_t bytes = bytes_of(shape(place, 0), leaves & now.host & ~now.device);
  if (bytes > 0) {
    counters_.host_to_device_copies += bytes > kPage ? 2 : 1;  // the faulted page, then the rest
    counters_.host_to_device_bytes += bytes;
    arrive(place, leaves & now.host & ~now.device);
  }
  put(place, now.device | leaves, now.host & ~(leaves & (exclusive | ~now.read_mostly)));
  make_room(place);
  return bytes;
}

uint64_t UnifiedMemory::to_host(const Place& place, uint32_t leaves, uint32_t exclusive) {
  const Leaves now = place.leaves();
  const uint64_t bytes = bytes_of(shape(place, 0), leaves & now.device & ~now.host);
  if (bytes > 0) {
    counters_.device_to_host_copies += 1;
    counters_.device_to_host_bytes += bytes;
  }
  put(place, now.device & ~(leaves & (exclusive | ~now.read_mostly)), now.host | leaves);
  return bytes;
}

// Each run of neighbours is one range.
void UnifiedMemory::arrive(const Place& place, uint32_t leaves) const {
  if (!arrived_) {
    return;
  }
  const uint64_t start = place.allocation->base + place.block * kBlock;
  const uint64_t end = place.allocation->base + place.allocation->bytes;
  while (leaves != 0) {
    const int first = std::countr_zero(leaves);
    const int count = std::countr_one(leaves >> first);
    const uint64_t begin = start + static_cast<uint64_t>(first) * memory::kLeafBytes;
    arrived_(begin, std::min(static_cast<uint64_t>(count) * memory::kLeafBytes, end - begin));
    leaves &= static_cast<uint32_t>(~(((uint64_t{1} << count) - 1) << first));
  }
}

// The block at `place` is the last to go.
void UnifiedMemory::make_room(const Place& place) {
  place.leaves().used = ++uses_;
  while (room_ && resident_bytes_ > room_()) {
    Place oldest;
    for (auto& [base, allocation] : allocations_) {
      for (size_t block = 0; block < allocation.blocks.size(); ++block) {
        const Leaves& leaves = allocation.blocks[block];
        if (leaves.device != 0 && (oldest.allocation == nullptr || leaves.used < oldest.leaves().used)) {
          oldest = Place{&allocation, block, 0};
        }
      }
    }
    if (oldest.leaves().used == uses_) {
      return;
    }
    const uint64_t bytes = to_host(oldest, oldest.leaves().device, kAllLeaves);
    counters_.evicted_bytes += bytes;
    evicted_bytes_ += bytes;
  }
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
      bytes += to_device(Place{&allocation, block, 0}, kAllLeaves, kAllLeaves);
    }
    const double us = static_cast<double>(bytes) / (spec_.host_link.pinned_h2d_gbs * 1e3);
    counters_.host_to_device_us += us;
    kernel_us_ += us;
  }
}

void UnifiedMemory::device_fault(uint64_t address, bool is_write) {
  const uint64_t progress = progress_ ? progress_() : 0;
  if (group_faults_ > 0 && progress - group_begin_ > window_) {
    close_group();
  }
  group_begin_ = group_faults_ == 0 ? progress : group_begin_;
  ++group_faults_;
  ++counters_.gpu_faults;
  const Place place = locate(address);
  Leaves& now = place.leaves();
  if ((now.device & place.mask()) != 0) {  // a duplicate is written: the copy of the host is given up
    to_device(place, place.mask(), place.mask());
    return;
  }
  const uint32_t stay = now.prefer_host & ~now.device;
  if ((stay & place.mask()) != 0) {
    now.mapped |= place.mask();
    put(place, now.device, now.host | place.mask());
    return;
  }
  const uint32_t grown =
      tree_rule(shape(place, now.device), place.mask(), spec_.unified_memory.threshold_percent) & ~stay;
  group_bytes_ += to_device(place, grown, is_write ? place.mask() : 0);
}

void UnifiedMemory::close_group() {
  if (group_faults_ == 0) {
    return;
  }
  const UnifiedMemorySpec& um = spec_.unified_memory;
  const double transfer = static_cast<double>(group_bytes_) / (um.migration_gbs * 1e3);
  const double back = static_cast<double>(std::exchange(evicted_bytes_, 0)) / (um.writeback_gbs * 1e3);
  // The fitted cost of a group is that of two faults.
  const double extra = um.per_extra_fault_us * static_cast<double>(group_faults_ > 2 ? group_faults_ - 2 : 0);
  const double service = um.group_us + (first_group_ ? um.first_group_us : 0) + extra + transfer;
  const double us = std::max(service, back);  // each direction has its copy engine
  first_group_ = false;
  ++counters_.fault_groups;
  counters_.fault_us += us;
  counters_.host_to_device_us += transfer;
  counters_.device_to_host_us += back;
  kernel_us_ += us;
  group_faults_ = group_bytes_ = 0;
}

double UnifiedMemory::end_kernel() {
  close_group();
  progress_ = nullptr;
  return kernel_us_;
}

UnifiedMemory::HostAccess UnifiedMemory::host_access(uint64_t address) const {
  if (!on_host(address)) {
    return HostAccess::none;
  }
  return on_device(address) ? HostAccess::read : HostAccess::all;
}

UnifiedMemory::Range UnifiedMemory::host_fault(uint64_t address, bool is_write) {
  const Place place = locate(address);
  const TreeBlock block = shape(place, place.leaves().host);
  const bool duplicate = (place.leaves().host & place.mask()) != 0;
  const uint32_t leaves =
      duplicate ? place.mask() : tree_rule(block, place.mask(), spec_.unified_memory.threshold_percent);
  const uint64_t bytes = to_host(place, leaves, is_write ? place.mask() : 0);
  ++counters_.cpu_faults;
  if (bytes > 0 || duplicate) {
    const double transfer = static_cast<double>(bytes) / (spec_.unified_memory.writeback_gbs * 1e3);
    const double us = transfer + (spec_.unified_memory.demand_paging ? spec_.unified_memory.cpu_fault_us : 0);
    counters_.device_to_host_us += transfer;
    counters_.cpu_fault_us += us;
    host_us_ += us;
  }
  // A span of the rule is contiguous with the leaves that made it dense, so the new host range is one piece.
  const uint32_t here = place.leaves().host;
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
  for_each_block(address, bytes, [&](const Place& place, uint32_t leaves) {
    const Leaves& now = place.leaves();
    moved += to_gpu ? to_device(place, leaves & ~now.device, 0) : to_host(place, leaves & ~now.host, 0);
  });
  const double up = static_cast<double>(to_gpu ? moved : 0) / (spec_.host_link.pinned_h2d_gbs * 1e3);
  const double down = static_cast<double>((to_gpu ? 0 : moved) + std::exchange(evicted_bytes_, 0)) /
                      (spec_.host_link.pinned_d2h_gbs * 1e3);
  counters_.host_to_device_us += up;
  counters_.device_to_host_us += down;
  return std::max(up, down);
}

}  // namespace hpml::sim::timing
