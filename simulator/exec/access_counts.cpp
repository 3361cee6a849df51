#include "simulator/exec/access_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "simulator/exec/detail/address_pass.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

struct TouchedLine {  // without initial values: 32 of them would cost more than the count
  uint64_t line;
  std::array<uint32_t, 4> bytes;  // by sector: which of its 32 bytes
};

}  // namespace

HPML_VECTOR_CLONES SectorCount count_sectors(const uint64_t* address, isa::LaneMask active, uint32_t bytes) {
  std::array<TouchedLine, 32> lines;
  int count = 0;
  uint64_t highest = 0;
  int last = -1;
  uint64_t before = 0;
  for (isa::LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const uint64_t a = address[std::countr_zero(rest)];
    if (last >= 0 && a == before) {
      continue;  // several lanes read one element
    }
    before = a;
    const uint64_t line = a / 128;
    if (last < 0 || lines[static_cast<size_t>(last)].line != line) {
      last = -1;
      if (count > 0 && line <= highest) {  // lanes out of order: look for the line
        for (int i = 0; i < count && last < 0; ++i) {
          last = lines[static_cast<size_t>(i)].line == line ? i : -1;
        }
      }
      if (last < 0) {
        last = count++;
        lines[static_cast<size_t>(last)] = {line, {}};
      }
      highest = std::max(highest, line);
    }
    const uint32_t ones = bytes >= 32 ? 0xffff'ffffu : (1u << bytes) - 1;
    lines[static_cast<size_t>(last)].bytes[a / 32 % 4] |= ones << (a % 32);
  }
  SectorCount sum;
  sum.lines = count;
  for (int i = 0; i < count; ++i) {
    const TouchedLine& touched = lines[static_cast<size_t>(i)];
    for (const uint32_t in_sector : touched.bytes) {
      sum.sectors += in_sector != 0 ? 1 : 0;
      sum.bytes += static_cast<uint32_t>(std::popcount(in_sector));
    }
  }
  return sum;
}

namespace {

struct Steps {
  uint64_t down = 0;                              // lanes whose address is below that of the lane before
  uint64_t elements = 1, sectors = 1, lines = 1;  // changes from lane to lane, and the first
};

HPML_VECTOR_CLONES Steps count_steps(const uint64_t* address) {
  Steps n;
  for (size_t lane = 1; lane < 32; ++lane) {
    const uint64_t a = address[lane], before = address[lane - 1];
    n.down += static_cast<int64_t>(a) < static_cast<int64_t>(before) ? 1u : 0u;
    n.elements += a != before ? 1u : 0u;
    n.sectors += a / 32 != before / 32 ? 1u : 0u;
    n.lines += a / 128 != before / 128 ? 1u : 0u;
  }
  return n;
}

// Lanes within 64 elements and 64 sectors from the line of `low` on. The bits are counted here, not by the caller: the
// portable baseline has no popcount instruction.
HPML_VECTOR_CLONES SectorCount count_window(const uint64_t* address, isa::LaneMask active, uint64_t low, int shift) {
  uint64_t elements = 0, sectors = 0;
  const uint64_t line = low & ~uint64_t{127};
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint64_t one = active >> lane & 1u;
    elements |= one << ((address[lane] - low) >> shift & 63);
    sectors |= one << ((address[lane] - line) / 32 & 63);
  }
  const uint64_t lines = sectors | sectors >> 1 | sectors >> 2 | sectors >> 3;
  return {std::popcount(sectors), std::popcount(lines & 0x1111'1111'1111'1111u),
          static_cast<uint32_t>(std::popcount(elements)) << shift};
}

}  // namespace

SectorCount count_sectors(const uint64_t* address, isa::LaneMask active, uint32_t bytes, const AddressRange& range) {
  if (range.low == range.high) {
    return {1, 1, bytes};
  }
  // Aligned accesses of one width overlap wholly or not at all: different addresses are different bytes.
  if (std::has_single_bit(bytes) && (range.bits & (bytes - 1)) == 0) {
    const int shift = std::countr_zero(bytes);
    if ((range.high - range.low) >> shift < 64 && (range.high / 32 - range.low / 128 * 4) < 64) {
      return count_window(address, active, range.low, shift);
    }
    if (active == isa::kFullMask) {
      if (const Steps steps = count_steps(address); steps.down == 0) {
        return {static_cast<int>(steps.sectors), static_cast<int>(steps.lines),
                bytes * static_cast<uint32_t>(steps.elements)};
      }
    }
    if (range.high - range.low < kDistinctSpan) {
      const DistinctCount count = count_distinct(address, active, range.low);
      return {count.sectors, count.lines, bytes * static_cast<uint32_t>(count.elements)};
    }
  }
  return count_sectors(address, active, bytes);
}

