#include "simulator/ir/detail/draft.hpp"

namespace hpml::sim::ir {

void remove(Function& function, const std::vector<bool>& dead) {
  std::vector<Pc> moved(function.code.size() + 1, 0);
  Pc kept = 0;
  for (Pc pc = 0; pc < function.code.size(); ++pc) {
    moved[pc] = kept;
    if (!dead[pc]) {
      function.code[kept++] = function.code[pc];
    }
  }
  moved[function.code.size()] = kept;
  function.code.resize(kept);
  for (Inst& inst : function.code) {
    inst.target = inst.target == kNoPc ? kNoPc : moved[inst.target];
  }
  for (std::vector<Pc>& targets : function.branch_targets) {
    for (Pc& target : targets) {
      target = moved[target];
    }
  }
  for (auto& [pc, why] : function.unsupported) {
    pc = moved[pc];
  }
}

}  // namespace hpml::sim::ir
