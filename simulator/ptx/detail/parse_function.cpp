// Functions, kernels and prototypes (PTX ISA 11.2 to 11.4).
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"
#include "simulator/ptx/detail/words.hpp"

namespace hpml::sim::ptx {

// .entry name (params) directives body     .func (returns) name (params) directives body-or-;
bool Parser::parse_function(const Linkage& linkage, SourcePos pos) {
  Function function;
  function.pos = pos;
  function.is_entry = token_.is_dot("entry");
  function.is_extern = linkage.is_extern;
  function.visible = linkage.visible;
  function.weak = linkage.weak;
  advance();
  loc_ = {};
  scopes_.open();
  bool managed = false;
  while (token_.is_dot("attribute")) {
    if (!parse_attribute(managed)) {
      return false;
    }
  }
  if (token_.is("(") && !parse_parameters(function.returns, false)) {
    return false;
  }
  if (!expect_word(function.name, function.is_entry ? "the name of the kernel" : "the name of the function")) {
    return false;
  }
  if (token_.is("(") && !parse_parameters(function.params, false)) {
    return false;
  }
  if (!parse_function_directives(function)) {
    return false;
  }
  if (token_.is("{")) {
    function.body = std::make_unique<Block>();
    if (!parse_block(*function.body)) {
      return false;
    }
  } else if (!accept(";")) {
    return fail_expected(fmt::format("'{{' or ';' after the header of '{}'", function.name));
  }
  scopes_.close();
  module_.functions.push_back(std::move(function));
  return true;
}

// ( parameter, parameter ) ; the opening parenthesis is the current token
bool Parser::parse_parameters(std::vector<Variable>& out, bool prototype) {
  advance();
  if (accept(")")) {
    return true;
  }
  for (;;) {
    if (!parse_parameter(out.emplace_back(), prototype)) {
      return false;
    }
    if (accept(")")) {
      return true;
    }
    if (!accept(",")) {
      return fail_expected("',' or ')' after a parameter");
    }
  }
}

bool Parser::parse_function_directives(Function& function) {
  while (token_.kind == TokenKind::dot_word) {
    if (token_.is_dot("noreturn")) {
      function.noreturn = true;
      advance();
    } else if (token_.is_dot("pragma")) {
      if (!parse_pragma(function.nounroll)) {
        return false;
      }
    } else if (performance_word(token_.text.substr(1))) {
      if (!parse_performance_directive(function)) {
        return false;
      }
    } else {
      return fail(token_.pos, fmt::format("unknown directive '{}' in the header of '{}'{}", token_.text, function.name,
                                          did_you_mean(token_.text, function_directives())));
    }
  }
  return true;
}

// .maxntid 256, 1, 1   .explicitcluster
bool Parser::parse_performance_directive(Function& function) {
  PerformanceDirective directive;
  directive.name = token_.text.substr(1);
  advance();
  if (at_expression()) {
    do {
      constexpr uint64_t kMax = std::numeric_limits<uint32_t>::max();
      if (!parse_count(directive.values.emplace_back(), kMax, fmt::format("a value for '.{}'", directive.name))) {
        return false;
      }
    } while (accept(","));
  }
  function.directives.push_back(std::move(directive));
  return true;
}

// label: .callprototype (returns) _ (params) .noreturn ;
bool Parser::parse_prototype(Label label, Block& block) {
  CallPrototype prototype;
  prototype.name = std::move(label.name);
  prototype.pos = label.pos;
  advance();
  if (token_.is("(") && !parse_parameters(prototype.returns, true)) {
    return false;
  }
  std::string blank;
  if (!expect_word(blank, "'_' in the prototype")) {
    return false;
  }
  if (token_.is("(") && !parse_parameters(prototype.params, true)) {
    return false;
  }
  Function attributes;  // the same words as in a function header; only .noreturn matters for a call
  attributes.name = prototype.name;
  if (!parse_function_directives(attributes) || !expect(";", "after the prototype")) {
    return false;
  }
  prototype.noreturn = attributes.noreturn;
  block.statements.emplace_back(std::move(prototype));
  return true;
}

// label: .branchtargets L1, L2 ;   label: .calltargets f, g ;
bool Parser::parse_branch_targets(Label label, Block& block) {
  BranchTargets targets;
  targets.name = std::move(label.name);
  targets.pos = label.pos;
  targets.is_call = token_.is_dot("calltargets");
  advance();
  do {
    if (!expect_word(targets.labels.emplace_back(), "a label or function name")) {
      return false;
    }
  } while (accept(","));
  if (!expect(";", "after the list of targets")) {
    return false;
  }
  block.statements.emplace_back(std::move(targets));
  return true;
}

}  // namespace hpml::sim::ptx
