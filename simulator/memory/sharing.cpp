// Device memory that several processes use: its pages lie in a memory file, which each of them maps.
#include <unistd.h>

#include "simulator/memory/address_space.hpp"
#include "simulator/memory/detail/region.hpp"

namespace hpml::sim::memory {
namespace {

uint64_t page_bytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }
uint64_t pages_down(uint64_t address) { return address / page_bytes() * page_bytes(); }
uint64_t pages_up(uint64_t address) { return pages_down(address + page_bytes() - 1); }

}  // namespace

int AddressSpace::sharing_file() { return region_of(Kind::device).mapping.file(); }

std::optional<SharedPages> AddressSpace::share(uint64_t base) {
  const auto it = live_.find(base);
  if (it == live_.end() || it->second.kind != Kind::device || is_imported(base) || is_reserved(base, 1)) {
    return std::nullopt;
  }
  auto& mapping = region_of(Kind::device).mapping;
  const uint64_t first = pages_down(base), end = pages_up(it->second.end());
  if (!mapping.share(first, end - first)) {
    return std::nullopt;
  }
  return SharedPages{
      .offset = first - mapping.base(), .bytes = end - first, .skip = base - first, .size = it->second.size};
}

uint64_t AddressSpace::import(int file, const SharedPages& pages) {
  const bool sound = pages.bytes > 0 && pages.bytes <= kRegionBytes && pages.offset <= kRegionBytes - pages.bytes &&
                     pages_down(pages.bytes | pages.offset) == (pages.bytes | pages.offset) && pages.size > 0 &&
                     pages.size <= pages.bytes && pages.skip <= pages.bytes - pages.size;
  Region& region = region_of(Kind::device);
  const auto place = sound ? region.free.take(pages_up(pages.bytes + kGuardBytes), page_bytes()) : std::nullopt;
  if (!place) {
    return 0;
  }
  if (!region.mapping.adopt(*place, pages.bytes, file, pages.offset)) {
    region.free.give(*place, pages_up(pages.bytes + kGuardBytes));
    return 0;
  }
  const uint64_t base = *place + pages.skip;
  imported_[base] = pages;
  insert({.base = base, .size = pages.size, .kind = Kind::device, .view = region.mapping.view_of(base), .label = {}});
  return base;
}

void AddressSpace::drop_import(uint64_t base) {
  const SharedPages pages = imported_[base];
  Region& region = region_of(Kind::device);
  region.mapping.discard(base - pages.skip, pages.bytes);
  region.free.give(base - pages.skip, pages_up(pages.bytes + kGuardBytes));
  imported_.erase(base);
}

}  // namespace hpml::sim::memory
