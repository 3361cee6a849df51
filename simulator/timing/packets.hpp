#pragma once
// What travels between an SM and the memory system: one packet per 128-byte line, with the sectors that are wanted.
#include <cstdint>

namespace hpml::sim::timing {

enum class MemOp : uint8_t { read, write, atomic, reduction };  // reduction: an atomic that returns nothing

struct MemRequest {
  uint64_t line = 0;    // address / 128; local memory has its own range above all global lines
  uint32_t ticket = 0;  // the SM's, returned in the reply
  uint16_t sm = 0;
  MemOp op = MemOp::read;
  uint8_t sectors = 0;        // bit i: 32-byte sector i
  uint16_t same_address = 1;  // atomics: lanes on the busiest address
  bool floating = false;      // atomics: a floating-point addition
  uint8_t partial = 0;        // writes: those of the sectors of which not all bytes are written
  bool far = false;           // the line's L2 slice is in another partition than the SM
  uint8_t link_epoch = 0;     // not 0: of memory at the other end of the link, see tag()

  // What caches know the line by. Of memory that others change they may keep nothing from one kernel to the next.
  uint64_t tag() const { return line | uint64_t{link_epoch} << 57; }
};

struct MemReply {
  uint32_t ticket = 0;
  uint8_t sectors = 0;
};

// Sectors in a mask of the four of a line. (std::popcount is a call of a function on the portable baseline.)
constexpr int sector_count(int sectors) {
  constexpr uint64_t kCounts = 0x4332'3221'3221'2110;  // of mask i: digit i
  return static_cast<int>((kCounts >> (4 * (sectors & 0xf))) & 0xf);
}

inline constexpr uint64_t kLocalLineBit = uint64_t{1} << 56;
inline constexpr uint32_t kSectorBytes = 32;

}  // namespace hpml::sim::timing
