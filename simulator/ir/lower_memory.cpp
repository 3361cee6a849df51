// Loads, stores, atomics, address conversion.
#include <fmt/format.h>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

Result<void> FunctionLowering::set_address(const ptx::AddressOperand& address, SourcePos pos, Inst& out) {
  out.offset = address.offset;
  if (address.base_is_register) {
    const Local* local = lookup(address.base);
    if (local == nullptr || local->kind != Local::Kind::reg) {
      return error(pos, fmt::format("undefined register '{}'", address.base));
    }
    out.addr = local->slot;
    out.addr_bytes = container_of(local->slot);
    if (out.addr_bytes < 4) {
      return error(pos, fmt::format("'{}' is too narrow for an address", address.base));
    }
    // In a device function the param space is the local frame; in a kernel, the parameter block.
    if (out.mods.space == isa::Space::param && !ast_.is_entry) {
      out.mods.space = isa::Space::local;
    }
    return Ok{};
  }
  if (address.base.empty()) {
    return Ok{};
  }
  const Local* local = lookup(address.base);
  if (local != nullptr && (local->kind == Local::Kind::local_memory || local->kind == Local::Kind::formal)) {
    out.addr = special(Special::local_base, 0, 8);
    out.offset += local->offset;
    out.mods.space = isa::Space::local;
    return Ok{};
  }
  const auto absolute = symbol_address({address.base, address.offset});
  if (!absolute) {
    return error(pos, fmt::format("undefined name '{}'", address.base));
  }
  out.offset = static_cast<int64_t>(*absolute);
  return Ok{};
}

// The data operand of a load (destinations) or store (sources): one value or a vector of them, one container for all.
Result<void> FunctionLowering::set_values(const ptx::Instruction& inst, const ptx::Operand& operand, Inst& out,
                                          bool store) {
  std::vector<const ptx::Operand*> elements;
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& element : vector->elements) {
      elements.push_back(&element);
    }
  } else {
    elements.push_back(&operand);
  }
  if (elements.size() != out.mods.vec || elements.size() > out.dst.size()) {
    return error(operand.pos, fmt::format("'{}' with .v{} takes {} values, not {}", inst.root, out.mods.vec,
                                          out.mods.vec, elements.size()));
  }
  uint8_t container = container_bytes(out.type);
  std::array<isa::Slot, 4> slots = {isa::kNoSlot, isa::kNoSlot, isa::kNoSlot, isa::kNoSlot};
  for (size_t i = 0; i < elements.size(); ++i) {
    if (std::holds_alternative<ptx::RegisterOperand>(elements[i]->value)) {
      HPML_TRY(slots[i], reg(*elements[i]));
      container = container_of(slots[i]);
      HPML_TRY_VOID(check_container(inst, slots[i], {out.type, true}, 0));
    } else if (!store) {
      HPML_TRY(slots[i], destination(*elements[i]));
    }
  }
  for (size_t i = 0; store && i < elements.size(); ++i) {
    if (slots[i] == isa::kNoSlot) {
      HPML_TRY(slots[i], source(*elements[i], out.type, container));
    }
  }
  (store ? out.src : out.dst) = slots;
  (store ? out.src_bytes : out.dst_bytes) = container;
  return Ok{};
}

// ld.param of a kernel parameter at a fixed place is a copy from the constant bank: the operand of its user on
// hardware.
Result<bool> FunctionLowering::lower_param_load(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const auto* address = std::get_if<ptx::AddressOperand>(&inst.operands[1].value);
  if (decoded.variant->mem != isa::Mem::ld || decoded.mods.space != isa::Space::param || decoded.mods.vec != 1 ||
      address == nullptr || address->base_is_register) {
    return false;
  }
  const Local* local = lookup(address->base);
  if (local == nullptr || local->kind != Local::Kind::kernel_param) {
    return false;
  }
  HPML_TRY(const isa::Slot dst, destination(inst.operands[0]));
  const isa::Ty type = decoded.variant->types[0];
  ParamSlot param;
  param.container = dst == draft_.scratch ? container_bytes(type) : container_of(dst);
  param.bytes = static_cast<uint8_t>(isa::bits(type) / 8);
  param.offset = local->offset + static_cast<uint32_t>(address->offset);
  param.sign_extend = isa::is_signed(type);
  param.slot = module_.pool.reserve(param.container);
  module_.param_slots.push_back(param);
  const std::vector<std::string> words = {fmt::format("b{}", param.container * 8)};
  Inst& out = emit(inst, *isa::decode("mov", words, 2));
  out.lat = isa::Lat::none;
  out.dst[0] = dst;
  out.src[0] = param.slot;
  out.dst_bytes = out.src_bytes = param.container;
  return true;
}

