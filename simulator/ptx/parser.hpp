#pragma once
#include <string>

#include "common/base/result.hpp"
#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// Parses one PTX module. `name` is used in diagnostics. Trailing NUL bytes and leading blank lines are accepted.
// Errors: the first syntax error, with line, column and caret; never throws, never aborts, any input is legal to try.
Result<Module> parse(std::string text, std::string name);

}  // namespace hpml::sim::ptx
