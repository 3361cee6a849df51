#pragma once
// Basic blocks of a function and their immediate post-dominators.
#include <vector>

#include "simulator/ir/kernel.hpp"

namespace hpml::sim::ir {

struct BasicBlock {
  Pc begin = 0, end = 0;        // [begin, end)
  std::vector<int> successors;  // block numbers; the virtual exit is Cfg::exit()
};

struct Cfg {
  std::vector<BasicBlock> blocks;
  std::vector<int> block_of;  // by pc
  int exit() const { return static_cast<int>(blocks.size()); }
};

Cfg build_cfg(const Function& function);
// Block number of each block's immediate post-dominator, or cfg.exit(). A block that cannot reach the exit (an endless
// loop) is treated as if its last instruction could leave.
std::vector<int> immediate_post_dominators(const Cfg& cfg);

}  // namespace hpml::sim::ir
