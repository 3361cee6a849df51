#pragma once
// First fit by address over one range: the same calls give the same addresses.
#include <cstdint>
#include <map>
#include <optional>

namespace hpml::sim::memory::detail {

class FreeList {
 public:
  FreeList(uint64_t start, uint64_t bytes) : free_{{start, bytes}} {}
  // The lowest `alignment`-aligned place with room for `bytes`; none when there is no such place.
  std::optional<uint64_t> take(uint64_t bytes, uint64_t alignment);
  // Returns exactly what take(bytes, ...) gave.
  void give(uint64_t start, uint64_t bytes);

 private:
  std::map<uint64_t, uint64_t> free_;  // start -> bytes; neighbours are merged
};

}  // namespace hpml::sim::memory::detail
