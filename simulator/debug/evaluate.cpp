// The meaning of expressions: C's, with 64-bit arithmetic beneath.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simulator/debug/expression.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {
namespace {

class Evaluator {
 public:
  Evaluator(Types& types, Scope& scope) : types_(types), scope_(scope) {}

  Result<Value> run(const Expression& e) {
    switch (e.kind) {
      case Expression::Kind::number: return from_number(types_, e.number);
      case Expression::Kind::name: return named(e.text);
      case Expression::Kind::unary: return unary(e);
      case Expression::Kind::binary: return binary(e);
      case Expression::Kind::subscript: return subscript(e);
      case Expression::Kind::member: return member(e);
      case Expression::Kind::cast: return cast(e);
      case Expression::Kind::repeat: return repeat(e);
    }
    return wrong("?");
  }

 private:
  // A variable, or a constant of an enumeration.
  Result<Value> named(const std::string& name) {
    Result<Value> found = scope_.find(name);
    const auto constant = found.ok() ? std::nullopt : types_.enumerator(name.substr(name.rfind(':') + 1));
    if (!constant) {
      return found;
    }
    Value out;
    out.type = constant->first;
    out.bytes.resize(std::clamp<uint64_t>(types_.bytes(out.type), 1, sizeof constant->second));
    std::memcpy(out.bytes.data(), &constant->second, out.bytes.size());
    return out;
  }

  Result<Number> number(const Expression& e) {
    HPML_TRY(const Value value, run(e));
    return to_number(types_, value, scope_);
  }

  Result<Value> pointed(const Value& pointer) {
    const Type type = types_.resolved(pointer.type);
    const bool array = type.kind == TypeKind::array;
    if (!array && type.kind != TypeKind::pointer && type.kind != TypeKind::reference) {
      return wrong(fmt::format("a '{}' points to nothing", types_.name(pointer.type)));
    }
    HPML_TRY(const Number address, to_number(types_, pointer, scope_));
    Value out = pointer;
    out.bytes.clear();
    out.type = array ? types_.element_of(pointer.type) : type.target;
    if (!array) {
      out.home = Home::memory;
      out.address = static_cast<uint64_t>(address.integer);
    }
    return out;
  }

  Result<Value> unary(const Expression& e) {
    if (e.text == "*") {
      HPML_TRY(const Value operand, run(*e.parts[0]));
      return pointed(operand);
    }
    if (e.text == "&") {
      HPML_TRY(const Value operand, run(*e.parts[0]));
      if (operand.home != Home::memory || operand.bit_size != 0) {
        return wrong("what '&' stands before has no address");
      }
      Value out =
          from_number(types_, {.is_unsigned = true, .bytes = 8, .integer = static_cast<int64_t>(operand.address)});
      out.type = types_.pointer_to(operand.type);
      return out;
    }
    HPML_TRY(Number operand, number(*e.parts[0]));
    if (e.text == "!") {
      return truth(!operand.truth());
    }
    operand.bytes = std::max(operand.bytes, 4);
    if (e.text == "-") {
      operand.real = -operand.real;
      operand.integer = static_cast<int64_t>(-static_cast<uint64_t>(operand.integer));
    } else if (e.text == "~" && operand.is_float) {
      return wrong("'~' takes no floating-point number");
    } else if (e.text == "~") {
      operand.integer = ~operand.integer;
    }
    return from_number(types_, operand);
  }

  Value truth(bool value) const {
    Value out;
    out.type = types_.boolean();
    out.bytes = {static_cast<std::byte>(value ? 1 : 0)};
    return out;
  }

  Result<Value> binary(const Expression& e) {
    const std::string& op = e.text;
    if (op == "&&" || op == "||") {
      HPML_TRY(const Number left, number(*e.parts[0]));
      if (left.truth() == (op == "||")) {
        return truth(op == "||");
      }
      HPML_TRY(const Number right, number(*e.parts[1]));
      return truth(right.truth());
    }
    HPML_TRY(const Value left, run(*e.parts[0]));
    HPML_TRY(const Value right, run(*e.parts[1]));
    const TypeKind kind = types_.resolved(left.type).kind;
    if ((op == "+" || op == "-") && (kind == TypeKind::pointer || kind == TypeKind::array)) {
      return move_pointer(left, right, op == "-");
    }
    HPML_TRY(const Number a, to_number(types_, left, scope_));
    HPML_TRY(const Number b, to_number(types_, right, scope_));
    return a.is_float || b.is_float ? of_reals(op, a, b) : of_integers(op, a, b);
  }

