// Constant expressions (PTX ISA 4.5). In operands, initialisers, offsets, array extents and directive arguments.
#include <fmt/format.h>

#include "simulator/ptx/detail/const_expr.hpp"
#include "simulator/ptx/detail/literal.hpp"
#include "simulator/ptx/detail/parser_impl.hpp"

namespace hpml::sim::ptx {

bool Parser::at_expression() const {
  switch (token_.kind) {
    case TokenKind::integer:
    case TokenKind::real: return true;
    case TokenKind::word: return token_.text == "WARP_SZ";
    case TokenKind::punct:
      return token_.is("-") || token_.is("+") || token_.is("~") || token_.is("!") || token_.is("(");
    case TokenKind::dot_word:
    case TokenKind::string:
    case TokenKind::invalid:
    case TokenKind::end: break;
  }
  return false;
}

bool Parser::parse_expression(Immediate& out, int depth) {
  if (!parse_binary(out, 1, depth)) {
    return false;
  }
  if (!accept("?")) {
    return true;
  }
  Immediate if_true;
  Immediate if_false;
  if (!parse_expression(if_true, depth + 1) || !expect(":", "between the choices of '?'") ||
      !parse_expression(if_false, depth + 1)) {
    return false;
  }
  out = is_true(out) ? if_true : if_false;
  return true;
}

bool Parser::parse_binary(Immediate& out, int min_precedence, int depth) {
  if (!parse_unary(out, depth)) {
    return false;
  }
  for (;;) {
    const int precedence = token_.kind == TokenKind::punct ? binary_precedence(token_.text) : 0;
    if (precedence == 0 || precedence < min_precedence) {
      return true;
    }
    const Token op = token_;
    advance();
    Immediate right;
    if (!parse_binary(right, precedence + 1, depth + 1)) {
      return false;
    }
    const auto value = eval_binary(op.text, out, right);
    if (!value.ok()) {
      return fail(op.pos, value.error());
    }
    out = *value;
  }
}

bool Parser::parse_unary(Immediate& out, int depth) {
  if (depth > kMaxExpressionDepth) {
    return fail(token_.pos, "this constant expression is nested too deeply; split it");
  }
  if (token_.is("-") || token_.is("+") || token_.is("~") || token_.is("!")) {
    const Token op = token_;
    advance();
    if (!parse_unary(out, depth + 1)) {
      return false;
    }
    const auto value = eval_unary(op.text, out);
    if (!value.ok()) {
      return fail(op.pos, value.error());
    }
    out = *value;
    return true;
  }
  if (token_.is("(")) {
    return parse_parenthesis(out, depth);
  }
  if (token_.kind == TokenKind::word && token_.text == "WARP_SZ") {
    out = Immediate{Immediate::Kind::integer, 32, false};
    advance();
    return true;
  }
  if (token_.kind != TokenKind::integer && token_.kind != TokenKind::real) {
    return fail_expected(token_.kind == TokenKind::word ? "a constant (operators work on constants only)"
                                                        : "a constant");
  }
  const auto value = parse_literal(token_.text);
  if (!value.ok()) {
    return fail(token_.pos, value.error());
  }
  out = *value;
  advance();
  return true;
}

// ( expression )   (.s64) operand   (.u64) operand
bool Parser::parse_parenthesis(Immediate& out, int depth) {
  advance();
  if (token_.is_dot("s64") || token_.is_dot("u64")) {
    const bool to_unsigned = token_.is_dot("u64");
    advance();
    if (!expect(")", "after the type of a cast") || !parse_unary(out, depth + 1)) {
      return false;
    }
    out = eval_cast(to_unsigned, out);
    return true;
  }
  return parse_expression(out, depth + 1) && expect(")", "to close the '('");
}

bool Parser::parse_count(uint64_t& out, uint64_t max, std::string_view what) {
  const SourcePos pos = token_.pos;
  if (!at_expression()) {
    return fail_expected(what);
  }
  Immediate value;
  if (!parse_expression(value)) {
    return false;
  }
  const bool negative = !value.is_unsigned && static_cast<int64_t>(value.bits) < 0;
  if (value.kind != Immediate::Kind::integer || negative || value.bits > max) {
    return fail(pos, fmt::format("expected {} from 0 to {}", what, max));
  }
  out = value.bits;
  return true;
}

}  // namespace hpml::sim::ptx
