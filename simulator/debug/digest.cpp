#include "simulator/debug/digest.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace hpml::sim::debug {
namespace {

// FNV-1a, by eight bytes at a time.
uint64_t mix(uint64_t hash, std::span<const std::byte> bytes) {
  constexpr uint64_t kPrime = 0x100000001b3;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= bytes.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 32;
  }
  for (; i < bytes.size(); ++i) {
    hash = (hash ^ static_cast<uint64_t>(bytes[i])) * kPrime;
  }
  return hash;
}

}  // namespace

uint64_t digest(const memory::AddressSpace& memory, const exec::Counters& counters) {
  constexpr uint64_t kStart = 0xcbf29ce484222325;
  uint64_t hash = mix(kStart, std::as_bytes(std::span(&counters, 1)));
  for (const memory::Allocation* allocation : memory.live()) {
    hash = mix(hash, {allocation->view, allocation->size});
  }
  return hash;
}

}  // namespace hpml::sim::debug
