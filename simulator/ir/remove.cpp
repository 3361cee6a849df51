#include "simulator/ir/detail/draft.hpp"

namespace hpml::sim::ir {

void set_operation(Inst& inst, const isa::Decoded& decoded) {
  const isa::Variant& v = *decoded.variant;
  inst.variant = &v;
  inst.run = v.run;
  inst.mods = decoded.mods;
  inst.shape = v.shape;
  inst.lat = v.latency;
  inst.thread_op = v.spec->thread_op;
  inst.mem = v.mem;
  inst.control = v.control;
  inst.warp = v.warp;
  inst.type = v.types[0];
}

void rebuild(Function& function, const std::vector<bool>& dead, const std::map<Pc, std::vector<Inst>>& in_front) {
  std::vector<Pc> moved(function.code.size() + 1, 0);
  std::vector<Inst> code;
  code.reserve(function.code.size() + in_front.size());
  for (Pc pc = 0; pc < function.code.size(); ++pc) {
    moved[pc] = static_cast<Pc>(code.size());
    if (const auto added = in_front.find(pc); added != in_front.end()) {
      code.insert(code.end(), added->second.begin(), added->second.end());
    }
    if (!dead[pc]) {
      code.push_back(function.code[pc]);
    }
  }
  moved[function.code.size()] = static_cast<Pc>(code.size());
  function.code = std::move(code);
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

void remove(Function& function, const std::vector<bool>& dead) { rebuild(function, dead, {}); }

}  // namespace hpml::sim::ir
