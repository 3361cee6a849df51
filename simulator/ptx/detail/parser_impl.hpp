#pragma once
// The recursive-descent parser behind ptx::parse(). One method per grammar rule; the methods are spread over
// parse_*.cpp by chapter. Each returns false after the first error, which fail() has recorded, and then every caller
// returns false too. Recursion is bounded by the limits below, so no input can exhaust the stack.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "simulator/ptx/ast.hpp"
#include "simulator/ptx/detail/lexer.hpp"
#include "simulator/ptx/detail/scopes.hpp"

namespace hpml::sim::ptx {

constexpr int kMaxBlockDepth = 200;
constexpr int kMaxExpressionDepth = 100;
constexpr int kMaxInitializerDepth = 64;
constexpr int kMaxOperandDepth = 4;

class Parser {
 public:
  // Fills `module`, whose name and text are set and stay where they are while the parser lives.
  explicit Parser(Module& module);
  [[nodiscard]] bool parse_module();
  const Diag& error() const { return error_; }

 private:
  // parser.cpp: tokens and errors
  void advance();
  Token& peek();
  bool fail(SourcePos pos, std::string message);
  bool fail_expected(std::string_view what);  // "expected WHAT, found TOKEN"
  bool expect(std::string_view punctuation, std::string_view where);
  bool accept(std::string_view punctuation);
  bool expect_word(std::string& out, std::string_view what);
  std::string found() const;

  // parse_module.cpp: PTX ISA 11, directives of the module
  bool parse_header();
  bool parse_version();
  bool parse_target();
  bool parse_module_item();
  bool parse_linked_item();
  bool parse_file();
  bool parse_alias();
  bool parse_pragma(bool& nounroll);
  bool skip_section();

  // parse_function.cpp
  struct Linkage {
    bool is_extern = false, visible = false, weak = false, common = false;
  };
  bool parse_function(const Linkage& linkage, SourcePos pos);
  bool parse_parameters(std::vector<Variable>& out, bool prototype);
  bool parse_function_directives(Function& function);
  bool parse_performance_directive(Function& function);
  bool parse_prototype(Label label, Block& block);
  bool parse_branch_targets(Label label, Block& block);

  // parse_variable.cpp
  bool parse_variables(const Linkage& linkage, std::vector<Variable>& out);
  bool parse_parameter(Variable& out, bool prototype);
  bool parse_declaration_prefix(Variable& variable);
  bool parse_declaration_word(Variable& variable, bool& pointer);
  bool parse_pointer_or_space(Variable& variable, Space space, bool pointer);
  bool parse_align(Variable& variable, bool pointer);
  bool parse_attribute(bool& managed);
  bool parse_declarator(Variable& variable);
  bool parse_dimensions(Variable& variable);

  // parse_initializer.cpp
  bool parse_initializers(std::vector<Initializer>& out, int depth);
  bool parse_initializer(Initializer& out, int depth);
  bool parse_symbol_initializer(Initializer& out);
  bool parse_masked_initializer(Initializer& out, const Immediate& mask, SourcePos pos);
  bool skip_opaque_initializer();

  // parse_statement.cpp
  bool parse_block(Block& block);
  bool parse_statement(Block& block);
  bool parse_directive_statement(Block& block);
  bool parse_label(Block& block);
  bool parse_instruction(Block& block);
  bool parse_guard(Instruction& instruction);
  bool parse_loc();
  int call_at(int file, int line, int column);

  // parse_operand.cpp
  bool parse_operands(Instruction& instruction);
  bool parse_operand(Operand& out, bool in_call, int depth);
  bool parse_single_operand(Operand& out, bool in_call, int depth);
  bool parse_named_operand(Operand& out);
  bool parse_address_operand(Operand& out, bool in_call, int depth);
  bool parse_address(AddressOperand& out);
  bool parse_operand_list(std::vector<Operand>& out, std::string_view close, bool in_call, int depth);
  bool parse_offset(int64_t& offset);
  bool parse_subscript(const std::string& name, int64_t& offset);

  // parse_expression.cpp: constants only
  bool at_expression() const;
  bool parse_expression(Immediate& out, int depth = 0);
  bool parse_binary(Immediate& out, int min_precedence, int depth);
  bool parse_unary(Immediate& out, int depth);
  bool parse_parenthesis(Immediate& out, int depth);
  bool parse_count(uint64_t& out, uint64_t max, std::string_view what);

  Module& module_;
  Lexer lexer_;
  Token token_;
  std::optional<Token> peeked_;
  Scopes scopes_;
  SourceLoc loc_;
  std::map<std::tuple<int, int, int>, int> locs_;        // every position so far -> its inlined_at
  std::map<std::tuple<int, int, int, int>, int> calls_;  // of Module::inlined_at -> index
  Diag error_;
  bool failed_ = false;
};

}  // namespace hpml::sim::ptx
