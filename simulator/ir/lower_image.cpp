// Texture and surface instructions: tex d|p, [handle, {coordinates}]{, level or gradients}{, offset}{, depth}; suld the
// same; sust and sured [handle, {coordinates}], values. Their registers are lists, as those of a matrix instruction: d
// texels read, a coordinates, b texels written, or the level or the gradients that choose among the images of a
// pyramid, c offsets in texels; the handle is the address, dst[1] the predicate of texels in memory, src[0] the depth
// to compare with.
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

namespace {

size_t coordinates_of(isa::ImageShape shape) {
  switch (shape) {
    case isa::ImageShape::d1: return 1;
    case isa::ImageShape::d2:
    case isa::ImageShape::a1d: return 2;
    case isa::ImageShape::d3:
    case isa::ImageShape::a2d:
    case isa::ImageShape::cube:
    case isa::ImageShape::acube:
    case isa::ImageShape::d2ms:
    case isa::ImageShape::a2dms: break;
  }
  return 4;
}

// Elements of an offset; 0: the faces of a cube have none.
size_t offsets_of(isa::ImageShape shape) {
  switch (shape) {
    case isa::ImageShape::d1:
    case isa::ImageShape::a1d: return 1;
    case isa::ImageShape::d2:
    case isa::ImageShape::a2d: return 2;
    case isa::ImageShape::cube:
    case isa::ImageShape::acube: return 0;
    case isa::ImageShape::d3:
    case isa::ImageShape::d2ms:
    case isa::ImageShape::a2dms: break;
  }
  return 4;
}

// The operands that choose a level: of .level one, of .grad two.
size_t level_operands(const isa::Spec& spec) { return spec.fixed == "level" ? 1 : spec.fixed == "grad" ? 2 : 0; }

}  // namespace

// The address of the image's description: [handle] or the first of [handle, {sampler,} {coordinates}].
Result<void> FunctionLowering::image_handle(const ptx::Operand& operand, Inst& out) {
  const auto* list = std::get_if<ptx::ListOperand>(&operand.value);
  const auto* handle = std::get_if<ptx::AddressOperand>(list != nullptr ? &list->elements[0].value : &operand.value);
  if (handle == nullptr) {
    return error(operand.pos, "a texture or surface is named here in brackets: [handle, {coordinates}]");
  }
  return set_address(*handle, operand.pos, out);
}

// What follows the operands that every fetch has: where one axis has an offset, a float is the depth.
Result<void> FunctionLowering::texture_extras(const ptx::Instruction& inst, size_t first, isa::ImageShape shape,
                                              MatrixOperands& lists, Inst& out) {
  for (size_t i = first; i < inst.operands.size(); ++i) {
    const ptx::Operand& operand = inst.operands[i];
    HPML_TRY(const std::vector<isa::Slot> slots, image_registers(operand, isa::Ty::b32, false));
    const bool is_vector = std::holds_alternative<ptx::VectorOperand>(operand.value);
    const bool is_float =
        !is_vector && is_virtual(slots[0]) && draft_.regs[virtual_number(slots[0])].type == isa::Ty::f32;
    const bool is_offset = i == first && lists.c.empty() && slots.size() == offsets_of(shape) && !is_float;
    if (is_offset) {
      lists.c = slots;
    } else if (!is_vector && out.src[0] == isa::kNoSlot) {
      out.src[0] = slots[0];
    } else {
      return error(operand.pos, fmt::format("'{}' takes an offset of {} elements here, then a depth to compare with",
                                            inst.root, offsets_of(shape)));
    }
  }
  return Ok{};
}

Result<void> FunctionLowering::lower_image_question(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  auto lists = std::make_unique<MatrixOperands>();
  HPML_TRY(out.dst[0], destination(inst.operands[0]));
  const isa::Ty wanted =
      isa::image_form(*decoded.variant->spec).op == isa::ImageOp::query ? isa::Ty::b32 : isa::Ty::pred;
  HPML_TRY_VOID(check_container(inst, out.dst[0], {wanted}, 0));
  if (wanted == isa::Ty::pred) {
    HPML_TRY(const isa::Slot handle, source(inst.operands[1], isa::Ty::b64, 8));
    lists->a = {handle};
  } else {
    HPML_TRY_VOID(image_handle(inst.operands[1], out));
  }
  if (inst.operands.size() > 2) {
    HPML_TRY(lists->b, image_registers(inst.operands[2], isa::Ty::b32, false));
  }
  out.dst_bytes = out.src_bytes = 4;
  out.extra = static_cast<uint32_t>(draft_.out.matrix_operands.size());
  out.matrix = lists.get();
  draft_.out.matrix_operands.push_back(std::move(lists));
  draft_.out.code[pc] = out;
  return Ok{};
}

