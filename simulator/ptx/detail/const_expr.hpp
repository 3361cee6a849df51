#pragma once
// Values of constant expressions (PTX ISA 4.5.3 to 4.5.6): 64-bit integers with C's usual conversions, or f64.
#include <optional>
#include <string_view>

#include "common/base/result.hpp"
#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// How tightly a binary operator binds; 0 = not one. `?:` binds less than all of them.
int binary_precedence(std::string_view op);

bool is_true(const Immediate& value);

// The errors are messages: division by zero, an operator that floating point does not have.
Result<Immediate, std::string> eval_unary(std::string_view op, const Immediate& value);
Result<Immediate, std::string> eval_binary(std::string_view op, const Immediate& left, const Immediate& right);
// (.s64) or (.u64), the only casts there are.
Immediate eval_cast(bool to_unsigned, const Immediate& value);

}  // namespace hpml::sim::ptx
