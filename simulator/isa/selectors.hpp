#pragma once
// The word that holds which parts of its operands a video instruction works on (PTX ISA 9.0, 9.7.17, 9.7.18). Written
// by the ir room from the operands' text, read by ops/video*.hpp.
#include <cstdint>
#include <optional>
#include <string_view>

#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

// scalar: codes of a, b and d (0 the whole word, 1..4 b0..b3, 5, 6 h0, h1) in bits 0..3, 4..7, 8..11; negation of a, b,
// c (vmad) in bits 12..14.
inline constexpr uint32_t kPartBits = 4, kPartMask = 15, kNegateBit = 12;
inline constexpr uint32_t kWholeWord = 0, kFirstByte = 1, kFirstHalf = 5;
// halves, bytes: element numbers of three bits, the lowest first, of a in bits 0..11 and of b in 12..23; the elements
// of d that are written in bits 24..27.
inline constexpr uint32_t kElementBits = 3, kElementMask = 7, kSecondOperand = 12, kDestinationMask = 24;

struct SelectorWords {
  std::string_view d, a, b;  // as written behind the operands' dots, "" where nothing is
  bool minus_a = false, minus_b = false, minus_c = false;
};
// Nothing: one of the words is no part, or a minus stands where none may.
std::optional<uint32_t> pack_selectors(Selectors kind, const SelectorWords& words);

}  // namespace hpml::sim::isa
