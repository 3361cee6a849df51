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

// {byte, thread} of a factor: registers or constants of 16 bits.
Result<void> FunctionLowering::matrix_scale(const ptx::Operand& factors, const ptx::Operand& place,
                                            std::vector<isa::Slot>& out) {
  HPML_TRY(out.emplace_back(), source(factors, isa::Ty::b32, 4));
  const auto* pair = std::get_if<ptx::VectorOperand>(&place.value);
  if (pair == nullptr || pair->elements.size() != 2) {
    return error(place.pos, "the place of a factor is {byte, thread}");
  }
  for (const ptx::Operand& element : pair->elements) {
    HPML_TRY(out.emplace_back(), source(element, isa::Ty::b16, 2));
  }
  return Ok{};
}

// d, a, b, c{, metadata, selector}{, factors of a, place, factors of b, place}
Result<void> FunctionLowering::matrix_product(const ptx::Instruction& inst, const isa::MatrixForm& form, Inst& out,
                                              MatrixOperands& lists) {
  const std::vector<ptx::Operand>& operands = inst.operands;
  HPML_TRY(lists.d, matrix_registers(inst, operands[0], form.d, form.regs_d, true));
  HPML_TRY(lists.a, matrix_registers(inst, operands[1], form.a, form.regs_a, false));
  HPML_TRY(lists.b, matrix_registers(inst, operands[2], form.b, form.regs_b, false));
  HPML_TRY(lists.c, matrix_registers(inst, operands[3], form.c, form.regs_c, false));
  size_t next = 4;
  if (form.sparse) {
    HPML_TRY(out.src[kMetadata], source(operands[next++], isa::Ty::b32, 4));
    HPML_TRY(out.src[kSelector], source(operands[next++], isa::Ty::b32, 4));
  }
  if (form.scale != isa::Scale::none) {
    HPML_TRY_VOID(matrix_scale(operands[next], operands[next + 1], lists.scales));
    HPML_TRY_VOID(matrix_scale(operands[next + 2], operands[next + 3], lists.scales));
  }
  return Ok{};
}

// d, a or its descriptor, descriptor of b{, metadata, selector}, accumulate{, sign of a, sign of b}{, transpositions of
// the matrices that lie in memory}
Result<void> FunctionLowering::warpgroup_product(const ptx::Instruction& inst, const isa::MatrixForm& form, Inst& out,
                                                 MatrixOperands& lists) {
  const std::vector<ptx::Operand>& operands = inst.operands;
  const bool in_registers = std::holds_alternative<ptx::VectorOperand>(operands[1].value);
  HPML_TRY(lists.d, matrix_registers(inst, operands[0], form.d, form.regs_d, true));
  lists.c = lists.d;
  if (in_registers) {
    HPML_TRY(lists.a, matrix_registers(inst, operands[1], form.a, form.regs_a, false));
  } else {
    HPML_TRY(lists.a.emplace_back(), source(operands[1], isa::Ty::b64, 8));
  }
  HPML_TRY(lists.b.emplace_back(), source(operands[2], isa::Ty::b64, 8));
  size_t next = 3;
  if (form.sparse) {
    HPML_TRY(out.src[kMetadata], source(operands[next++], isa::Ty::b32, 4));
    HPML_TRY(out.src[kSelector], source(operands[next++], isa::Ty::b32, 4));
  }
  HPML_TRY(out.src[kAccumulate], source(operands[next++], isa::Ty::pred, 0));
  std::vector<int64_t> constants;
  for (; next < operands.size(); ++next) {
    const auto* constant = std::get_if<ptx::Immediate>(&operands[next].value);
    if (constant == nullptr) {
      return error(operands[next].pos, "a constant is needed here");
    }
    constants.push_back(static_cast<int64_t>(constant->bits));
  }
  const auto is = [&](size_t i, int64_t value) { return i < constants.size() && constants[i] == value; };
  const bool floats = form.d != isa::Element::s32;
  const size_t of_b = in_registers ? 2 : 3;
  out.offset = (is(0, -1) ? kNegateA : 0) | (is(1, -1) ? kNegateB : 0) |
               (floats && !in_registers && is(2, 1) ? kTransposeA : 0) | (floats && is(of_b, 1) ? kTransposeB : 0);
  return Ok{};
}

// load d, [p]{, stride}; store [p], a{, stride}; ldmatrix d, [p]; stmatrix [p], a. src[0]: stride.
Result<void> FunctionLowering::matrix_access(const ptx::Instruction& inst, const isa::MatrixForm& form, Inst& out,
                                             MatrixOperands& lists) {
  const std::vector<ptx::Operand>& operands = inst.operands;
  const bool stores = form.op == isa::MatrixOp::store || form.op == isa::MatrixOp::store8x8;
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
  (stores ? lists.a : lists.d) = std::move(moved);
  if (operands.size() > 2) {
    HPML_TRY(out.src[0], source(operands[2], isa::Ty::b32, 4));
  }
  return Ok{};
}

// dst[0]: 64 bits per lane of scratch.
Result<void> FunctionLowering::lower_matrix(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const isa::MatrixForm& form = *decoded.variant->matrix;
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  auto lists = std::make_unique<MatrixOperands>();
  switch (form.op) {
    case isa::MatrixOp::multiply: HPML_TRY_VOID(matrix_product(inst, form, out, *lists)); break;
    case isa::MatrixOp::warpgroup: HPML_TRY_VOID(warpgroup_product(inst, form, out, *lists)); break;
    case isa::MatrixOp::transpose: {
      HPML_TRY(lists->d, matrix_registers(inst, inst.operands[0], form.d, form.regs_d, true));
      HPML_TRY(lists->a, matrix_registers(inst, inst.operands[1], form.a, form.regs_a, false));
      break;
    }
    case isa::MatrixOp::load:
    case isa::MatrixOp::store:
    case isa::MatrixOp::load8x8:
    case isa::MatrixOp::store8x8: HPML_TRY_VOID(matrix_access(inst, form, out, *lists)); break;
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
