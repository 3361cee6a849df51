#include "simulator/ir/detail/cfg.hpp"

#include <algorithm>

namespace hpml::sim::ir {

namespace {

bool ends_block(const Inst& inst) {
  switch (inst.control) {
    case isa::Control::bra:
    case isa::Control::brx:
    case isa::Control::ret:
    case isa::Control::exit:
    case isa::Control::trap: return true;
    case isa::Control::none:
    case isa::Control::call:
    case isa::Control::bar_sync:
    case isa::Control::bar_arrive:
    case isa::Control::bar_red:
    case isa::Control::bar_warp_sync:
    case isa::Control::cluster_arrive:
    case isa::Control::cluster_wait:
    case isa::Control::brkpt:
    case isa::Control::nanosleep:
    case isa::Control::mbarrier:
    case isa::Control::copy_group:
    case isa::Control::alloca:
    case isa::Control::stack_save:
    case isa::Control::stack_restore:
    case isa::Control::nop: return false;
  }
  return false;
}

std::vector<bool> block_starts(const Function& function) {
  std::vector<bool> starts(function.code.size() + 1, false);
  starts[0] = true;
  for (Pc pc = 0; pc < function.code.size(); ++pc) {
    const Inst& inst = function.code[pc];
    if (!ends_block(inst)) {
      continue;
    }
    starts[pc + 1] = true;
    if (inst.control == isa::Control::bra) {
      starts[inst.target] = true;
    } else if (inst.control == isa::Control::brx) {
      for (const Pc target : function.branch_targets[inst.extra]) {
        starts[target] = true;
      }
    }
  }
  return starts;
}

void add_successors(const Function& function, Cfg& cfg, BasicBlock& block) {
  const Inst& last = function.code[block.end - 1];
  const auto add = [&](Pc pc) {
    block.successors.push_back(pc < function.code.size() ? cfg.block_of[pc] : cfg.exit());
  };
  const bool conditional = last.guard != isa::kNoSlot;
  if (last.control == isa::Control::bra) {
    add(last.target);
  } else if (last.control == isa::Control::brx) {
    for (const Pc target : function.branch_targets[last.extra]) {
      add(target);
    }
  } else if (ends_block(last)) {
    block.successors.push_back(cfg.exit());
  }
  if (conditional || !ends_block(last)) {
    add(block.end);
  }
  std::sort(block.successors.begin(), block.successors.end());
  block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
}

}  // namespace

Cfg build_cfg(const Function& function) {
  Cfg cfg;
  const std::vector<bool> starts = block_starts(function);
  cfg.block_of.resize(function.code.size());
  for (Pc pc = 0; pc < function.code.size(); ++pc) {
    if (starts[pc]) {
      cfg.blocks.push_back({pc, pc, {}});
    }
    cfg.block_of[pc] = static_cast<int>(cfg.blocks.size()) - 1;
    cfg.blocks.back().end = pc + 1;
  }
  for (BasicBlock& block : cfg.blocks) {
    add_successors(function, cfg, block);
  }
  return cfg;
}

namespace {

// Post-order of the reversed graph from the virtual exit, so that a node comes after all it dominates.
class ReverseOrder {
 public:
  explicit ReverseOrder(const Cfg& cfg) : predecessors(cfg.blocks.size() + 1), number(cfg.blocks.size() + 1, -1) {
    for (size_t b = 0; b < cfg.blocks.size(); ++b) {
      for (const int s : cfg.blocks[b].successors) {
        predecessors[static_cast<size_t>(s)].push_back(static_cast<int>(b));
      }
    }
    visit(cfg.exit());
    // Endless loops: let the last unreached block leave, until all are reached.
    for (int b = cfg.exit() - 1; b >= 0; --b) {
      if (number[static_cast<size_t>(b)] < 0) {
        predecessors[static_cast<size_t>(cfg.exit())].push_back(b);
        forced.push_back(b);
        order.pop_back();  // the exit must stay the root
        visit(b);
        number[static_cast<size_t>(cfg.exit())] = static_cast<int>(order.size());
        order.push_back(cfg.exit());
      }
    }
  }
  std::vector<std::vector<int>> predecessors;  // edges of the reversed graph
  std::vector<int> number;                     // post-order number, -1 = unreached
  std::vector<int> order;
  std::vector<int> forced;  // blocks given an edge to the exit

 private:
  void visit(int root) {
    std::vector<std::pair<int, size_t>> stack{{root, 0}};
    number[static_cast<size_t>(root)] = 0;  // marks as seen; final number below
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      const auto& edges = predecessors[static_cast<size_t>(node)];
      if (next < edges.size()) {
        const int p = edges[next++];
        if (number[static_cast<size_t>(p)] < 0) {
          number[static_cast<size_t>(p)] = 0;
          stack.emplace_back(p, 0);
        }
      } else {
        number[static_cast<size_t>(node)] = static_cast<int>(order.size());
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
};

}  // namespace

// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph.
std::vector<int> immediate_post_dominators(const Cfg& cfg) {
  const ReverseOrder reverse(cfg);
  const size_t exit = static_cast<size_t>(cfg.exit());
  std::vector<int> idom(exit + 1, -1);
  idom[exit] = cfg.exit();
  const auto intersect = [&](int a, int b) {
    while (a != b) {
      while (reverse.number[static_cast<size_t>(a)] < reverse.number[static_cast<size_t>(b)]) {
        a = idom[static_cast<size_t>(a)];
      }
      while (reverse.number[static_cast<size_t>(b)] < reverse.number[static_cast<size_t>(a)]) {
        b = idom[static_cast<size_t>(b)];
      }
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = reverse.order.rbegin(); it != reverse.order.rend(); ++it) {
      if (*it == cfg.exit()) {
        continue;
      }
      std::vector<int> successors = cfg.blocks[static_cast<size_t>(*it)].successors;
      if (std::find(reverse.forced.begin(), reverse.forced.end(), *it) != reverse.forced.end()) {
        successors.push_back(cfg.exit());
      }
      int dom = -1;
      for (const int s : successors) {
        if (idom[static_cast<size_t>(s)] >= 0) {
          dom = dom < 0 ? s : intersect(s, dom);
        }
      }
      if (idom[static_cast<size_t>(*it)] != dom) {
        idom[static_cast<size_t>(*it)] = dom;
        changed = true;
      }
    }
  }
  idom.pop_back();
  return idom;
}

}  // namespace hpml::sim::ir
