#pragma once
// C expressions as debuggers take them: operators, casts, members, subscripts, `*p@n` for n elements, registers of PTX
// by name (%r1), and what CUDA has (threadIdx.x).
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/debug/value.hpp"

namespace hpml::sim::debug {

struct Expression {
  enum class Kind : uint8_t { number, name, unary, binary, subscript, member, cast, repeat } kind = Kind::number;
  std::string text;  // name, member, operator, words of the type of a cast
  Number number;
  int pointers = 0;    // cast: stars behind the words
  bool arrow = false;  // member
  std::vector<std::unique_ptr<Expression>> parts;
};

// Error: the text and the place where it stops making sense. `is_type`: whether a word begins the name of a type.
Result<std::unique_ptr<Expression>> parse_expression(std::string_view text, const Types& types);

// What names mean, and memory.
class Scope : public Memory {
 public:
  // Error: no such variable, or why it has no value here.
  virtual Result<Value> find(const std::string& name) = 0;
};

Result<Value> evaluate(const Expression& expression, Types& types, Scope& scope);
Result<Value> evaluate(std::string_view text, Types& types, Scope& scope);

}  // namespace hpml::sim::debug
