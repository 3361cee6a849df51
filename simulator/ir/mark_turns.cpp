// What the executor wants to know of each instruction at once. Which instructions other blocks see, or see other blocks
// by more than their memory: multiprocessors that are simulated side by side execute those one after another
// (Inst::turns). How many instructions from each on only compute (Inst::plain).
#include "simulator/ir/detail/draft.hpp"
#include "simulator/isa/image_form.hpp"
#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::ir {

namespace {

// Memory that belongs to the block, or its cluster, alone.
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
    const isa::ImageOp op = isa::image_form(*inst.variant->spec).op;
    return op == isa::ImageOp::store || op == isa::ImageOp::store_formatted || op == isa::ImageOp::reduce;
  }
  const isa::MatrixForm* form = inst.variant->matrix;
  return form != nullptr && form->op == isa::MatrixOp::store && !is_private(inst.mods.space);
}

bool asks_device(const Inst& inst, const Function& function) {
  return inst.refresh_special ||
         (inst.control == isa::Control::call && function.calls[inst.extra].builtin != Builtin::none);
}

// What reaches, or may reach, other blocks of a cluster and nobody else.
bool meets_cluster(const Inst& inst) {
  if (inst.control == isa::Control::exit || inst.control == isa::Control::cluster_arrive) {
    return true;
  }
  const bool accesses = inst.mem == isa::Mem::ld || inst.mem == isa::Mem::st || inst.mem == isa::Mem::atom ||
                        inst.mem == isa::Mem::red || inst.control == isa::Control::mbarrier ||
                        inst.warp == isa::Warp::matrix;
  return accesses && (inst.mods.space == isa::Space::generic || inst.mods.of_cluster);
}

}  // namespace

void mark_turns(Function& function) {
  for (Inst& inst : function.code) {
    inst.turns = writes_memory(inst) || asks_device(inst, function) ? Turns::always
                 : meets_cluster(inst)                              ? Turns::in_clusters
                                                                    : Turns::free;
  }
}

void mark_plain(Function& function) {
  constexpr uint16_t kMost = UINT16_MAX;
  uint16_t behind = 0;
  for (auto inst = function.code.rbegin(); inst != function.code.rend(); ++inst) {
    const bool plain = inst->shape == isa::Shape::lane && !inst->refresh_special && inst->guard == isa::kNoSlot;
    inst->plain = plain ? static_cast<uint16_t>(behind == kMost ? kMost : behind + 1) : 0;
    behind = inst->plain;
  }
}

}  // namespace hpml::sim::ir