// The texels that an instruction reads, or the values it writes.
Result<void> FunctionLowering::image_values(const ptx::Instruction& inst, const ptx::Operand& moved,
                                            const isa::Decoded& decoded, bool reads, MatrixOperands& lists, Inst& out) {
  const isa::Ty type = decoded.variant->types[0];
  const isa::ImageOp op = isa::image_form(*decoded.variant->spec).op;
  const bool texture = op == isa::ImageOp::fetch || op == isa::ImageOp::gather;
  HPML_TRY(std::vector<isa::Slot> values, image_registers(moved, type, reads));
  if (values.size() != decoded.mods.vec) {
    return error(moved.pos,
                 fmt::format("'{}' takes {} values here, not {}", inst.root, decoded.mods.vec, values.size()));
  }
  const auto least = std::max<uint8_t>(static_cast<uint8_t>(isa::bits(type) / 8), 2);
  uint8_t container = least;
  for (const isa::Slot slot : values) {
    if (is_virtual(slot) && slot != draft_.scratch) {
      container = container_of(slot);
    }
  }
  if (container < least || (texture && container != least)) {
    return error(moved.pos, fmt::format("the registers of '{}' are too narrow or too wide", inst.root));
  }
  (reads ? lists.d : lists.b) = std::move(values);
  out.elem_bytes = static_cast<uint8_t>(isa::bits(type) / 8);
  out.dst_bytes = out.src_bytes = container;
  return Ok{};
}

Result<void> FunctionLowering::lower_image(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const isa::ImageOp op = isa::image_form(*decoded.variant->spec).op;
  if (op == isa::ImageOp::query || op == isa::ImageOp::is_kind) {
    return lower_image_question(inst, decoded);
  }
  const bool texture = op == isa::ImageOp::fetch || op == isa::ImageOp::gather;
  const bool reads = texture || op == isa::ImageOp::load;
  const ptx::Operand& place = inst.operands[reads ? 1 : 0];
  const auto* list = std::get_if<ptx::ListOperand>(&place.value);
  const size_t most = texture ? 3 : 2;  // between handle and coordinates a .samplerref may stand
  if (list == nullptr || list->elements.size() < 2 || list->elements.size() > most) {
    return error(place.pos, fmt::format("'{}' takes [handle, {{coordinates}}] here", inst.root));
  }
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  HPML_TRY_VOID(image_handle(place, out));
  auto lists = std::make_unique<MatrixOperands>();
  HPML_TRY(lists->a, image_registers(list->elements.back(), isa::Ty::b32, false));
  const auto shape = static_cast<isa::ImageShape>(decoded.mods.mode);
  if (lists->a.size() != coordinates_of(shape)) {
    return error(place.pos, fmt::format("'{}' takes {} coordinates here, not {}", inst.root, coordinates_of(shape),
                                        lists->a.size()));
  }
  const ptx::Operand* moved = &inst.operands[reads ? 0 : 1];
  out.dst[0] = draft_.scratch;
  if (const auto* pair = std::get_if<ptx::PairOperand>(&moved->value); pair != nullptr && texture) {
    HPML_TRY(out.dst[1], destination(pair->elements[1]));
    HPML_TRY_VOID(check_container(inst, out.dst[1], {isa::Ty::pred}, 0));
    moved = &pair->elements[0];
  }
  HPML_TRY_VOID(image_values(inst, *moved, decoded, reads, *lists, out));
  const size_t levels = texture ? level_operands(*decoded.variant->spec) : 0;
  if (inst.operands.size() < 2 + levels) {
    return error(inst.pos, fmt::format("'{}' lacks an operand ({})", inst.root, decoded.variant->spec->syntax));
  }
  for (size_t i = 2; i < 2 + levels; ++i) {
    HPML_TRY(const std::vector<isa::Slot> more, image_registers(inst.operands[i], isa::Ty::b32, false));
    lists->b.insert(lists->b.end(), more.begin(), more.end());
  }
  HPML_TRY_VOID(texture_extras(inst, 2 + levels, shape, *lists, out));
  out.extra = static_cast<uint32_t>(draft_.out.matrix_operands.size());
  out.matrix = lists.get();
  draft_.out.matrix_operands.push_back(std::move(lists));
  draft_.out.code[pc] = out;
  return Ok{};
}

}  // namespace hpml::sim::ir
