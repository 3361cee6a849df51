// Operands of instructions (PTX ISA 6).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"

namespace hpml::sim::ptx {

namespace {

// An element by its subscript needs no brackets around it: ld.global.u32 d, a[1];
void make_address_of_element(Instruction& instruction) {
  constexpr std::array<std::string_view, 6> kAccesses = {"ld", "ldu", "st", "atom", "red", "prefetch"};
  if (std::find(kAccesses.begin(), kAccesses.end(), instruction.root) == kAccesses.end()) {
    return;
  }
  for (Operand& operand : instruction.operands) {
    if (auto* symbol = std::get_if<SymbolOperand>(&operand.value); symbol != nullptr && symbol->subscripted) {
      operand.value = AddressOperand{std::move(symbol->name), false, symbol->offset};
    }
  }
}

}  // namespace

bool Parser::parse_operands(Instruction& instruction) {
  if (accept(";")) {
    return true;
  }
  const bool in_call = instruction.root == "call";
  for (;;) {
    if (!parse_operand(instruction.operands.emplace_back(), in_call, 0)) {
      return false;
    }
    if (accept(";")) {
      make_address_of_element(instruction);
      return true;
    }
    if (!accept(",")) {
      return fail_expected(fmt::format("',' or ';' after an operand of '{}'", instruction.root));
    }
  }
}

// single, or the pair a|b
bool Parser::parse_operand(Operand& out, bool in_call, int depth) {
  if (!parse_single_operand(out, in_call, depth)) {
    return false;
  }
  if (!token_.is("|")) {
    return true;
  }
  const SourcePos pos = out.pos;
  advance();
  PairOperand pair;
  pair.elements.push_back(std::move(out));
  if (!parse_single_operand(pair.elements.emplace_back(), in_call, depth)) {
    return false;
  }
  out = Operand{std::move(pair), pos};
  return true;
}

bool Parser::parse_single_operand(Operand& out, bool in_call, int depth) {
  out.pos = token_.pos;
  if (depth > kMaxOperandDepth) {
    return fail(token_.pos, "operands are nested too deeply");
  }
  if (token_.is("[")) {
    return parse_address_operand(out, in_call, depth);
  }
  if (accept("{")) {
    VectorOperand vector;
    if (!parse_operand_list(vector.elements, "}", false, depth + 1)) {
      return false;
    }
    out.value = std::move(vector);
    return true;
  }
  if (in_call && accept("(")) {
    ListOperand list;
    if (!parse_operand_list(list.elements, ")", false, depth + 1)) {
      return false;
    }
    out.value = std::move(list);
    return true;
  }
  if (token_.is("!") && peek().kind == TokenKind::word && peek().text != "WARP_SZ") {
    advance();
    RegisterOperand negated;
    negated.name = token_.text;
    negated.negated = true;
    out.value = std::move(negated);
    advance();
    return true;
  }
  if (token_.is("-") && peek().kind == TokenKind::word && scopes_.is_register(peek().text)) {
    advance();
    if (!parse_named_operand(out)) {
      return false;
    }
    std::get<RegisterOperand>(out.value).minus = true;
    return true;
  }
  if (at_expression()) {
    Immediate value;
    if (!parse_expression(value)) {
      return false;
    }
    out.value = value;
    return true;
  }
  return parse_named_operand(out);
}

// [3] behind the name of a variable: elements, counted in bytes by `offset`.
bool Parser::parse_subscript(const std::string& name, int64_t& offset) {
  const SourcePos pos = token_.pos;
  advance();
  Immediate index;
  if (!parse_expression(index)) {
    return false;
  }
  if (index.kind != Immediate::Kind::integer) {
    return fail(pos, "a subscript must be an integer");
  }
  const uint32_t bytes = scopes_.element_bytes(name);
  if (bytes == 0) {
    return fail(pos, fmt::format("'{}' is no variable declared above, so it has no elements", name));
  }
  offset += static_cast<int64_t>(index.bits) * bytes;
  return expect("]", "after the subscript");
}

// register, register.x, register+4, _, symbol, symbol+4, symbol[3]
bool Parser::parse_named_operand(Operand& out) {
  std::string name;
  const bool is_register = token_.kind == TokenKind::word && scopes_.is_register(token_.text);
  if (!expect_word(name, "an operand (register, constant, symbol, [address] or {vector})")) {
    return false;
  }
  if (name == "_") {
    out.value = SinkOperand{};
    return true;
  }
  if (token_.kind == TokenKind::dot_word && token_.glued) {
    out.value = RegisterOperand{std::move(name), std::string(token_.text.substr(1)), false};
    advance();
    return true;
  }
  if (is_register) {
    RegisterOperand value{std::move(name), {}, false};
    if (!parse_offset(value.offset)) {
      return false;
    }
    out.value = std::move(value);
    return true;
  }
  SymbolOperand symbol{std::move(name), 0};
  symbol.subscripted = token_.is("[");
  if (symbol.subscripted && !parse_subscript(symbol.name, symbol.offset)) {
    return false;
  }
  if (!parse_offset(symbol.offset)) {
    return false;
  }
  out.value = std::move(symbol);
  return true;
}

// [address], or [address, operand...] of texture, surface and tensor instructions: a list that begins with the address
bool Parser::parse_address_operand(Operand& out, bool in_call, int depth) {
  advance();
  AddressOperand address;
  const SourcePos pos = token_.pos;
  if (!parse_address(address)) {
    return false;
  }
  if (accept("]")) {
    out.value = std::move(address);
    return true;
  }
  if (!accept(",")) {
    return fail_expected("']' to close the address");
  }
  ListOperand list;
  list.elements.push_back(Operand{std::move(address), pos});
  if (!parse_operand_list(list.elements, "]", in_call, depth + 1)) {
    return false;
  }
  out.value = std::move(list);
  return true;
}

bool Parser::parse_address(AddressOperand& out) {
  if (at_expression()) {
    Immediate value;
    const SourcePos pos = token_.pos;
    if (!parse_expression(value)) {
      return false;
    }
    if (value.kind != Immediate::Kind::integer) {
      return fail(pos, "an address must be an integer");
    }
    out.offset = static_cast<int64_t>(value.bits);
    return true;
  }
  out.base_is_register = token_.kind == TokenKind::word && scopes_.is_register(token_.text);
  if (!expect_word(out.base, "an address (register, symbol or integer)")) {
    return false;
  }
  if (token_.kind == TokenKind::dot_word && token_.glued) {  // an element of a vector register
    out.base += token_.text;
    advance();
  }
  if (token_.is("[") && !parse_subscript(out.base, out.offset)) {
    return false;
  }
  return parse_offset(out.offset);
}

// +expr and -expr, any number of them. nvcc writes negative offsets as "+-8".
bool Parser::parse_offset(int64_t& offset) {
  auto sum = static_cast<uint64_t>(offset);
  while (token_.is("+") || token_.is("-")) {
    const bool minus = token_.is("-");
    advance();
    if (token_.kind == TokenKind::word && token_.text != "WARP_SZ") {
      return fail_expected("a constant offset (add a second register or symbol with an instruction of its own)");
    }
    const SourcePos pos = token_.pos;
    Immediate value;
    constexpr int kTighterThanPlus = 10;
    if (!parse_binary(value, kTighterThanPlus, 0)) {
      return false;
    }
    if (value.kind != Immediate::Kind::integer) {
      return fail(pos, "an address offset must be an integer");
    }
    sum += minus ? 0 - value.bits : value.bits;
  }
  offset = static_cast<int64_t>(sum);
  return true;
}

// The rest of a list whose opening bracket is consumed.
bool Parser::parse_operand_list(std::vector<Operand>& out, std::string_view close, bool in_call, int depth) {
  if (accept(close)) {
    return true;
  }
  for (;;) {
    if (!parse_operand(out.emplace_back(), in_call, depth)) {
      return false;
    }
    if (accept(close)) {
      return true;
    }
    if (!accept(",")) {
      return fail_expected(fmt::format("',' or '{}' in the operand list", close));
    }
  }
}

}  // namespace hpml::sim::ptx
