#include "simulator/memory/address_space.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "simulator/memory/detail/region.hpp"
#include "simulator/memory/managed.hpp"

namespace hpml::sim::memory {
namespace {

constexpr size_t kFreedRemembered = 4096;
constexpr uint64_t kPinnedAlignment = 64 * 1024;  // no page of any machine is larger: the program sees whole pages
constexpr uint64_t kLeastPage = 4096;             // of any machine: the system chooses what of an address is above it
constexpr uint64_t kLine = 128;                   // of the caches that ask place_of()

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

bool counts_as_device(Kind kind) { return kind == Kind::device || kind == Kind::module; }

// What a GPU maps at a time: cudaMalloc takes parts of pages of 2 MiB, the driver grows managed memory by leaves.
uint64_t page_of(Kind kind) {
  switch (kind) {
    case Kind::device:
    case Kind::module: return kVaBlockBytes;
    case Kind::managed: return kLeafBytes;
    case Kind::pinned:
    case Kind::registered: return kLeastPage;
  }
  HPML_CHECK(false, fmt::format("allocation kind {}", static_cast<int>(kind)));
}

uint64_t alignment_of(Kind kind, uint64_t bytes) {
  switch (kind) {
    case Kind::device:
    case Kind::module: return kAlignment;
    case Kind::managed: return bytes >= kVaBlockBytes / 2 ? kVaBlockBytes : kLeafBytes;
    case Kind::pinned:
    case Kind::registered: return kPinnedAlignment;
  }
  HPML_CHECK(false, fmt::format("allocation kind {}", static_cast<int>(kind)));
}

// Bytes an allocation takes from its region: whole protection units, guard included.
uint64_t extent_of(Kind kind, uint64_t bytes) {
  return round_up(bytes + kGuardBytes, counts_as_device(kind) ? kAlignment : kLeafBytes);
}

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::device: return "device";
    case Kind::managed: return "managed";
    case Kind::pinned: return "pinned";
    case Kind::registered: return "registered";
    case Kind::module: return "module";
  }
  return "?";
}

AddressSpace::AddressSpace(uint64_t device_bytes, int index)
    : device_bytes_(device_bytes),
      next_registered_(kRegisteredBase + kGpuStride * static_cast<uint64_t>(index)),
      index_(index) {}
AddressSpace::~AddressSpace() = default;

Result<std::unique_ptr<AddressSpace>> AddressSpace::create(uint64_t device_bytes, int index) {
  if (index < 0 || index >= kMaxGpus) {
    return error_in("<simulated memory>", fmt::format("GPU {} asked for: a process has at most {}", index, kMaxGpus));
  }
  if (device_bytes > kRegionBytes) {
    return error_in("<simulated memory>",
                    fmt::format("a GPU with {} GiB: at most {} are possible", device_bytes >> 30, kRegionBytes >> 30));
  }
  std::unique_ptr<AddressSpace> space(new AddressSpace(device_bytes, index));
  const std::pair<uint64_t, detail::Mapping::Sharing> wanted[] = {
      {kDeviceBase, detail::Mapping::Sharing::view_only},
      {kManagedBase, detail::Mapping::Sharing::both},
      {kPinnedBase, detail::Mapping::Sharing::both},
  };
  for (const auto& [region_base, sharing] : wanted) {
    const uint64_t base = region_base + kGpuStride * static_cast<uint64_t>(index);
    HPML_TRY(auto mapping, detail::Mapping::create(base, base + kViewOffset, kRegionBytes, sharing));
    // Address 0 of a region is never given out, so that a pointer just below an array is in no allocation either.
    detail::FreeList free(base + kVaBlockBytes, kRegionBytes - kVaBlockBytes);
    space->regions_.push_back(std::make_unique<Region>(Region{std::move(mapping), std::move(free)}));
  }
  return space;
}

uint64_t AddressSpace::managed_base() const { return kManagedBase + kGpuStride * static_cast<uint64_t>(index_); }

bool AddressSpace::detach_from_parent() const {
  bool done = true;
  for (const auto& [base, allocation] : live_) {
    if (allocation.kind == Kind::managed || allocation.kind == Kind::pinned) {
      done &= regions_[allocation.kind == Kind::managed ? 1 : 2]->mapping.make_private(base, allocation.size);
    }
  }
  for (const auto& [peer, access] : peers_) {
    for (const auto& [base, allocation] : peer->live_) {
      if (allocation.kind == Kind::managed || allocation.kind == Kind::pinned) {
        done &= peer->regions_[allocation.kind == Kind::managed ? 1 : 2]->mapping.make_private(base, allocation.size);
      }
    }
  }
  return done;
}

