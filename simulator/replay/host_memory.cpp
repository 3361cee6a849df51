#include "simulator/replay/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "simulator/memory/managed.hpp"
#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {
namespace {

using memory::kLeafBytes;

// Whether any page of it exists. Reading a page that does not would make it, and the model takes pages that exist for
// pages that the program has touched.
bool there(const std::byte* view, uint64_t bytes) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident[kLeafBytes / 4096] = {};
  const auto start = reinterpret_cast<uint64_t>(view) / page * page;
  const uint64_t length = reinterpret_cast<uint64_t>(view) + bytes - start;
  if (mincore(reinterpret_cast<void*>(start), length, resident) != 0) {
    return true;
  }
  return std::any_of(std::begin(resident), std::end(resident), [](unsigned char state) { return (state & 1) != 0; });
}

uint64_t digest(const std::byte* data, uint64_t bytes) { return std::max<uint64_t>(digest_of(data, bytes), 1); }

}  // namespace

void HostMemory::added(const memory::Allocation& allocation) {
  const bool shared = allocation.kind == memory::Kind::managed || allocation.kind == memory::Kind::pinned;
  if (!shared && allocation.kind != memory::Kind::registered) {
    return;
  }
  Block block{.view = allocation.view,
              .bytes = allocation.size,
              .sparse = shared,
              .digests = std::vector<uint64_t>((allocation.size + kLeafBytes - 1) / kLeafBytes, 0)};
  blocks_[allocation.base] = std::move(block);
}

template <class Do>
void HostMemory::each_leaf(uint64_t address, uint64_t bytes, const Do& act) {
  const uint64_t end = bytes > UINT64_MAX - address ? UINT64_MAX : address + bytes;
  for (auto& [base, block] : blocks_) {
    for (size_t leaf = 0; leaf < block.digests.size(); ++leaf) {
      const uint64_t offset = leaf * kLeafBytes;
      const uint64_t length = std::min(kLeafBytes, block.bytes - offset);
      const bool inside = base + offset < end && base + offset + length > address;
      if (inside && (!block.sparse || block.digests[leaf] != 0 || there(block.view + offset, length))) {
        act(base + offset, block.view + offset, length, block.digests[leaf]);
      }
    }
  }
}

void HostMemory::changed(uint64_t address, uint64_t bytes, const Found& found) {
  each_leaf(address, bytes, [&](uint64_t at, const std::byte* data, uint64_t length, uint64_t& known) {
    const uint64_t now = digest(data, length);
    if (now != known) {
      known = now;
      found(at, data, length);
    }
  });
}

void HostMemory::forget(uint64_t address, uint64_t bytes) {
  each_leaf(address, bytes,
            [](uint64_t, const std::byte* data, uint64_t length, uint64_t& known) { known = digest(data, length); });
}

}  // namespace hpml::sim::replay
