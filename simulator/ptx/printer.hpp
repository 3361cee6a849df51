#pragma once
#include <string>

#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// PTX text of the module; parse(print(m)) gives the same module but for positions (invariant, tested).
std::string print(const Module& module);
std::string print(const Instruction& instruction);  // one line, no indentation, ends with ';'
std::string print(const Operand& operand);

}  // namespace hpml::sim::ptx
