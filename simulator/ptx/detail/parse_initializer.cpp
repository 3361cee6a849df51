// Initial values of variables (PTX ISA 5.4.4).
#include <fmt/format.h>

#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"

namespace hpml::sim::ptx {

// { item, item } ; the opening brace is the current token
bool Parser::parse_initializers(std::vector<Initializer>& out, int depth) {
  if (depth > kMaxInitializerDepth) {
    return fail(token_.pos, fmt::format("initialisers are nested more than {} deep", kMaxInitializerDepth));
  }
  advance();
  while (!token_.is("}")) {
    if (!parse_initializer(out.emplace_back(), depth)) {
      return false;
    }
    if (!accept(",") && !token_.is("}")) {
      return fail_expected("',' or '}' in the initialiser");
    }
  }
  advance();
  return true;
}

bool Parser::parse_initializer(Initializer& out, int depth) {
  if (token_.is("{")) {
    std::vector<Initializer> inner;
    if (!parse_initializers(inner, depth + 1)) {
      return false;
    }
    out.value = std::move(inner);
    return true;
  }
  if (!at_expression()) {
    return parse_symbol_initializer(out);
  }
  const SourcePos pos = token_.pos;
  Immediate value;
  if (!parse_expression(value)) {
    return false;
  }
  if (token_.is("(")) {
    return parse_masked_initializer(out, value, pos);
  }
  out.value = value;
  return true;
}

// sym   sym+4   generic(sym)   generic(sym)+4
bool Parser::parse_symbol_initializer(Initializer& out) {
  SymbolOperand symbol;
  const bool generic = token_.kind == TokenKind::word && token_.text == "generic" && peek().is("(");
  if (generic) {
    advance();
    advance();
  }
  if (!expect_word(symbol.name, "an initial value (constant, symbol or generic(symbol))")) {
    return false;
  }
  if ((generic && !expect(")", "to close 'generic('")) || !parse_offset(symbol.offset)) {
    return false;
  }
  out.is_generic = generic;
  out.value = std::move(symbol);
  return true;
}

// 0xFF00(sym): the second byte of the address
bool Parser::parse_masked_initializer(Initializer& out, const Immediate& mask, SourcePos pos) {
  for (int byte = 0; byte < 8; ++byte) {
    if (mask.kind == Immediate::Kind::integer && mask.bits == uint64_t{0xFF} << (8 * byte)) {
      out.mask_byte = byte;
    }
  }
  if (out.mask_byte < 0) {
    return fail(pos, "the mask of a symbol must be one byte: 0xFF, 0xFF00, 0xFF0000, ...");
  }
  return expect("(", "after the mask") && parse_symbol_initializer(out) && expect(")", "after the masked symbol");
}

// { addr_mode_0 = wrap, filter_mode = linear } of textures and samplers: fields that CUDA programs set at run time
bool Parser::skip_opaque_initializer() {
  if (!expect("{", "to open the fields of an opaque variable")) {
    return false;
  }
  while (!token_.is("}")) {
    if (token_.kind == TokenKind::end || token_.kind == TokenKind::invalid || token_.is(";")) {
      return fail_expected("'}' to close the fields of an opaque variable");
    }
    advance();
  }
  advance();
  return true;
}

}  // namespace hpml::sim::ptx
