#pragma once
// The value of a number as PTX writes it (PTX ISA 4.5.1 and 4.5.2).
#include <string_view>

#include "common/base/result.hpp"
#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// 12, 0x1F, 0b101, 017, with an optional U; 0f and 0d constants; decimal reals. The error is a message.
Result<Immediate, std::string> parse_literal(std::string_view text);

}  // namespace hpml::sim::ptx
