#pragma once
#include <string_view>

#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// Whether twice() knows an instruction of this name: one that computes d = a * b + c.
bool can_be_twice(std::string_view name);

// Makes every such instruction add its products a second time: t = a * b + c; d = a * b + t. Where a result is a sum of
// products of this instruction only, it is then twice as large; products that come from elsewhere count once. `name` is
// "dp4a", or "mma" for mma and wmma.mma. Fused ones in place (wgmma) stay as they are.
void twice(Module& module, std::string_view name);

}  // namespace hpml::sim::ptx
