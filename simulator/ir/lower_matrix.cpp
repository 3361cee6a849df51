// Matrix instructions: register lists of any length, an address and a stride where they touch memory.
#include <fmt/format.h>

#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

// {%r0, %r1, ...}, or one register without braces, as `count` registers of 32 bits (64 for f64).
Result<std::vector<isa::Slot>> FunctionLowering::matrix_registers(const ptx::Instruction& inst,
                                                                  const ptx::Operand& operand, isa::Element type,
                                                                  size_t count, bool write) {
  std::vector<const ptx::Operand*> elements;
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& element : vector->elements) {
      elements.push_back(&element);
    }
  } else {
    elements.push_back(&operand);
  }
  if (elements.size() != count) {
    return error(operand.pos,
                 fmt::format("this operand of '{}' is {} registers, not {}", inst.root, count, elements.size()));
  }
  const bool is_double = type == isa::Element::f64;
  const isa::Ty container = is_double ? isa::Ty::f64 : type == isa::Element::f32 ? isa::Ty::f32 : isa::Ty::b32;
  std::vector<isa::Slot> out;
  for (const ptx::Operand* element : elements) {
    isa::Slot slot = isa::kNoSlot;
    if (write) {
      HPML_TRY(slot, destination(*element));
    } else {
      HPML_TRY(slot, source(*element, container, is_double ? 8 : 4));
    }
    if (is_virtual(slot) && slot != draft_.scratch && container_of(slot) != (is_double ? 8 : 4)) {
      return error(element->pos, fmt::format("'{}' takes registers of {} bits here", inst.root, is_double ? 64 : 32));
    }
    out.push_back(slot);
  }
  return out;
}

// multiply d, a, b, c{, metadata, selector}; load d, [p]{, stride}; store [p], a{, stride}; ldmatrix d, [p];
// stmatrix [p], a; movmatrix d, a. src[0]: stride or metadata, src[1]: selector, dst[0]: 64 bits per lane of scratch.
Result<void> FunctionLowering::lower_matrix(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const isa::MatrixForm& form = *decoded.variant->matrix;
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  auto lists = std::make_unique<MatrixOperands>();
  const std::vector<ptx::Operand>& operands = inst.operands;
  const bool stores = form.op == isa::MatrixOp::store || form.op == isa::MatrixOp::store8x8;
  const bool moves = form.op == isa::MatrixOp::transpose;
  size_t stride = 0;
  if (form.op == isa::MatrixOp::multiply) {
    HPML_TRY(lists->d, matrix_registers(inst, operands[0], form.d, form.regs_d, true));
    HPML_TRY(lists->a, matrix_registers(inst, operands[1], form.a, form.regs_a, false));
    HPML_TRY(lists->b, matrix_registers(inst, operands[2], form.b, form.regs_b, false));
    HPML_TRY(lists->c, matrix_registers(inst, operands[3], form.c, form.regs_c, false));
    stride = form.sparse ? 4 : 0;
  } else if (moves) {
    HPML_TRY(lists->d, matrix_registers(inst, operands[0], form.d, form.regs_d, true));
    HPML_TRY(lists->a, matrix_registers(inst, operands[1], form.a, form.regs_a, false));
  } else {
    const auto* address = std::get_if<ptx::AddressOperand>(&operands[stores ? 0 : 1].value);
    if (address == nullptr) {
      return error(operands[stores ? 0 : 1].pos, "an address in brackets is needed here");
    }
    HPML_TRY_VOID(set_address(*address, operands[stores ? 0 : 1].pos, out));
    const bool whole = form.op == isa::MatrixOp::load || form.op == isa::MatrixOp::store;
    const size_t count = whole                               ? (form.part == isa::MatrixPart::a   ? form.regs_a
                                                                : form.part == isa::MatrixPart::b ? form.regs_b
                                                                                                  : form.regs_c)
                         : form.op == isa::MatrixOp::load8x8 ? form.regs_d
                                                             : form.regs_a;
    HPML_TRY(std::vector<isa::Slot> moved, matrix_registers(inst, operands[stores ? 1 : 0], form.a, count, !stores));
    (stores ? lists->a : lists->d) = std::move(moved);
    stride = operands.size() > 2 ? 2 : 0;
  }
  for (size_t i = stride; i != 0 && i < operands.size(); ++i) {
    HPML_TRY(out.src[i - stride], source(operands[i], isa::Ty::b32, 4));
  }
  out.src_bytes = 4;
  out.dst[0] = draft_.scratch;
  out.dst_bytes = 8;
  out.extra = static_cast<uint32_t>(draft_.out.matrix_operands.size());
  out.matrix = lists.get();
  draft_.out.matrix_operands.push_back(std::move(lists));
  draft_.out.code[pc] = out;
  return Ok{};
}

}  // namespace hpml::sim::ir
