// Texture and surface instructions: tex d, [handle, {coordinates}]{, level or gradients}; suld the same; sust [handle,
// {coordinates}], values. Their registers are lists, as those of a matrix instruction: d texels read, a coordinates, b
// texels written, or the level or the gradients that choose among the images of a pyramid; the handle is the address.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/ir/detail/lowering.hpp"
#include "simulator/isa/image_form.hpp"

namespace hpml::sim::ir {

// {%r0, %r1, ...}, or one operand without braces.
Result<std::vector<isa::Slot>> FunctionLowering::image_registers(const ptx::Operand& operand, isa::Ty type,
                                                                 bool write) {
  std::vector<const ptx::Operand*> elements;
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& element : vector->elements) {
      elements.push_back(&element);
    }
  } else {
    elements.push_back(&operand);
  }
  uint8_t container = std::max<uint8_t>(static_cast<uint8_t>(isa::bits(type) / 8), 2);
  for (const ptx::Operand* element : elements) {  // registers may be wider than the texels of a surface
    if (std::holds_alternative<ptx::RegisterOperand>(element->value)) {
      HPML_TRY(const isa::Slot slot, reg(*element));
      container = container_of(slot);
    }
  }
  std::vector<isa::Slot> out;
  for (const ptx::Operand* element : elements) {
    isa::Slot slot = isa::kNoSlot;
    if (write) {
      HPML_TRY(slot, destination(*element));
    } else {
      const auto* constant = std::get_if<ptx::Immediate>(&element->value);
      const bool is_float = constant != nullptr && constant->kind != ptx::Immediate::Kind::integer;
      HPML_TRY(slot, source(*element, is_float && container == 4 ? isa::Ty::f32 : type, container));
    }
    if (is_virtual(slot) && slot != draft_.scratch && container_of(slot) != container) {
      return error(element->pos, "the registers of this list differ in width");
    }
    out.push_back(slot);
  }
  return out;
}

Result<void> FunctionLowering::lower_image(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const isa::ImageOp op = isa::image_form(*decoded.variant->spec).op;
  const bool stores = op == isa::ImageOp::store;
  const bool texture = op == isa::ImageOp::fetch || op == isa::ImageOp::gather;
  const ptx::Operand& place = inst.operands[stores ? 0 : 1];
  const auto* list = std::get_if<ptx::ListOperand>(&place.value);
  const auto* handle = list != nullptr ? std::get_if<ptx::AddressOperand>(&list->elements[0].value) : nullptr;
  if (handle == nullptr || list->elements.size() != 2) {
    return error(place.pos, fmt::format("'{}' takes [handle, {{coordinates}}] here", inst.root));
  }
  if (!handle->base_is_register) {
    mark_unsupported(inst, fmt::format("instruction '{}' of a .texref or .surfref variable", inst.root));
    return Ok{};
  }
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  HPML_TRY_VOID(set_address(*handle, place.pos, out));
  auto lists = std::make_unique<MatrixOperands>();
  HPML_TRY(lists->a, image_registers(list->elements[1], isa::Ty::b32, false));
  const auto shape = static_cast<isa::ImageShape>(decoded.mods.mode);
  const size_t coordinates = shape == isa::ImageShape::d1                                    ? 1
                             : shape == isa::ImageShape::d2 || shape == isa::ImageShape::a1d ? 2
                                                                                             : 4;
  if (lists->a.size() != coordinates) {
    return error(place.pos,
                 fmt::format("'{}' takes {} coordinates here, not {}", inst.root, coordinates, lists->a.size()));
  }
  const isa::Ty type = decoded.variant->types[0];
  const ptx::Operand& moved = inst.operands[stores ? 1 : 0];
  HPML_TRY(std::vector<isa::Slot> values, image_registers(moved, type, !stores));
  if (values.size() != decoded.mods.vec) {
    return error(moved.pos,
                 fmt::format("'{}' takes {} values here, not {}", inst.root, decoded.mods.vec, values.size()));
  }
  uint8_t container = std::max<uint8_t>(static_cast<uint8_t>(isa::bits(type) / 8), 2);
  for (const isa::Slot slot : values) {
    if (is_virtual(slot) && slot != draft_.scratch) {
      container = container_of(slot);
    }
  }
  if (isa::bits(type) > container * 8 || (texture && container != 4)) {
    return error(moved.pos, fmt::format("the registers of '{}' are too narrow or too wide", inst.root));
  }
  (stores ? lists->b : lists->d) = std::move(values);
  for (size_t i = 2; texture && i < inst.operands.size(); ++i) {
    HPML_TRY(const std::vector<isa::Slot> more, image_registers(inst.operands[i], isa::Ty::b32, false));
    lists->b.insert(lists->b.end(), more.begin(), more.end());
  }
  out.elem_bytes = static_cast<uint8_t>(isa::bits(type) / 8);
  out.dst[0] = draft_.scratch;
  out.dst_bytes = out.src_bytes = container;
  out.extra = static_cast<uint32_t>(draft_.out.matrix_operands.size());
  out.matrix = lists.get();
  draft_.out.matrix_operands.push_back(std::move(lists));
  draft_.out.code[pc] = out;
  return Ok{};
}

}  // namespace hpml::sim::ir
