#include "simulator/ir/detail/data_flow.hpp"

namespace hpml::sim::ir {

DefUse::DefUse(const Draft& d) : draft(d), defs(d.regs.size()), uses(d.regs.size()) {
  for (Pc pc = 0; pc < d.out.code.size(); ++pc) {
    each_read(d.out.code[pc], [&](uint32_t r) { uses[r].push_back(pc); });
    each_write(d.out.code[pc], [&](uint32_t r) { defs[r].push_back(pc); });
  }
}

const Inst* DefUse::definition(isa::Slot slot) const {
  if (!is_virtual(slot) || defs[virtual_number(slot)].size() != 1) {
    return nullptr;
  }
  return &draft.out.code[defs[virtual_number(slot)].front()];
}

}  // namespace hpml::sim::ir
