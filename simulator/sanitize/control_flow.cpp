#include "simulator/sanitize/control_flow.hpp"

#include <vector>

namespace hpml::sim::sanitize {
namespace {

using ir::Pc;

void append_successors(const ir::Function& function, Pc pc, std::vector<Pc>& out) {
  const ir::Inst& inst = function.code[pc];
  const bool guarded = inst.guard != isa::kNoSlot;
  bool falls_through = true;
  switch (inst.control) {
    case isa::Control::bra:
      out.push_back(inst.target);
      falls_through = guarded;
      break;
    case isa::Control::brx:
      for (const Pc target : function.branch_targets[inst.extra]) {
        out.push_back(target);
      }
      falls_through = guarded;
      break;
    case isa::Control::ret:
    case isa::Control::exit:
    case isa::Control::trap: falls_through = guarded; break;
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
    case isa::Control::nop: break;
  }
  if (falls_through && pc + 1 < function.code.size()) {
    out.push_back(pc + 1);
  }
}

bool leaves(const ir::Inst& inst) { return inst.control == isa::Control::ret || inst.control == isa::Control::exit; }

// Whether a way from behind `from` that avoids `around` reaches an instruction that is asked for.
template <class Wanted>
bool reaches(const ir::Function& function, Pc from, Pc around, Wanted wanted) {
  std::vector<bool> seen(function.code.size(), false);
  std::vector<Pc> open;
  append_successors(function, from, open);
  while (!open.empty()) {
    const Pc pc = open.back();
    open.pop_back();
    if (pc == around || seen[pc]) {
      continue;
    }
    if (wanted(pc)) {
      return true;
    }
    seen[pc] = true;
    append_successors(function, pc, open);
  }
  return false;
}

}  // namespace

bool lies_behind(const ir::Function& function, Pc from, Pc to) {
  return from != to && !reaches(function, to, ir::kNoPc, [from](Pc pc) { return pc == from; }) &&
         !reaches(function, from, to, [&](Pc pc) { return leaves(function.code[pc]); });
}

}  // namespace hpml::sim::sanitize
