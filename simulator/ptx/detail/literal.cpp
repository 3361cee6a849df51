#include "simulator/ptx/detail/literal.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

namespace hpml::sim::ptx {
namespace {

using Parsed = Result<Immediate, std::string>;

Parsed parse_hex_real(std::string_view text, size_t digits, Immediate::Kind kind) {
  const std::string_view body = text.substr(2);
  uint64_t bits = 0;
  const auto [end, status] = std::from_chars(body.data(), body.data() + body.size(), bits, 16);
  if (body.size() != digits || status != std::errc{} || end != body.data() + body.size()) {
    return fmt::format("'{}' must have exactly {} hexadecimal digits after '{}'", text, digits, text.substr(0, 2));
  }
  return Immediate{kind, bits, false};
}

Parsed parse_decimal_real(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range) {
    return fmt::format("'{}' does not fit in 64-bit floating point", text);
  }
  if (status != std::errc{} || end != text.data() + text.size()) {
    return fmt::format("'{}' is not a number", text);
  }
  return Immediate{Immediate::Kind::f64_bits, std::bit_cast<uint64_t>(value), false};
}

Parsed parse_integer(std::string_view text) {
  std::string_view body = text;
  Immediate value;
  if (body.ends_with('U')) {
    value.is_unsigned = true;
    body.remove_suffix(1);
  }
  int base = 10;
  if (body.size() > 1 && body[0] == '0') {
    const char mark = body[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    body.remove_prefix(base == 8 ? 1 : 2);
  }
  const auto [end, status] = std::from_chars(body.data(), body.data() + body.size(), value.bits, base);
  if (status == std::errc::result_out_of_range) {
    return fmt::format("'{}' does not fit in 64 bits", text);
  }
  if (status != std::errc{} || end != body.data() + body.size()) {
    return fmt::format("'{}' is not a number; {} integer was expected", text,
                       base == 16  ? "a hexadecimal"
                       : base == 8 ? "an octal"
                       : base == 2 ? "a binary"
                                   : "a decimal");
  }
  value.is_unsigned = value.is_unsigned || value.bits > uint64_t{std::numeric_limits<int64_t>::max()};
  return value;
}

}  // namespace

Parsed parse_literal(std::string_view text) {
  if (text.size() > 1 && text[0] == '0') {
    switch (text[1]) {  // a character, not an enum: everything else falls through
      case 'f':
      case 'F': return parse_hex_real(text, 8, Immediate::Kind::f32_bits);
      case 'd':
      case 'D': return parse_hex_real(text, 16, Immediate::Kind::f64_bits);
      case 'x':
      case 'X': return parse_integer(text);
      default: break;
    }
  }
  const bool real = text.find_first_of(".eE") != std::string_view::npos;
  return real ? parse_decimal_real(text) : parse_integer(text);
}

}  // namespace hpml::sim::ptx
