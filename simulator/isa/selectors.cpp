#include "simulator/isa/selectors.hpp"

namespace hpml::sim::isa {

namespace {

std::optional<uint32_t> digit_below(char c, uint32_t limit) {
  const auto value = static_cast<uint32_t>(c - '0');
  return c >= '0' && value < limit ? std::optional(value) : std::nullopt;
}

std::optional<uint32_t> scalar_part(std::string_view word) {
  if (word.empty()) {
    return kWholeWord;
  }
  const bool byte = word[0] == 'b';
  if (word.size() != 2 || (!byte && word[0] != 'h')) {
    return std::nullopt;
  }
  const auto number = digit_below(word[1], byte ? 4 : 2);
  return number ? std::optional((byte ? kFirstByte : kFirstHalf) + *number) : std::nullopt;
}

std::optional<uint32_t> pack_scalar(const SelectorWords& words) {
  const auto d = scalar_part(words.d), a = scalar_part(words.a), b = scalar_part(words.b);
  if (!d || !a || !b) {
    return std::nullopt;
  }
  const uint32_t negations =
      (words.minus_a ? 1u : 0u) | (words.minus_b ? 2u : 0u) | (words.minus_c ? 4u : 0u);
  return *a | *b << kPartBits | *d << (2 * kPartBits) | negations << kNegateBit;
}

// ".h10": element 1 is half 1, element 0 half 0; the default begins at `first`.
std::optional<uint32_t> elements(std::string_view word, char letter, uint32_t count, uint32_t first) {
  uint32_t out = 0;
  if (word.empty()) {
    for (uint32_t i = 0; i < count; ++i) {
      out |= (first + i) << (kElementBits * i);
    }
    return out;
  }
  if (word.size() != count + 1 || word[0] != letter) {
    return std::nullopt;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const auto number = digit_below(word[count - i], 2 * count);
    if (!number) {
      return std::nullopt;
    }
    out |= *number << (kElementBits * i);
  }
  return out;
}

// ".b20": elements 2 and 0, written in falling order.
std::optional<uint32_t> destination_mask(std::string_view word, char letter, uint32_t count) {
  if (word.empty()) {
    return (1u << count) - 1;
  }
  if (word[0] != letter || word.size() < 2) {
    return std::nullopt;
  }
  uint32_t out = 0, limit = count;
  for (const char c : word.substr(1)) {
    const auto number = digit_below(c, limit);
    if (!number) {
      return std::nullopt;
    }
    limit = *number;
    out |= 1u << *number;
  }
  return out;
}

}  // namespace

std::optional<uint32_t> pack_selectors(Selectors kind, const SelectorWords& words) {
  if (kind == Selectors::scalar) {
    return pack_scalar(words);
  }
  const char letter = kind == Selectors::halves ? 'h' : 'b';
  const uint32_t count = kind == Selectors::halves ? 2 : 4;
  const auto a = elements(words.a, letter, count, 0), b = elements(words.b, letter, count, count);
  const auto mask = destination_mask(words.d, letter, count);
  if (!a || !b || !mask || words.minus_a || words.minus_b || words.minus_c) {
    return std::nullopt;
  }
  return *a | *b << kSecondOperand | *mask << kDestinationMask;
}

}  // namespace hpml::sim::isa
