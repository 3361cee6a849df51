// Branches, barriers, the stack.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

Result<void> FunctionLowering::lower_control(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const isa::Control control = decoded.variant->control;
  switch (control) {
    case isa::Control::bra: {
      const auto* symbol = inst.operands.empty() ? nullptr : std::get_if<ptx::SymbolOperand>(&inst.operands[0].value);
      const Local* local = symbol != nullptr ? lookup(symbol->name) : nullptr;
      if (local == nullptr || local->kind != Local::Kind::label) {
        return error(inst.pos, "the branch target is not a label of this function");
      }
      emit(inst, decoded);
      fixups_.push_back({static_cast<Pc>(draft_.out.code.size() - 1), local->label});
      return Ok{};
    }
    case isa::Control::brx: {
      const auto* symbol =
          inst.operands.size() < 2 ? nullptr : std::get_if<ptx::SymbolOperand>(&inst.operands[1].value);
      const Local* local = symbol != nullptr ? lookup(symbol->name) : nullptr;
      if (local == nullptr || local->kind != Local::Kind::targets) {
        return error(inst.pos, "brx.idx needs the name of a .branchtargets list");
      }
      HPML_TRY(const isa::Slot index, source(inst.operands[0], isa::Ty::b32, 4));
      std::vector<int> labels;
      for (const std::string& name : local->targets->labels) {
        const Local* label = lookup(name);
        if (label == nullptr || label->kind != Local::Kind::label) {
          return error(inst.pos, fmt::format("'{}' in the target list is not a label", name));
        }
        labels.push_back(label->label);
      }
      Inst& out = emit(inst, decoded);
      out.src[0] = index;
      out.extra = static_cast<uint32_t>(target_labels_.size());
      target_labels_.push_back(std::move(labels));
      return Ok{};
    }
    case isa::Control::call: return lower_call(inst, decoded);
    case isa::Control::bar_sync:
    case isa::Control::bar_arrive:
    case isa::Control::bar_red:
    case isa::Control::bar_warp_sync:
    case isa::Control::nanosleep: return lower_barrier(inst, decoded);
    case isa::Control::mbarrier: return lower_mbarrier(inst, decoded);
    case isa::Control::copy_group: return lower_copy_group(inst, decoded);
    case isa::Control::alloca:
    case isa::Control::stack_save:
    case isa::Control::stack_restore: return lower_stack(inst, decoded);
    case isa::Control::ret:
      HPML_TRY_VOID(store_register_results(inst));
      emit(inst, decoded);
      return Ok{};
    case isa::Control::none:
    case isa::Control::exit:
    case isa::Control::cluster_arrive:
    case isa::Control::cluster_wait:
    case isa::Control::trap:
    case isa::Control::brkpt:
    case isa::Control::nop: emit(inst, decoded); return Ok{};
  }
  return Ok{};
}

// bar.sync a{, b}; bar.arrive a, b; bar.red.op d, a{, b}, {!}c; bar.warp.sync mask; nanosleep t.
Result<void> FunctionLowering::lower_barrier(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  isa::SourceSlots src = isa::kNoSources;
  isa::Slot dst = isa::kNoSlot;
  uint8_t negate = 0;
  if (decoded.variant->control == isa::Control::bar_red) {
    if (inst.operands.size() < 3) {
      return error(inst.pos, fmt::format("wrong number of operands ({})", decoded.variant->spec->syntax));
    }
    HPML_TRY(dst, destination(inst.operands[0]));
    const ptx::Operand& predicate = inst.operands.back();
    HPML_TRY(src[2], source(predicate, isa::Ty::pred, 4));
    const auto* r = std::get_if<ptx::RegisterOperand>(&predicate.value);
    negate = r != nullptr && r->negated ? 1u << 2 : 0u;
    for (size_t i = 1; i + 1 < inst.operands.size(); ++i) {
      HPML_TRY(src[i - 1], source(inst.operands[i], isa::Ty::b32, 4));
    }
  } else {
    for (size_t i = 0; i < inst.operands.size() && i < 2; ++i) {
      HPML_TRY(src[i], source(inst.operands[i], isa::Ty::b32, 4));
    }
  }
  Inst& out = draft_.out.code[pc];
  out.src = src;
  out.dst[0] = dst;
  out.dst_bytes = is_virtual(dst) ? container_of(dst) : 4;
  out.negate = negate;
  return Ok{};
}

// alloca ptr, size{, alignment}; stacksave d; stackrestore a. The alignment in Inst::extra.
Result<void> FunctionLowering::lower_stack(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  constexpr uint32_t kUsualAlignment = 8;
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  const isa::Ty type = decoded.variant->types[0];
  size_t next = 0;
  if (decoded.variant->control != isa::Control::stack_restore) {
    HPML_TRY(out.dst[0], destination(inst.operands[next++]));
    HPML_TRY_VOID(check_container(inst, out.dst[0], {type}, 0));
    out.dst_bytes = container_of(out.dst[0]);
  }
  if (next < inst.operands.size()) {
    out.src_bytes = type == isa::Ty::u64 ? 8 : 4;
    HPML_TRY(out.src[0], source(inst.operands[next++], type, out.src_bytes));
  }
  out.extra = kUsualAlignment;
  if (next < inst.operands.size()) {
    const auto* alignment = std::get_if<ptx::Immediate>(&inst.operands[next].value);
    if (alignment == nullptr || !std::has_single_bit(alignment->bits)) {
      return error(inst.operands[next].pos, "the alignment must be a constant power of two");
    }
    out.extra = static_cast<uint32_t>(alignment->bits);
  }
  draft_.out.grows_stack = true;
  draft_.out.code[pc] = out;
  return Ok{};
}

}  // namespace hpml::sim::ir