AddressSpace::Region& AddressSpace::region_of(Kind kind) {
  switch (kind) {
    case Kind::device:
    case Kind::module: return *regions_[0];
    case Kind::managed: return *regions_[1];
    case Kind::pinned: return *regions_[2];
    case Kind::registered: break;
  }
  HPML_CHECK(false, fmt::format("allocation kind {} has no region", static_cast<int>(kind)));
}

void AddressSpace::insert(Allocation allocation) {
  // Freed allocations whose place is used again would only mislead.
  auto it = freed_.lower_bound(allocation.base);
  if (it != freed_.begin() && std::prev(it)->second.end() > allocation.base) {
    --it;
  }
  while (it != freed_.end() && it->second.base < allocation.end()) {
    freed_base_.erase(it->second.serial);
    it = freed_.erase(it);
  }
  allocation.serial = ++serials_;
  const auto added = live_.emplace(allocation.base, std::move(allocation)).first;
  ++generation_;
  if (observer_ != nullptr) {
    observer_->allocated(added->second);
  }
}

uint64_t AddressSpace::allocate(Kind kind, uint64_t bytes, std::string label) {
  HPML_CHECK(bytes > 0, "allocation of no bytes");
  if (bytes > kRegionBytes || (counts_as_device(kind) && round_up(bytes, kAlignment) > free_bytes())) {
    return 0;
  }
  Region& region = region_of(kind);
  const auto base = region.free.take(extent_of(kind, bytes), alignment_of(kind, bytes));
  if (!base) {
    return 0;
  }
  if (!region.mapping.allow(*base, bytes)) {
    region.free.give(*base, extent_of(kind, bytes));
    return 0;
  }
  used_bytes_ += counts_as_device(kind) ? round_up(bytes, kAlignment) : 0;
  insert(
      {.base = *base, .size = bytes, .kind = kind, .view = region.mapping.view_of(*base), .label = std::move(label)});
  return *base;
}

void AddressSpace::erase(std::map<uint64_t, Allocation>::iterator it) {
  last_found_ = nullptr;
  ++generation_;
  remember_freed(std::move(it->second));
  live_.erase(it);
}

void AddressSpace::remember_freed(Allocation allocation) {
  if (freed_order_.size() == kFreedRemembered) {
    if (const auto oldest = freed_base_.find(freed_order_.front()); oldest != freed_base_.end()) {
      freed_.erase(oldest->second);
      freed_base_.erase(oldest);
    }
    freed_order_.pop_front();
  }
  freed_order_.push_back(allocation.serial);
  freed_base_[allocation.serial] = allocation.base;
  freed_.emplace(allocation.base, std::move(allocation));
}

FreeResult AddressSpace::free(uint64_t base, Kind kind) {
  const auto it = live_.find(base);
  if (it == live_.end()) {
    const auto gone = freed_.find(base);
    return gone == freed_.end() ? FreeResult::not_an_allocation : FreeResult::already_freed;
  }
  if (it->second.kind != kind || kind == Kind::registered || is_reserved(base, 1)) {
    return FreeResult::wrong_kind;
  }
  if (observer_ != nullptr) {
    observer_->freed(it->second);
  }
  if (is_imported(base)) {
    drop_import(base);
    erase(it);
    return FreeResult::ok;
  }
  const uint64_t bytes = it->second.size;
  Region& region = region_of(kind);
  region.mapping.forbid(base, bytes);
  region.mapping.discard(base, bytes);
  region.free.give(base, extent_of(kind, bytes));
  used_bytes_ -= counts_as_device(kind) ? round_up(bytes, kAlignment) : 0;
  erase(it);
  return FreeResult::ok;
}

bool AddressSpace::register_host(void* host, uint64_t bytes) {
  const auto base = reinterpret_cast<uint64_t>(host);
  HPML_CHECK(bytes > 0, "registration of no bytes");
  const auto next = live_.lower_bound(base);
  const bool overlaps_next = next != live_.end() && next->second.base - base < bytes;
  const bool overlaps_previous = next != live_.begin() && std::prev(next)->second.end() > base;
  if (overlaps_next || overlaps_previous) {
    return false;
  }
  const uint64_t place = next_registered_ + base % kLeastPage;
  next_registered_ += round_up(base % kLeastPage + bytes, kVaBlockBytes);
  insert({.base = base,
          .size = bytes,
          .kind = Kind::registered,
          .view = static_cast<std::byte*>(host),
          .label = {},
          .place = place});
  return true;
}

bool AddressSpace::unregister_host(void* host) {
  const auto it = live_.find(reinterpret_cast<uint64_t>(host));
  if (it == live_.end() || it->second.kind != Kind::registered) {
    return false;
  }
  if (observer_ != nullptr) {
    observer_->freed(it->second);
  }
  erase(it);
  return true;
}