namespace {

// Lanes that touch another sector than the lane before, and the first.
HPML_VECTOR_CLONES isa::LaneMask new_sectors(const uint64_t* address) {
  uint64_t lanes = 1;
  for (uint32_t lane = 1; lane < 32; ++lane) {
    lanes |= uint64_t{address[lane] / 32 != address[lane - 1] / 32} << lane;
  }
  return static_cast<isa::LaneMask>(lanes);
}

}  // namespace

void list_lines(const uint64_t* address, isa::LaneMask active, Access& out) {
  int count = 0, last = 0, sectors = 0;
  for (isa::LaneMask rest = active == isa::kFullMask ? new_sectors(address) : active; rest != 0; rest &= rest - 1) {
    const uint64_t a = address[std::countr_zero(rest)];
    const uint64_t line = a / 128;
    const auto same = [&](int i) { return out.lines[static_cast<size_t>(i)].line == line; };
    if (count == 0 || !same(last)) {
      for (last = 0; last < count && !same(last);) {
        ++last;
      }
      if (last == count) {
        out.lines[static_cast<size_t>(count++)] = {line, 0};
      }
    }
    uint8_t& touched = out.lines[static_cast<size_t>(last)].sectors;
    const uint32_t sector = 1u << (a / 32 % 4);
    sectors += (touched & sector) == 0 ? 1 : 0;
    touched = static_cast<uint8_t>(touched | sector);
  }
  out.line_count = count;
  out.sector_count = sectors;
}

namespace {

// No two of 32 words in a row lie in one bank.
bool within_one_pass(uint64_t low, uint64_t high, uint32_t bytes) {
  return high / 4 + std::max(bytes / 4, 1u) - low / 4 <= 32;
}

bool within_one_pass(const uint64_t* offset, isa::LaneMask lanes, uint32_t bytes) {
  uint64_t low = offset[std::countr_zero(lanes)], high = low;
  for (isa::LaneMask rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
    const uint64_t a = offset[std::countr_zero(rest)];
    low = std::min(low, a);
    high = std::max(high, a);
  }
  return within_one_pass(low, high, bytes);
}

// Passes one group of lanes needs: each serves one word of every bank, to all lanes that want it.
int passes(const uint64_t* offset, isa::LaneMask lanes, uint32_t bytes) {
  std::array<uint32_t, 64> words;
  const uint32_t each = std::max(bytes / 4, 1u);
  uint32_t count = 0;
  for (isa::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto first = static_cast<uint32_t>(offset[std::countr_zero(rest)] / 4);
    for (uint32_t i = 0; i < each; ++i) {
      words[count++] = first + i;
    }
  }
  int passes = 0;
  for (uint64_t left = ~uint64_t{0} >> (64 - count); left != 0; ++passes) {
    std::array<uint32_t, 32> served;  // by bank
    uint32_t busy = 0;                // a bit for each bank that has a word to serve
    uint64_t next = 0;
    for (; left != 0; left &= left - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(left));
      const uint32_t word = words[i], bank = word % 32;
      const uint32_t now = (busy >> bank & 1u) != 0 ? served[bank] : word;
      served[bank] = now;
      busy |= 1u << bank;
      next |= uint64_t{now != word} << i;
    }
    left = next;
  }
  return passes;
}

}  // namespace

namespace {

// Distance between neighbouring lanes where it is the same for all of them; else 0.
HPML_VECTOR_CLONES uint64_t common_stride(const uint64_t* offset) {
  const uint64_t stride = offset[1] - offset[0];
  uint64_t difference = 0;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    difference |= offset[lane] ^ (offset[0] + lane * stride);
  }
  return difference == 0 ? stride : 0;
}

}  // namespace

BankCount count_banks(const uint64_t* offset, isa::LaneMask active, uint32_t bytes, const AddressRange& range) {
  const int groups = bytes <= 4 ? 1 : bytes == 8 ? 2 : 4;
  const int lanes = isa::kWarpSize / groups;
  const bool all_within = within_one_pass(range.low, range.high, bytes);
  if (active == isa::kFullMask && bytes == 4 && !all_within) {
    if (const uint64_t stride = common_stride(offset); stride != 0 && stride % 4 == 0) {
      const uint64_t words = stride / 4;  // 32 different words, whose banks repeat after 32 / gcd(words, 32) lanes
      return {.wavefronts = static_cast<int>(std::min<uint64_t>(words & (~words + 1), 32)), .ideal = 1};
    }
  }
  BankCount out;
  for (int g = 0; g < groups; ++g) {
    const isa::LaneMask group = (lanes == 32 ? isa::kFullMask : ((1u << lanes) - 1) << (g * lanes)) & active;
    if (group != 0) {
      const bool within = all_within || (groups > 1 && within_one_pass(offset, group, bytes));
      out.wavefronts += within ? 1 : passes(offset, group, bytes);
      out.ideal += 1;
    }
  }
  return out;
}

}  // namespace hpml::sim::exec
