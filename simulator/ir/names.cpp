// What a debugger is told about names (names.hpp).
#include <algorithm>

#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

void FunctionLowering::note_register(const std::string& name, isa::Slot slot, int ptx_line) {
  if (module_.names != nullptr) {
    const VirtualReg& reg = draft_.regs[virtual_number(slot)];
    names_.registers.push_back({name, slot, reg.bytes, reg.type == isa::Ty::pred, false, ptx_line});
  }
}

void FunctionLowering::note_place(const std::string& name, ptx::Space space, uint32_t offset, uint64_t size) {
  if (module_.names != nullptr) {
    names_.places.push_back({name, space, offset, size});
  }
}

void FunctionLowering::finish_names(const std::vector<isa::Slot>& slots) {
  std::vector<bool> written(slots.size(), false);
  for (const Inst& inst : draft_.out.code) {
    each_register_written(inst, [&](RegId reg) {
      if (reg != kNoReg) {
        written[reg] = true;
      }
    });
  }
  for (RegisterName& name : names_.registers) {
    const uint32_t number = virtual_number(name.slot);
    name.written = written[number];
    name.slot = slots[number];
  }
  names_.part = part_;
  names_.first_line = ast_.pos.line;
  module_.names->functions.push_back(std::move(names_));
}

}  // namespace hpml::sim::ir
