// Declarations of variables and parameters (PTX ISA 5.1 to 5.4).
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>
#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"
#include "simulator/ptx/detail/words.hpp"

namespace hpml::sim::ptx {
namespace {

constexpr uint64_t kMaxAlign = uint64_t{1} << 30;
constexpr uint64_t kMaxRange = std::numeric_limits<int>::max();

// Of "u32", "f16x2", "b8"; 0 for types without a size.
uint32_t type_bytes(std::string_view type) {
  const size_t digits = type.find_first_of("0123456789");
  uint32_t bits = 0;
  if (digits != std::string_view::npos) {
    std::from_chars(type.data() + digits, type.data() + type.size(), bits);
  }
  return bits / 8 * (type.ends_with("x2") ? 2 : type.ends_with("x4") ? 4 : 1);
}

int vector_width(std::string_view word) { return word == "v2" ? 2 : word == "v4" ? 4 : word == "v8" ? 8 : 0; }

}  // namespace

// .space [attributes] .type name [dims] [= init] {, name ...} ;
bool Parser::parse_variables(const Linkage& linkage, std::vector<Variable>& out) {
  Variable common;
  common.pos = token_.pos;
  common.is_extern = linkage.is_extern;
  common.visible = linkage.visible;
  common.weak = linkage.weak;
  common.common = linkage.common;
  if (!parse_declaration_prefix(common)) {
    return false;
  }
  do {
    Variable& variable = out.emplace_back(common);
    if (!parse_declarator(variable)) {
      return false;
    }
  } while (accept(","));
  return token_.is(";") ? accept(";")
                        : fail_expected(fmt::format("';' after the declaration of '{}'", out.back().name));
}

bool Parser::parse_parameter(Variable& out, bool prototype) {
  out.pos = token_.pos;
  if (!parse_declaration_prefix(out)) {
    return false;
  }
  if (out.space != Space::param && out.space != Space::reg) {
    return fail(out.pos, "a parameter must be declared with '.param' (or '.reg' in a '.func')");
  }
  if (prototype && token_.kind != TokenKind::word) {  // the name may be left out in a prototype
    out.name = std::string("_");
    return parse_dimensions(out);
  }
  out.pos = token_.pos;
  const std::string_view name = token_.text;
  if (!expect_word(out.name, "the name of the parameter")) {
    return false;
  }
  if (!prototype) {
    scopes_.declare(name, out.space == Space::reg, -1);
  }
  return parse_dimensions(out);
}

// The dotted words before the name, in any order.
bool Parser::parse_declaration_prefix(Variable& variable) {
  bool pointer = false;
  while (token_.kind == TokenKind::dot_word) {
    if (!parse_declaration_word(variable, pointer)) {
      return false;
    }
  }
  if (variable.space == Space::none) {
    return fail_expected("a state space such as '.global' or '.reg'");
  }
  if (variable.type.empty()) {
    return fail_expected("a type such as '.u32'");
  }
  return true;
}

bool Parser::parse_declaration_word(Variable& variable, bool& pointer) {
  const std::string_view word = token_.text.substr(1);
  if (const auto space = space_word(word)) {
    return parse_pointer_or_space(variable, *space, pointer);
  }
  if (word == "align") {
    return parse_align(variable, pointer);
  }
  if (word == "attribute") {
    return parse_attribute(variable.managed);
  }
  if (word == "ptr") {
    pointer = true;
  } else if (vector_width(word) != 0) {
    variable.vector = vector_width(word);
  } else if (!is_type_word(word)) {
    return fail(token_.pos, fmt::format("unknown type '{}'{}", token_.text, did_you_mean(token_.text, type_words())));
  } else if (variable.type.empty()) {
    variable.type = word;
  } else if (variable.type != "texref") {  // .tex .u32 t is an old .global .texref t
    return fail(token_.pos, fmt::format("a second type '{}' after '.{}'; remove one", token_.text, variable.type));
  }
  advance();
  return true;
}

// .global before the name: where the variable is; after .ptr: where a pointer parameter points to
bool Parser::parse_pointer_or_space(Variable& variable, Space space, bool pointer) {
  Space& target = pointer ? variable.ptr_space : variable.space;
  if (target != Space::none) {
    return fail(token_.pos,
                fmt::format("a second state space '{}' after '.{}'; remove one", token_.text, space_name(target)));
  }
  target = space;
  if (token_.is_dot("tex") && !pointer) {
    variable.type = "texref";
  }
  advance();
  return true;
}

bool Parser::parse_align(Variable& variable, bool pointer) {
  advance();
  const SourcePos pos = token_.pos;
  uint64_t align = 0;
  if (!parse_count(align, kMaxAlign, "an alignment in bytes")) {
    return false;
  }
  if (!std::has_single_bit(align)) {
    return fail(pos, fmt::format("alignment {} is not a power of two", align));
  }
  (pointer ? variable.ptr_align : variable.align) = static_cast<uint32_t>(align);
  return true;
}

// .attribute(.managed)   .attribute(.unified(0x..., 0x...))   separated by commas
bool Parser::parse_attribute(bool& managed) {
  advance();
  if (!expect("(", "after '.attribute'")) {
    return false;
  }
  do {
    if (token_.is_dot("managed")) {
      managed = true;
      advance();
    } else if (token_.is_dot("unified")) {  // an identity for the linker: no meaning here
      advance();
      uint64_t ignored = 0;
      constexpr uint64_t kAny = std::numeric_limits<uint64_t>::max();
      if (!expect("(", "after '.unified'") || !parse_count(ignored, kAny, "the high half of the identity") ||
          !expect(",", "between the halves of the identity") ||
          !parse_count(ignored, kAny, "the low half of the identity") || !expect(")", "after the identity")) {
        return false;
      }
    } else {
      return fail_expected("'.managed' or '.unified(high, low)'");
    }
  } while (accept(","));
  return expect(")", "to close '.attribute('");
}

// name<N>   name[dims] = init
bool Parser::parse_declarator(Variable& variable) {
  variable.pos = token_.pos;
  const std::string_view name = token_.text;
  if (!expect_word(variable.name, "the name of the variable")) {
    return false;
  }
  if (token_.is("<")) {
    advance();
    // Not an expression: '>' would be taken for an operator.
    Immediate count;
    const SourcePos pos = token_.pos;
    if (!parse_unary(count, 0)) {
      return false;
    }
    if (count.kind != Immediate::Kind::integer || count.bits > kMaxRange) {
      return fail(pos, fmt::format("expected the number of registers, from 0 to {}", kMaxRange));
    }
    variable.range = static_cast<int>(count.bits);
    if (!expect(">", "after the number of registers")) {
      return false;
    }
  } else if (!parse_dimensions(variable)) {
    return false;
  }
  scopes_.declare(name, variable.space == Space::reg, variable.range);
  scopes_.declare_element(name, type_bytes(variable.type) * static_cast<uint32_t>(variable.vector));
  if (!token_.is("=")) {
    return true;
  }
  advance();
  if (is_opaque_type(variable.type)) {
    return skip_opaque_initializer();
  }
  if (token_.is("{")) {
    return parse_initializers(variable.init, 0);
  }
  return parse_initializer(variable.init.emplace_back(), 0);
}

// [4][2]  []
bool Parser::parse_dimensions(Variable& variable) {
  while (accept("[")) {
    variable.is_array = true;
    uint64_t extent = 0;
    constexpr uint64_t kMaxExtent = uint64_t{1} << 40;
    if (!token_.is("]") && !parse_count(extent, kMaxExtent, "an array extent")) {
      return false;
    }
    variable.dims.push_back(extent);
    if (!expect("]", "after the array extent")) {
      return false;
    }
  }
  return true;
}

}  // namespace hpml::sim::ptx
