#include "simulator/device/repeated_launches.hpp"

#define XXH_INLINE_ALL  // no library to find at run time
#include <xxhash.h>

#include <algorithm>

#include "simulator/device/launch_key.hpp"

namespace hpml::sim::device {
namespace {

// A kernel whose contents were hashed so often and never found again works on other data every time.
constexpr int kPatience = 8;
// Bytes to hash per executed warp instruction at most: hashing takes some 0.1 ns a byte, executing some 100 ns an
// instruction, so trying costs a few per cent.
constexpr uint64_t kBytesPerInstruction = 64;

std::array<uint64_t, 2> hash_of(const memory::Allocation& allocation) {
  const XXH128_hash_t hash = XXH3_128bits(allocation.view, allocation.size);
  return {hash.low64, hash.high64};
}

// Memory that only the device and calls of the program change. Pinned and managed memory is the host's as well, which
// may write it while the kernel runs.
bool is_private(const memory::Allocation& allocation) {
  return allocation.kind == memory::Kind::device || allocation.kind == memory::Kind::module;
}

bool repeatable(const exec::Touched& touched, uint64_t instructions) {
  uint64_t bytes = 0;
  for (const auto& part : touched.parts) {
    if (!is_private(*part.allocation) || (part.read && part.written)) {
      return false;
    }
    bytes += part.allocation->size;
  }
  return touched.complete && bytes / kBytesPerInstruction <= instructions;
}

}  // namespace

bool RepeatedLaunches::hopeless(KernelId kernel) const {
  const auto tried = in_vain_.find(kernel);
  return tried != in_vain_.end() && tried->second >= kPatience;
}

bool RepeatedLaunches::unchanged(const Entry& entry, const memory::AddressSpace& memory) {
  return std::all_of(entry.contents.begin(), entry.contents.end(), [&](const Content& content) {
    const memory::Allocation* now = memory.find(content.base);
    return now != nullptr && now->base == content.base && now->size == content.size && is_private(*now) &&
           hash_of(*now) == content.hash;
  });
}

const RepeatedLaunches::Known* RepeatedLaunches::find(const LaunchRequest& request,
                                                      const memory::AddressSpace& memory) {
  const auto entry = entries_.find(launch_key(request));
  if (entry == entries_.end() || hopeless(request.kernel)) {
    return nullptr;
  }
  if (!unchanged(entry->second, memory)) {
    entries_.erase(entry);
    return nullptr;
  }
  in_vain_[request.kernel] = 0;
  return &entry->second.known;
}

void RepeatedLaunches::remember(const LaunchRequest& request, const exec::Touched& touched, const Known* known,
                                LaunchOutcome outcome) {
  if (known != nullptr) {
    Known& again = entries_.at(launch_key(request)).known;
    again.outcome = std::move(outcome);
    ++again.times;
    return;
  }
  if (hopeless(request.kernel) || !repeatable(touched, outcome.counters.warp_instructions)) {
    return;
  }
  ++in_vain_[request.kernel];
  Entry& entry = entries_[launch_key(request)];
  entry = {.contents = {}, .known = {.outcome = std::move(outcome), .times = 1}};
  for (const auto& part : touched.parts) {
    entry.contents.push_back({part.allocation->base, part.allocation->size, hash_of(*part.allocation)});
  }
}

}  // namespace hpml::sim::device
