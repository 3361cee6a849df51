#pragma once
// How the addresses of one instruction lie to each other. In loops they move together: while they do, what a pass over
// them finds out (range, sectors, bank passes, neighbours that can be copied at once) holds from one access to the
// next.
#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

class AccessShape {
 public:
  // Do the addresses in `base` lie to each other as those learned last?
  bool matches(const uint64_t* base, isa::LaneMask lanes) const;
  bool matches(const uint32_t* base, isa::LaneMask lanes) const;
  // Takes over 32 addresses; those of `lanes` count, and all others are that of the first of `lanes`. Elements of
  // `bytes` bytes each. What depends on where the first address lies is forgotten.
  void learn(const uint64_t* address, isa::LaneMask lanes, uint32_t bytes);

  // The same for a full warp where segment() is not 0; inlined into loops that are compiled for wider vectors.
  [[gnu::always_inline]] bool matches_row(const uint64_t* base) const { return same(base, distance_.data()); }
  [[gnu::always_inline]] bool matches_row(const uint32_t* base) const { return same(base, narrow_.data()); }

  // By lane: the distance from the first lane's address, modulo 2^64.
  const std::array<uint64_t, 32>& distance() const { return distance_; }
  uint64_t low() const { return low_; }    // the least distance, as an addend
  uint64_t high() const { return high_; }  // the greatest
  uint64_t bits() const { return bits_; }  // OR of all
  // Full warps: lanes of such a segment (32, 16 or 8; 0: none does) lie side by side or all at one address.
  int segment() const { return segment_; }
  bool any_uniform() const { return uniform_ != 0; }
  bool uniform(int which) const { return (uniform_ >> which & 1u) != 0; }

  // Parts of the access (sectors and lines; passes and the least passes) where the first address is `first`.
  struct Parts {
    uint8_t a = 0, b = 0;  // a == 0: not known
  };
  Parts& parts(uint64_t first) { return parts_[first / kGrain % kPlaces]; }
  const Parts& parts(uint64_t first) const { return parts_[first / kGrain % kPlaces]; }
  uint32_t distinct_bytes = 0;  // 0: not known
  // Full warps: the first address of the conflicting access that was counted last. Counting it again changes nothing.
  uint64_t counted_conflict = UINT64_MAX;

  static constexpr uint64_t kGrain = 4;  // parts() are for addresses that are multiples of this
  // Accesses that do not match make it look less often.
  bool worth_a_look() { return misses_ < kPatience || ++skipped_ % kRarely == 0; }
  void matched() { misses_ = 0; }
  void missed() { misses_ += misses_ < kPatience ? 1 : 0; }

 private:
  template <class T>
  [[gnu::always_inline]] static bool same(const T* base, const T* distance) {
    T difference = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      difference |= static_cast<T>(base[lane] - base[0]) ^ distance[lane];
    }
    return difference == 0;
  }

  static constexpr size_t kPlaces = 32;  // 128 bytes: a line, or all banks
  static constexpr uint8_t kPatience = 4, kRarely = 32;

  alignas(64) std::array<uint64_t, 32> distance_ = {};
  alignas(64) std::array<uint32_t, 32> narrow_ = {};  // the same modulo 2^32
  std::array<Parts, kPlaces> parts_ = {};
  uint64_t low_ = 0, high_ = 0, bits_ = 0;
  isa::LaneMask lanes_ = 0;  // 0: nothing learned
  int segment_ = 0;
  uint32_t uniform_ = 0;
  uint8_t misses_ = 0, skipped_ = 0;
};

}  // namespace hpml::sim::exec
