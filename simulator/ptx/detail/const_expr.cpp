#include "simulator/ptx/detail/const_expr.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace hpml::sim::ptx {
namespace {

using Value = Result<Immediate, std::string>;
constexpr uint64_t kSignBit = uint64_t{1} << 63;

bool is_integer(const Immediate& value) { return value.kind == Immediate::Kind::integer; }

Immediate make_integer(uint64_t bits, bool is_unsigned) {
  return Immediate{Immediate::Kind::integer, bits, is_unsigned};
}
Immediate make_bool(bool value) { return make_integer(value ? 1 : 0, false); }
Immediate make_real(double value) {
  return Immediate{Immediate::Kind::f64_bits, std::bit_cast<uint64_t>(value), false};
}

double to_double(const Immediate& value) {
  switch (value.kind) {
    case Immediate::Kind::f32_bits: return std::bit_cast<float>(static_cast<uint32_t>(value.bits));
    case Immediate::Kind::f64_bits: return std::bit_cast<double>(value.bits);
    case Immediate::Kind::integer: break;
  }
  return value.is_unsigned ? static_cast<double>(value.bits) : static_cast<double>(static_cast<int64_t>(value.bits));
}

Value eval_real(std::string_view op, double a, double b) {
  if (op == "+") {
    return make_real(a + b);
  }
  if (op == "-") {
    return make_real(a - b);
  }
  if (op == "*") {
    return make_real(a * b);
  }
  if (op == "/") {
    return make_real(a / b);
  }
  if (op == "<") {
    return make_bool(a < b);
  }
  if (op == "<=") {
    return make_bool(a <= b);
  }
  if (op == ">") {
    return make_bool(a > b);
  }
  if (op == ">=") {
    return make_bool(a >= b);
  }
  if (op == "==") {
    return make_bool(a == b);
  }
  if (op == "!=") {
    return make_bool(a != b);
  }
  return fmt::format("operator '{}' takes integers, not floating-point constants", op);
}

Immediate eval_shift(std::string_view op, const Immediate& left, uint64_t amount) {
  const bool right = op == ">>";
  const bool fill = right && !left.is_unsigned && (left.bits & kSignBit) != 0;
  if (amount >= 64) {
    return make_integer(fill ? ~uint64_t{0} : 0, left.is_unsigned);
  }
  uint64_t bits = right ? left.bits >> amount : left.bits << amount;
  if (fill && amount > 0) {
    bits |= ~uint64_t{0} << (64 - amount);
  }
  return make_integer(bits, left.is_unsigned);
}

Value eval_division(std::string_view op, uint64_t a, uint64_t b, bool is_unsigned) {
  if (b == 0) {
    return std::string("division by zero in a constant expression");
  }
  if (is_unsigned) {
    return make_integer(op == "/" ? a / b : a % b, true);
  }
  if (b == ~uint64_t{0}) {  // INT64_MIN / -1 is a trap on the host
    return make_integer(op == "/" ? 0 - a : 0, false);
  }
  const auto x = static_cast<int64_t>(a);
  const auto y = static_cast<int64_t>(b);
  return make_integer(static_cast<uint64_t>(op == "/" ? x / y : x % y), false);
}

Immediate eval_order(std::string_view op, uint64_t a, uint64_t b, bool is_unsigned) {
  // Flipping the sign bit maps the signed order onto the unsigned one.
  const uint64_t flip = is_unsigned ? 0 : kSignBit;
  const uint64_t x = a ^ flip;
  const uint64_t y = b ^ flip;
  return make_bool(op == "<" ? x < y : op == "<=" ? x <= y : op == ">" ? x > y : x >= y);
}

}  // namespace

int binary_precedence(std::string_view op) {
  constexpr std::array<std::pair<std::string_view, int>, 18> kTable = {{
      {"||", 1},
      {"&&", 2},
      {"|", 3},
      {"^", 4},
      {"&", 5},
      {"==", 6},
      {"!=", 6},
      {"<", 7},
      {"<=", 7},
      {">", 7},
      {">=", 7},
      {"<<", 8},
      {">>", 8},
      {"+", 9},
      {"-", 9},
      {"*", 10},
      {"/", 10},
      {"%", 10},
  }};
  for (const auto& [name, precedence] : kTable) {
    if (name == op) {
      return precedence;
    }
  }
  return 0;
}

bool is_true(const Immediate& value) { return is_integer(value) ? value.bits != 0 : to_double(value) != 0; }

Value eval_unary(std::string_view op, const Immediate& value) {
  if (op == "+") {
    return value;
  }
  if (op == "!") {
    return make_bool(!is_true(value));
  }
  if (op == "-") {
    switch (value.kind) {
      case Immediate::Kind::f32_bits: return Immediate{value.kind, value.bits ^ (uint64_t{1} << 31), false};
      case Immediate::Kind::f64_bits: return Immediate{value.kind, value.bits ^ kSignBit, false};
      case Immediate::Kind::integer: break;
    }
    // 9223372036854775808 alone is unsigned, but with a minus before it is INT64_MIN.
    return make_integer(0 - value.bits, value.is_unsigned && value.bits != kSignBit);
  }
  if (!is_integer(value)) {
    return fmt::format("operator '{}' takes integers, not floating-point constants", op);
  }
  return make_integer(~value.bits, value.is_unsigned);
}

Value eval_binary(std::string_view op, const Immediate& left, const Immediate& right) {
  if (op == "&&" || op == "||") {
    return make_bool(op == "&&" ? is_true(left) && is_true(right) : is_true(left) || is_true(right));
  }
  if (!is_integer(left) || !is_integer(right)) {
    return eval_real(op, to_double(left), to_double(right));
  }
  const uint64_t a = left.bits;
  const uint64_t b = right.bits;
  const bool is_unsigned = left.is_unsigned || right.is_unsigned;
  if (op == "+") {
    return make_integer(a + b, is_unsigned);
  }
  if (op == "-") {
    return make_integer(a - b, is_unsigned);
  }
  if (op == "*") {
    return make_integer(a * b, is_unsigned);
  }
  if (op == "/" || op == "%") {
    return eval_division(op, a, b, is_unsigned);
  }
  if (op == "&") {
    return make_integer(a & b, is_unsigned);
  }
  if (op == "|") {
    return make_integer(a | b, is_unsigned);
  }
  if (op == "^") {
    return make_integer(a ^ b, is_unsigned);
  }
  if (op == "==") {
    return make_bool(a == b);
  }
  if (op == "!=") {
    return make_bool(a != b);
  }
  if (op == "<<" || op == ">>") {
    return eval_shift(op, left, b);
  }
  return eval_order(op, a, b, is_unsigned);
}

Immediate eval_cast(bool to_unsigned, const Immediate& value) {
  if (is_integer(value)) {
    return make_integer(value.bits, to_unsigned);
  }
  // Out of range would be undefined behaviour of the host's cast: clamp, as cvt does.
  const double real = to_double(value);
  if (to_unsigned) {
    const bool in_range = real > -1.0 && real < 18446744073709551616.0;
    return make_integer(in_range ? static_cast<uint64_t>(real) : real > 0 ? ~uint64_t{0} : 0, true);
  }
  const bool in_range = real >= -9223372036854775808.0 && real < 9223372036854775808.0;
  const int64_t clamped = real > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
  return make_integer(static_cast<uint64_t>(in_range ? static_cast<int64_t>(real) : clamped), false);
}

}  // namespace hpml::sim::ptx