// The registered memory that has bytes of the line, or null: a line may begin before its first byte.
const Allocation* AddressSpace::registered_at(uint64_t line) const {
  const auto after = live_.lower_bound(line + kLine);
  if (after == live_.begin()) {
    return nullptr;
  }
  const Allocation& candidate = std::prev(after)->second;
  return candidate.kind == Kind::registered && candidate.end() > line ? &candidate : nullptr;
}

uint64_t AddressSpace::place_of_host(uint64_t address) const {
  const uint64_t line = address / kLine * kLine;
  const Allocation* found = registered_at(line);
  for (auto peer = peers_.begin(); found == nullptr && peer != peers_.end(); ++peer) {
    found = peer->first->registered_at(line);
  }
  return found == nullptr ? address : found->place + (address - found->base);
}

void AddressSpace::enable_peer(const AddressSpace& peer, bool enabled) {
  peers_[&peer] = enabled;
  if (observer_ != nullptr) {
    observer_->peer_enabled(peer, enabled);
  }
}

const Allocation* AddressSpace::find(uint64_t address) const {
  if (const Allocation* mine = own(address); mine != nullptr || peers_.empty()) {
    return mine;
  }
  for (const auto& [peer, device_memory] : peers_) {
    const Allocation* theirs = peer->own(address);
    const bool may_read = theirs != nullptr && (theirs->readers >> index_ & 1) != 0;
    if (theirs != nullptr && (device_memory || may_read || !counts_as_device(theirs->kind))) {
      return theirs;
    }
  }
  return nullptr;
}

void AddressSpace::set_readers(uint64_t base, uint8_t gpus) {
  if (const auto found = live_.find(base); found != live_.end()) {
    found->second.readers = gpus;
    ++generation_;
  }
}

const Allocation* AddressSpace::out_of_reach(uint64_t address) const {
  for (const auto& [peer, device_memory] : peers_) {
    if (const Allocation* theirs = peer->own(address); theirs != nullptr && !device_memory) {
      return theirs;
    }
  }
  return nullptr;
}

std::byte* AddressSpace::own_mapped(uint64_t address, uint64_t bytes, bool device_memory) const {
  const Allocation* near = nearest(address);
  if (near == nullptr || (!device_memory && counts_as_device(near->kind))) {
    return nullptr;
  }
  const uint64_t page = page_of(near->kind), first = address / page;
  const bool together = first >= near->base / page && first <= (near->end() - 1) / page;
  return together && (address + bytes - 1) / page == first
             ? near->view + static_cast<std::ptrdiff_t>(address - near->base)
             : nullptr;
}

std::byte* AddressSpace::mapped(uint64_t address, uint64_t bytes) const {
  std::byte* found = own_mapped(address, bytes, true);
  for (auto peer = peers_.begin(); found == nullptr && peer != peers_.end(); ++peer) {
    found = peer->first->own_mapped(address, bytes, peer->second);
  }
  return found;
}

bool AddressSpace::is_host_memory(uint64_t address) {
  constexpr uint64_t kSimulatedEnd = kDeviceBase + kMaxGpus * kGpuStride + kViewOffset;
  if (address >= kDeviceBase && address < kSimulatedEnd) {
    return false;
  }
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return address >= page && mincore(reinterpret_cast<void*>(address / page * page), page, &resident) == 0;
}

const Allocation* AddressSpace::own(uint64_t address) const {
  const Allocation* last = last_found_.load(std::memory_order_relaxed);
  if (last != nullptr && last->contains(address, 1)) {
    return last;
  }
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) {
    return nullptr;
  }
  const Allocation& candidate = std::prev(after)->second;
  if (!candidate.contains(address, 1)) {
    return nullptr;
  }
  last_found_.store(&candidate, std::memory_order_relaxed);
  return &candidate;
}

const Allocation* AddressSpace::nearest(uint64_t address) const {
  const auto after = live_.upper_bound(address);
  const Allocation* above = after == live_.end() ? nullptr : &after->second;
  const Allocation* below = after == live_.begin() ? nullptr : &std::prev(after)->second;
  if (below == nullptr || above == nullptr) {
    return below == nullptr ? above : below;
  }
  const uint64_t past = address < below->end() ? 0 : address - below->end() + 1;
  return past <= above->base - address ? below : above;
}

const Allocation* AddressSpace::freed(uint64_t address) const {
  const auto after = freed_.upper_bound(address);
  if (after == freed_.begin()) {
    return nullptr;
  }
  const Allocation& candidate = std::prev(after)->second;
  return candidate.contains(address, 1) ? &candidate : nullptr;
}

std::vector<const Allocation*> AddressSpace::live() const {
  std::vector<const Allocation*> all;
  all.reserve(live_.size());
  for (const auto& [base, allocation] : live_) {
    all.push_back(&allocation);
  }
  return all;
}

}  // namespace hpml::sim::memory