  Result<Value> move_pointer(const Value& pointer, const Value& by, bool back) {
    const Type type = types_.resolved(pointer.type);
    const TypeId target = type.kind == TypeKind::array ? types_.element_of(pointer.type) : type.target;
    const auto size = static_cast<int64_t>(std::max<uint64_t>(types_.bytes(target), 1));
    HPML_TRY(Number address, to_number(types_, pointer, scope_));
    HPML_TRY(const Number offset, to_number(types_, by, scope_));
    const TypeKind other = types_.resolved(by.type).kind;
    if (back && (other == TypeKind::pointer || other == TypeKind::array)) {
      return from_number(types_, {.bytes = 8, .integer = (address.integer - offset.integer) / size});
    }
    const auto distance = static_cast<uint64_t>(offset.integer) * static_cast<uint64_t>(size);
    const auto start = static_cast<uint64_t>(address.integer);
    address.integer = static_cast<int64_t>(back ? start - distance : start + distance);
    Value out = from_number(types_, address);
    out.type = types_.pointer_to(target);
    return out;
  }

  static double real(const Number& n) {
    return n.is_float      ? n.real
           : n.is_unsigned ? static_cast<double>(static_cast<uint64_t>(n.integer))
                           : static_cast<double>(n.integer);
  }

  Result<Value> of_reals(const std::string& op, const Number& left, const Number& right) {
    const double a = real(left), b = real(right);
    const auto bytes_of = [](const Number& n) { return n.is_float ? n.bytes : 4; };
    Number out{.is_float = true, .bytes = std::max(bytes_of(left), bytes_of(right))};
    if (const auto compared = compare(op, a, b)) {
      return truth(*compared);
    }
    if (op == "+") {
      out.real = a + b;
    } else if (op == "-") {
      out.real = a - b;
    } else if (op == "*") {
      out.real = a * b;
    } else if (op == "/") {
      out.real = a / b;
    } else {
      return wrong(fmt::format("'{}' takes no floating-point numbers", op));
    }
    return from_number(types_, out);
  }

  template <class T>
  static std::optional<bool> compare(const std::string& op, T a, T b) {
    if (op == "==") {
      return a == b;
    }
    if (op == "!=") {
      return a != b;
    }
    if (op == "<") {
      return a < b;
    }
    if (op == ">") {
      return a > b;
    }
    if (op == "<=") {
      return a <= b;
    }
    if (op == ">=") {
      return a >= b;
    }
    return std::nullopt;
  }

  Result<Value> of_integers(const std::string& op, const Number& left, const Number& right) {
    Number out{.bytes = std::max({left.bytes, right.bytes, 4})};
    out.is_unsigned = (left.is_unsigned && left.bytes >= out.bytes) || (right.is_unsigned && right.bytes >= out.bytes);
    const auto a = static_cast<uint64_t>(left.integer), b = static_cast<uint64_t>(right.integer);
    if (const auto compared = out.is_unsigned ? compare(op, a, b) : compare(op, left.integer, right.integer)) {
      return truth(*compared);
    }
    if ((op == "/" || op == "%") && b == 0) {
      return wrong("division by zero");
    }
    constexpr uint64_t kShifts = 63;
    uint64_t bits = 0;
    if (op == "+") {
      bits = a + b;
    } else if (op == "-") {
      bits = a - b;
    } else if (op == "*") {
      bits = a * b;
    } else if (op == "/" || op == "%") {
      const bool overflows = !out.is_unsigned && left.integer == INT64_MIN && right.integer == -1;
      const bool quotient = op == "/";
      bits = overflows ? (quotient ? a : 0)
             : out.is_unsigned
                 ? (quotient ? a / b : a % b)
                 : static_cast<uint64_t>(quotient ? left.integer / right.integer : left.integer % right.integer);
    } else if (op == "&") {
      bits = a & b;
    } else if (op == "|") {
      bits = a | b;
    } else if (op == "^") {
      bits = a ^ b;
    } else if (op == "<<") {
      bits = a << (b & kShifts);
    } else if (op == ">>") {
      bits = out.is_unsigned ? a >> (b & kShifts) : static_cast<uint64_t>(left.integer >> (b & kShifts));
    } else {
      return wrong(fmt::format("unknown operator '{}'", op));
    }
    out.integer = static_cast<int64_t>(bits);
    return from_number(types_, out);
  }

