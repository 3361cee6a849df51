// Which instructions other blocks see, or see other blocks by more than their memory: multiprocessors that are
// simulated side by side execute those one after another (Inst::takes_turns).
#include "simulator/ir/detail/draft.hpp"
#include "simulator/isa/image_form.hpp"
#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::ir {

namespace {

// Memory that belongs to the block alone.
bool is_private(isa::Space space) { return space == isa::Space::shared || space == isa::Space::local; }

bool writes_memory(const Inst& inst) {
  switch (inst.mem) {
    case isa::Mem::st:
    case isa::Mem::atom:
    case isa::Mem::red: return !is_private(inst.mods.space);
    case isa::Mem::copy_bulk: return true;
    default: break;
  }
  if (inst.shape != isa::Shape::warp || inst.variant == nullptr) {
    return false;
  }
  if (isa::is_image(inst.shape, inst.warp)) {
    return isa::image_form(*inst.variant->spec).op == isa::ImageOp::store;
  }
  const isa::MatrixForm* form = inst.variant->matrix;
  return form != nullptr && form->op == isa::MatrixOp::store && !is_private(inst.mods.space);
}

bool asks_device(const Inst& inst, const Function& function) {
  return inst.refresh_special ||
         (inst.control == isa::Control::call && function.calls[inst.extra].builtin != Builtin::none);
}

}  // namespace

void mark_turns(Function& function) {
  for (Inst& inst : function.code) {
    inst.takes_turns = writes_memory(inst) || asks_device(inst, function);
  }
}

}  // namespace hpml::sim::ir