Result<void> FunctionLowering::lower_atomic(const ptx::Instruction& inst, Inst& out) {
  const size_t address = out.mem == isa::Mem::atom ? 1 : 0;
  if (out.mem == isa::Mem::atom) {
    HPML_TRY(out.dst[0], destination(inst.operands[0]));
  } else {
    out.dst[0] = draft_.scratch;
  }
  const uint8_t container = container_bytes(out.type);
  for (size_t i = address + 1; i < inst.operands.size() && i - address - 1 < out.src.size(); ++i) {
    isa::Slot slot = isa::kNoSlot;
    HPML_TRY(slot, source(inst.operands[i], out.type, container));
    HPML_TRY_VOID(check_container(inst, slot, {out.type}, i));
    out.src[i - address - 1] = slot;
  }
  out.dst_bytes = out.src_bytes = container;
  return Ok{};
}

namespace {

// Operand that holds [address], by kind; -1: none.
int address_operand(isa::Mem mem) {
  switch (mem) {
    case isa::Mem::ld:
    case isa::Mem::atom: return 1;
    case isa::Mem::st:
    case isa::Mem::red:
    case isa::Mem::prefetch:
    case isa::Mem::copy_async: return 0;
    case isa::Mem::none:
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::fence: return -1;
  }
  return -1;
}

}  // namespace

Result<void> FunctionLowering::lower_memory(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  if (inst.operands.size() >= 2) {
    HPML_TRY(const bool done, lower_param_load(inst, decoded));
    if (done) {
      return Ok{};
    }
  }
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  out.elem_bytes = static_cast<uint8_t>(isa::bits(out.type) / 8);
  const int where = address_operand(out.mem);
  if (where >= 0 && static_cast<size_t>(where) < inst.operands.size()) {
    const ptx::Operand& operand = inst.operands[static_cast<size_t>(where)];
    const auto* address = std::get_if<ptx::AddressOperand>(&operand.value);
    if (address == nullptr) {
      return error(operand.pos, "an address in brackets is needed here");
    }
    HPML_TRY_VOID(set_address(*address, operand.pos, out));
  }
  switch (out.mem) {
    case isa::Mem::ld: HPML_TRY_VOID(set_values(inst, inst.operands[0], out, false)); break;
    case isa::Mem::st: HPML_TRY_VOID(set_values(inst, inst.operands[1], out, true)); break;
    case isa::Mem::atom:
    case isa::Mem::red: HPML_TRY_VOID(lower_atomic(inst, out)); break;
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep: {
      HPML_TRY(out.dst[0], destination(inst.operands[0]));
      const auto* symbol = std::get_if<ptx::SymbolOperand>(&inst.operands[1].value);
      const Local* local = symbol != nullptr ? lookup(symbol->name) : nullptr;
      if (local != nullptr && (local->kind == Local::Kind::local_memory || local->kind == Local::Kind::formal)) {
        out.src[0] = special(Special::local_base, 0, 8);
        out.offset = local->offset + symbol->offset;
      } else {
        HPML_TRY(out.src[0], source(inst.operands[1], isa::Ty::b64, 8));
      }
      out.src_bytes = is_virtual(out.src[0]) ? container_of(out.src[0]) : uint8_t{8};
      out.dst_bytes = container_of(out.dst[0]);
      break;
    }
    case isa::Mem::none:
    case isa::Mem::prefetch:
    case isa::Mem::copy_async:
    case isa::Mem::fence: break;
  }
  draft_.out.code[pc] = out;
  return Ok{};
}

}  // namespace hpml::sim::ir
