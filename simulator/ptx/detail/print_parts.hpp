#pragma once
// PTX text of declarations, without the line end.
#include <string>

#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

std::string print_immediate(const Immediate& value);
std::string print_variable(const Variable& variable);  // without ';'
std::string print_function_header(const Function& function);
std::string print_prototype(const CallPrototype& prototype);
std::string print_targets(const BranchTargets& targets);

}  // namespace hpml::sim::ptx
