// Statements of a function body (PTX ISA 4.2): instructions, labels, declarations, nested scopes.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"
#include "simulator/ptx/detail/words.hpp"

namespace hpml::sim::ptx {

// { statements } ; the opening brace is the current token
bool Parser::parse_block(Block& block) {
  const SourcePos open = token_.pos;
  if (!expect("{", "to open a block")) {
    return false;
  }
  if (scopes_.depth() >= kMaxBlockDepth) {
    return fail(open, fmt::format("blocks are nested more than {} deep", kMaxBlockDepth));
  }
  scopes_.open();
  while (!token_.is("}")) {
    if (token_.kind == TokenKind::end) {
      return fail(token_.pos,
                  fmt::format("the text ends inside a block; the '{{' of line {} needs its '}}'", open.line));
    }
    if (!parse_statement(block)) {
      return false;
    }
  }
  advance();
  scopes_.close();
  return true;
}

bool Parser::parse_statement(Block& block) {
  if (token_.is("{")) {
    auto inner = std::make_unique<Block>();
    if (!parse_block(*inner)) {
      return false;
    }
    block.statements.emplace_back(std::move(inner));
    return true;
  }
  if (token_.kind == TokenKind::dot_word) {
    return parse_directive_statement(block);
  }
  if (token_.kind == TokenKind::word && peek().is(":")) {
    return parse_label(block);
  }
  return parse_instruction(block);
}

bool Parser::parse_directive_statement(Block& block) {
  if (token_.is_dot("loc")) {
    return parse_loc();
  }
  if (token_.is_dot("pragma")) {
    auto* label = block.statements.empty() ? nullptr : std::get_if<Label>(&block.statements.back());
    bool anywhere_else = false;  // where it has no effect (PTX ISA, Pragma Strings: "nounroll")
    return parse_pragma(label != nullptr ? label->nounroll : anywhere_else);
  }
  if (token_.is_dot("file")) {
    return parse_file();
  }
  if (!space_word(token_.text.substr(1)) && !declaration_word(token_.text.substr(1))) {
    return fail(token_.pos, fmt::format("unknown directive '{}' in a function body{}", token_.text,
                                        did_you_mean(token_.text, body_directives())));
  }
  std::vector<Variable> variables;
  if (!parse_variables({}, variables)) {
    return false;
  }
  for (Variable& variable : variables) {
    block.statements.emplace_back(std::move(variable));
  }
  return true;
}

bool Parser::parse_label(Block& block) {
  Label label{std::string(token_.text), token_.pos};
  advance();
  advance();
  if (token_.is_dot("callprototype")) {
    return parse_prototype(std::move(label), block);
  }
  if (token_.is_dot("branchtargets") || token_.is_dot("calltargets")) {
    return parse_branch_targets(std::move(label), block);
  }
  block.statements.emplace_back(std::move(label));
  return true;
}

bool Parser::parse_instruction(Block& block) {
  Instruction instruction;
  instruction.pos = token_.pos;
  instruction.loc = loc_;
  if (token_.is("@") && !parse_guard(instruction)) {
    return false;
  }
  if (!expect_word(instruction.root, instruction.guard ? "an instruction after the guard" : "an instruction")) {
    return false;
  }
  while (token_.kind == TokenKind::dot_word) {
    instruction.suffixes.emplace_back(token_.text.substr(1));
    advance();
  }
  if (!parse_operands(instruction)) {
    return false;
  }
  block.statements.emplace_back(std::move(instruction));
  return true;
}

// @p  @!p
bool Parser::parse_guard(Instruction& instruction) {
  advance();
  Guard guard;
  guard.negated = accept("!");
  if (!expect_word(guard.predicate, "a predicate register after '@'")) {
    return false;
  }
  instruction.guard = std::move(guard);
  return true;
}

// .loc file line column [, function_name label[+offset], inlined_at file line column]
// inlined_at repeats the position of an earlier .loc: that of the call (PTX ISA 9.0, 11.5.3).
bool Parser::parse_loc() {
  advance();
  constexpr uint64_t kMax = std::numeric_limits<int>::max();
  uint64_t file = 0;
  uint64_t line = 0;
  uint64_t column = 0;
  if (!parse_count(file, kMax, "the file number of '.loc'") || !parse_count(line, kMax, "the line of '.loc'") ||
      !parse_count(column, kMax, "the column of '.loc'")) {
    return false;
  }
  loc_ = {static_cast<int>(file), static_cast<int>(line), static_cast<int>(column)};
  while (accept(",")) {
    std::string what;
    if (!expect_word(what, "'function_name' or 'inlined_at'")) {
      return false;
    }
    if (what == "function_name") {
      std::string label;
      int64_t offset = 0;
      if (!expect_word(label, "a label after 'function_name'") || !parse_offset(offset)) {
        return false;
      }
    } else if (what == "inlined_at") {
      std::array<uint64_t, 3> call = {};
      for (uint64_t& number : call) {
        if (!parse_count(number, kMax, "file, line and column after 'inlined_at'")) {
          return false;
        }
      }
      loc_.inlined_at = call_at(static_cast<int>(call[0]), static_cast<int>(call[1]), static_cast<int>(call[2]));
    } else {
      return fail(token_.pos,
                  fmt::format("'{}' is no attribute of '.loc'; expected 'function_name' or 'inlined_at'", what));
    }
  }
  locs_[{loc_.file, loc_.line, loc_.column}] = loc_.inlined_at;
  return true;
}

// The call at this position, with what is known of where it was inlined itself.
int Parser::call_at(int file, int line, int column) {
  const auto known = locs_.find({file, line, column});
  const int outer = known == locs_.end() ? -1 : known->second;
  const auto [call, fresh] =
      calls_.try_emplace({file, line, column, outer}, static_cast<int>(module_.inlined_at.size()));
  if (fresh) {
    module_.inlined_at.push_back({file, line, column, outer});
  }
  return call->second;
}

}  // namespace hpml::sim::ptx
