// Loads, stores, atomics, address conversion.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

Result<void> FunctionLowering::set_address(const ptx::AddressOperand& address, SourcePos pos, Inst& out) {
  out.addr = isa::kNoSlot;  // `out` may hold another address of the instruction
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
  isa::DestinationSlots slots = isa::kNoDestinations;
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
  if (store) {
    std::copy(slots.begin(), slots.end(), out.src.begin());
    out.src_bytes = container;
  } else {
    out.dst = slots;
    out.dst_bytes = container;
  }
  return Ok{};
}

// ld.param of a kernel parameter at a fixed place is a copy from the constant bank: the operand of its user on
// hardware.
Result<bool> FunctionLowering::lower_param_load(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const auto* address = std::get_if<ptx::AddressOperand>(&inst.operands[1].value);
  if (decoded.variant->mem != isa::Mem::ld || decoded.mods.space != isa::Space::param || decoded.mods.vec != 1 ||
      address == nullptr || address->base_is_register || isa::bits(decoded.variant->types[0]) > 64) {
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

// The data operands of an atomic, from operand `first` on: values, or one vector of them.
Result<isa::SourceSlots> FunctionLowering::data_slots(const ptx::Instruction& inst, size_t first, size_t count,
                                                      isa::Ty type) {
  isa::SourceSlots slots = isa::kNoSources;
  const auto* vector = std::get_if<ptx::VectorOperand>(&inst.operands[first].value);
  for (size_t i = 0; i < (vector != nullptr ? vector->elements.size() : count); ++i) {
    const ptx::Operand& operand = vector != nullptr ? vector->elements[i] : inst.operands[first + i];
    HPML_TRY(slots[i], source(operand, type, container_bytes(type)));
    HPML_TRY_VOID(check_container(inst, slots[i], {type}, first + i));
  }
  return slots;
}

// What stands behind the data operands is a cache policy, which means nothing here.
Result<void> FunctionLowering::lower_atomic(const ptx::Instruction& inst, Inst& out) {
  const size_t first = out.mem == isa::Mem::atom ? 2 : 1;
  const size_t count = out.mem == isa::Mem::red ? 1 : static_cast<size_t>(out.variant->spec->min_operands) - first;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const auto* vector = std::get_if<ptx::VectorOperand>(&inst.operands[i].value);
    const size_t elements = vector != nullptr ? vector->elements.size() : 1;
    if ((i + 2 == first || i == first) && elements != out.mods.vec) {
      return error(inst.operands[i].pos, fmt::format("'{}' with .v{} takes {} values, not {}", inst.root, out.mods.vec,
                                                     out.mods.vec, elements));
    }
  }
  out.dst[0] = draft_.scratch;
  if (out.mem == isa::Mem::atom) {
    const auto* vector = std::get_if<ptx::VectorOperand>(&inst.operands[0].value);
    for (size_t i = 0; i < out.mods.vec; ++i) {
      const ptx::Operand& operand = vector != nullptr ? vector->elements[i] : inst.operands[0];
      HPML_TRY(out.dst[i], destination(operand));
      if (out.dst[i] == draft_.scratch && out.type == isa::Ty::b128) {
        out.dst[i] = new_reg(out.type);  // wider than scratch
      }
      HPML_TRY_VOID(check_container(inst, out.dst[i], {out.type}, 0));
    }
  }
  HPML_TRY(out.src, data_slots(inst, first, count, out.type));
  out.dst_bytes = out.src_bytes = container_bytes(out.type);
  return Ok{};
}

// Eight elements: twice four. (As one access they would also have to be aligned as a whole.)
Result<void> FunctionLowering::lower_in_halves(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  constexpr size_t kAll = 8, kHalf = 4;
  for (size_t first = 0; first < kAll; first += kHalf) {
    ptx::Instruction part = inst;
    for (ptx::Operand& operand : part.operands) {
      if (auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
        if (vector->elements.size() != kAll) {
          return error(operand.pos,
                       fmt::format("'{}' with .v8 takes 8 values, not {}", inst.root, vector->elements.size()));
        }
        const auto begin = vector->elements.begin() + static_cast<std::ptrdiff_t>(first);
        vector->elements = std::vector<ptx::Operand>(begin, begin + kHalf);
      } else if (auto* address = std::get_if<ptx::AddressOperand>(&operand.value)) {
        address->offset += static_cast<int64_t>(first) * isa::bits(decoded.variant->types[0]) / 8;
      }
    }
    isa::Decoded half = decoded;
    half.mods.vec = kHalf;
    HPML_TRY_VOID(lower_memory(part, half));
  }
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
    case isa::Mem::prefetch: return 0;
    case isa::Mem::none:
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank:
    case isa::Mem::copy_async:
    case isa::Mem::copy_bulk:
    case isa::Mem::fence: return -1;
  }
  return -1;
}

}  // namespace

Result<void> FunctionLowering::lower_memory(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  if (decoded.mods.vec == 8) {
    return lower_in_halves(inst, decoded);
  }
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
    const bool cancels = inst.root == "clusterlaunchcontrol";
    if ((counts_bytes(out) || cancels) && out.addr_bytes == 4) {
      out.mods.space = isa::Space::shared;  // not a generic address, which has 64 bits
    }
    if (cancels) {
      return lower_try_cancel(inst, out);
    }
  }
  switch (out.mem) {
    case isa::Mem::ld: HPML_TRY_VOID(set_values(inst, inst.operands[0], out, false)); break;
    case isa::Mem::st: HPML_TRY_VOID(set_values(inst, inst.operands[1], out, true)); break;
    case isa::Mem::atom:
    case isa::Mem::red: HPML_TRY_VOID(lower_atomic(inst, out)); break;
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank: {
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
      if (out.mods.space == isa::Space::param && !ast_.is_entry) {
        out.mods.space = isa::Space::local;  // a function's parameters lie in its frame
      }
      break;
    }
    case isa::Mem::none:
    case isa::Mem::prefetch:
    case isa::Mem::fence: break;
    case isa::Mem::copy_async: HPML_TRY_VOID(lower_copy_async(inst, out)); break;
    case isa::Mem::copy_bulk: HPML_TRY_VOID(lower_copy_bulk(inst, out)); break;
  }
  draft_.out.code[pc] = out;
  return counts_bytes(out) ? count_bytes(inst, out) : Ok{};
}

}  // namespace hpml::sim::ir
