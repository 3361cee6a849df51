#pragma once
// Questions about the ways through a function.
#include "simulator/ir/kernel.hpp"

namespace hpml::sim::sanitize {

// Does every way from `from` to the end of the function lead through `to`, and none back from there?
bool lies_behind(const ir::Function& function, ir::Pc from, ir::Pc to);

}  // namespace hpml::sim::sanitize