  Result<Value> subscript(const Expression& e) {
    HPML_TRY(const Value array, run(*e.parts[0]));
    HPML_TRY(const Number index, number(*e.parts[1]));
    if (index.is_float) {
      return wrong("a subscript is a whole number");
    }
    const bool in_registers = array.home == Home::in_register || array.home == Home::none;
    if (types_.resolved(array.type).kind == TypeKind::array && in_registers) {
      return wrong("an array that lies in no memory cannot be indexed");
    }
    HPML_TRY(Value out, pointed(array));
    out.address += static_cast<uint64_t>(index.integer) * types_.bytes(out.type);
    return out;
  }

  Result<Value> member(const Expression& e) {
    HPML_TRY(Value whole, run(*e.parts[0]));
    const TypeKind outer = types_.resolved(whole.type).kind;
    if (e.arrow || outer == TypeKind::reference) {
      HPML_TRY(whole, pointed(whole));
    }
    uint64_t offset = 0;
    const debug_info::Member* found = find_member(whole.type, e.text, offset, 0);
    if (found == nullptr) {
      return wrong(fmt::format("'{}' has no member '{}'", types_.name(whole.type), e.text));
    }
    Value out = whole;
    out.type = found->type;
    out.bit_size = found->bit_size;
    out.bit_offset = found->bit_offset;
    if (whole.home == Home::memory || whole.home == Home::parameter) {
      out.address += offset;
      return out;
    }
    const uint64_t size = types_.bytes(out.type);
    if (offset + size > whole.bytes.size()) {
      return wrong("the member lies outside of the value");
    }
    out.home = Home::none;
    out.bytes.assign(whole.bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                     whole.bytes.begin() + static_cast<std::ptrdiff_t>(offset + size));
    return out;
  }

  // In unnamed members and base classes, too.
  const debug_info::Member* find_member(TypeId type, const std::string& name, uint64_t& offset, int depth) {
    constexpr int kDeepest = 16;
    for (const debug_info::Member& member : types_.resolved(type).members) {
      if (member.name == name) {
        offset += member.offset;
        return &member;
      }
    }
    for (const debug_info::Member& member : types_.resolved(type).members) {
      uint64_t inner = offset + member.offset;
      if (member.name.empty() && depth < kDeepest) {
        if (const debug_info::Member* found = find_member(member.type, name, inner, depth + 1)) {
          offset = inner;
          return found;
        }
      }
    }
    return nullptr;
  }

  Result<Value> cast(const Expression& e) {
    HPML_TRY(const Number operand, number(*e.parts[0]));
    TypeId type = types_.find(e.text);
    for (int i = 0; i < e.pointers; ++i) {
      type = types_.pointer_to(type);
    }
    Value out;
    out.type = type;
    HPML_TRY(out.bytes, convert(types_, type, operand));
    return out;
  }

  Result<Value> repeat(const Expression& e) {
    HPML_TRY(Value first, run(*e.parts[0]));
    HPML_TRY(const Number count, number(*e.parts[1]));
    constexpr int64_t kMost = 1 << 20;
    if (first.home != Home::memory || count.is_float || count.integer < 1 || count.integer > kMost) {
      return wrong("'@' takes something in memory and how many of them");
    }
    first.type = types_.array_of(first.type, static_cast<uint64_t>(count.integer));
    return first;
  }

  Types& types_;
  Scope& scope_;
};

}  // namespace

Result<Value> evaluate(const Expression& expression, Types& types, Scope& scope) {
  return Evaluator(types, scope).run(expression);
}

}  // namespace hpml::sim::debug
