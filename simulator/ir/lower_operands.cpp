#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

const Local* FunctionLowering::lookup(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->find(name);
    if (found != scope->end()) {
      return &found->second;
    }
  }
  return nullptr;
}

isa::Slot FunctionLowering::new_reg(isa::Ty type, bool fixed) {
  draft_.regs.push_back({type, container_bytes(type), fixed});
  return kVirtualBit | static_cast<isa::Slot>(draft_.regs.size() - 1);
}

uint8_t FunctionLowering::container_of(isa::Slot slot) const {
  return is_virtual(slot) ? draft_.regs[virtual_number(slot)].bytes : 0;
}

isa::Slot FunctionLowering::special(Special what, uint8_t index, uint8_t bytes) {
  const auto [it, inserted] = specials_.try_emplace({what, uint32_t{index} * 16 + bytes}, isa::kNoSlot);
  if (inserted) {
    it->second = new_reg(bytes == 0 ? isa::Ty::pred : bytes == 8 ? isa::Ty::b64 : isa::Ty::b32, true);
    draft_.out.specials.push_back({what, index, it->second, bytes});
  }
  return it->second;
}

namespace {

struct SpecialName {
  std::string_view name;  // with component: "%tid.x"
  Special what;
  uint8_t index = 0;
  uint8_t bytes = 4;
};
// PTX ISA 9.0, chapter 10.
constexpr auto kSpecials = std::to_array<SpecialName>({
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%tid.w", Special::constant},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ntid.w", Special::constant},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%ctaid.w", Special::constant},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%nctaid.w", Special::constant},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%clock", Special::clock},
    {"%clock_hi", Special::clock_hi},
    {"%clock64", Special::clock64, 0, 8},
    {"%globaltimer", Special::globaltimer, 0, 8},
    {"%globaltimer_lo", Special::globaltimer_lo},
    {"%globaltimer_hi", Special::globaltimer_hi},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%aggr_smem_size", Special::total_smem_size},
    {"%current_graph_exec", Special::constant, 0, 8},
    {"%clusterid.w", Special::constant},
    {"%nclusterid.w", Special::constant},
    {"%cluster_ctaid.w", Special::constant},
    {"%cluster_nctaid.w", Special::constant},
    {"%clusterid.x", Special::clusterid},
    {"%clusterid.y", Special::clusterid, 1},
    {"%clusterid.z", Special::clusterid, 2},
    {"%nclusterid.x", Special::nclusterid},
    {"%nclusterid.y", Special::nclusterid, 1},
    {"%nclusterid.z", Special::nclusterid, 2},
    {"%cluster_ctaid.x", Special::cluster_ctaid},
    {"%cluster_ctaid.y", Special::cluster_ctaid, 1},
    {"%cluster_ctaid.z", Special::cluster_ctaid, 2},
    {"%cluster_nctaid.x", Special::cluster_nctaid},
    {"%cluster_nctaid.y", Special::cluster_nctaid, 1},
    {"%cluster_nctaid.z", Special::cluster_nctaid, 2},
    {"%cluster_ctarank", Special::cluster_ctarank},
    {"%cluster_nctarank", Special::cluster_nctarank},
    {"%is_explicit_cluster", Special::is_explicit_cluster, 0, 0},
});

// The components of a vector have the names of colours as well: %tid.r is %tid.x.
std::string full_name(const ptx::RegisterOperand& r) {
  constexpr std::string_view kColours = "rgba", kAxes = "xyzw";
  if (r.component.size() == 1) {
    const size_t colour = kColours.find(r.component[0]);
    return r.name + "." + (colour == std::string_view::npos ? r.component[0] : kAxes[colour]);
  }
  return r.component.empty() ? r.name : r.name + "." + r.component;
}

// Where %reserved_smem_offset_* point within the reserved part of shared memory (PTX ISA, "Special Registers"). The
// manual leaves open where 0 and 1 lie; cooperative groups keep 288 bytes for tiles of several warps at 1.
struct ReservedOffset {
  std::string_view name;
  uint32_t offset;
};
constexpr ReservedOffset kReservedOffsets[] = {{"%reserved_smem_offset_begin", 0},
                                               {"%reserved_smem_offset_0", 0},
                                               {"%reserved_smem_offset_1", 512},
                                               {"%reserved_smem_offset_end", kReservedSharedBytes},
                                               {"%reserved_smem_offset_cap", kReservedSharedBytes}};

}  // namespace

Result<isa::Slot> FunctionLowering::special_register(const ptx::RegisterOperand& r, SourcePos pos) {
  const std::string name = full_name(r);
  for (const SpecialName& s : kSpecials) {
    if (s.name == name) {
      const isa::Slot slot = special(s.what, s.index, s.bytes);
      if (changes_over_time(s.what) && !draft_.out.code.empty()) {
        draft_.out.code.back().refresh_special = true;
      }
      return slot;
    }
  }
  // No performance monitor counts here.
  if (name.starts_with("%pm") && name.size() > 3 && name[3] >= '0' && name[3] <= '7') {
    return special(Special::constant, 0, name.ends_with("_64") ? 8 : 4);
  }
  for (const ReservedOffset& r : kReservedOffsets) {
    if (r.name == name) {
      return module_.pool.get(module_.reserved_shared_offset() + r.offset, 4);
    }
  }
  if (name.starts_with("%envreg")) {
    return special(Special::envreg, static_cast<uint8_t>(std::atoi(name.c_str() + 7)), 4);
  }
  std::vector<std::string> names;
  for (const SpecialName& s : kSpecials) {
    names.emplace_back(s.name);
  }
  return error(pos, fmt::format("undefined register '{}'{}", name, did_you_mean(name, names)));
}

Result<isa::Slot> FunctionLowering::reg(const ptx::Operand& operand) {
  const auto* r = std::get_if<ptx::RegisterOperand>(&operand.value);
  if (r == nullptr) {
    return error(operand.pos, "a register is needed here");
  }
  if (r->minus) {
    return error(operand.pos, "this instruction does not negate its operands; the sign of a register is vmad's alone");
  }
  const Local* local = lookup(r->component.empty() ? r->name : r->name + "." + r->component);
  if (local != nullptr && local->kind == Local::Kind::reg) {
    return local->slot;
  }
  return special_register(*r, operand.pos);
}

Result<isa::Slot> FunctionLowering::destination(const ptx::Operand& operand) {
  if (std::holds_alternative<ptx::SinkOperand>(operand.value)) {
    return draft_.scratch;
  }
  HPML_TRY(const isa::Slot slot, reg(operand));
  if (!is_virtual(slot) || draft_.regs[virtual_number(slot)].fixed) {
    return error(operand.pos, "a special register cannot be written");
  }
  return slot;
}

Result<uint64_t> FunctionLowering::constant_bits(const ptx::Immediate& imm, isa::Ty type, SourcePos pos) const {
  switch (imm.kind) {
    case ptx::Immediate::Kind::integer: return imm.bits;
    case ptx::Immediate::Kind::f32_bits:
      if (type == isa::Ty::f64) {
        return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(imm.bits))));
      }
      return imm.bits;
    case ptx::Immediate::Kind::f64_bits:
      if (type == isa::Ty::f32) {
        return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(imm.bits)));
      }
      if (isa::bits(type) < 64) {
        return error(pos, fmt::format("a floating-point constant cannot be a .{} operand", isa::name(type)));
      }
      return imm.bits;
  }
  return imm.bits;
}

std::optional<uint64_t> FunctionLowering::symbol_address(const ptx::SymbolOperand& s) {
  const auto offset = static_cast<uint64_t>(s.offset);
  if (const Local* local = lookup(s.name)) {
    if (local->kind == Local::Kind::shared_memory || local->kind == Local::Kind::kernel_param) {
      return local->offset + offset;
    }
    if (local->kind == Local::Kind::variable) {
      return module_.linked->variables[static_cast<size_t>(local->variable)].address + offset;
    }
    return std::nullopt;
  }
  const Symbol* symbol = module_.linked->find(part_, s.name);
  if (symbol == nullptr) {
    return std::nullopt;
  }
  switch (symbol->kind) {
    case Symbol::Kind::shared: {
      const uint32_t base = module_.shared_offset(*symbol->variable);
      note_place(symbol->variable->name, ptx::Space::shared, base, size_of(*symbol->variable));
      return base + offset;
    }
    case Symbol::Kind::variable:
      if (symbol->index < 0) {
        return std::nullopt;
      }
      return module_.linked->variables[static_cast<size_t>(symbol->index)].address + offset;
    case Symbol::Kind::function:
      return symbol->index < 0 ? std::nullopt : std::optional(Linked::code_address(symbol->index) + offset);
  }
  return std::nullopt;
}

Result<isa::Slot> FunctionLowering::source(const ptx::Operand& operand, isa::Ty type, uint8_t container) {
  if (const auto* imm = std::get_if<ptx::Immediate>(&operand.value)) {
    if (type == isa::Ty::pred) {
      return module_.pool.mask(imm->bits != 0 ? isa::kFullMask : 0u);
    }
    if (container > sizeof(uint64_t)) {
      return error(operand.pos, fmt::format("a constant cannot be a .{} operand", isa::name(type)));
    }
    HPML_TRY(const uint64_t bits, constant_bits(*imm, type, operand.pos));
    return module_.pool.get(bits, container);
  }
  if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&operand.value)) {
    const auto address = symbol_address(*symbol);
    if (!address) {
      return error(operand.pos, fmt::format("undefined name '{}'", symbol->name));
    }
    return module_.pool.get(*address, container);
  }
  return reg(operand);
}

Result<bool> FunctionLowering::check_container(const ptx::Instruction& inst, isa::Slot slot,
                                               const isa::OperandSpec& spec, size_t position) const {
  if (!is_virtual(slot) || slot == draft_.scratch) {
    return true;
  }
  const VirtualReg& reg = draft_.regs[virtual_number(slot)];
  const bool wants_pred = spec.type == isa::Ty::pred;
  const int have = reg.bytes * 8, want = std::max(isa::bits(spec.type), 16);
  const bool fits = spec.may_be_wider ? have >= want : have == want;
  if ((reg.type == isa::Ty::pred) == wants_pred && (wants_pred || fits)) {
    return true;
  }
  return error(
      inst.operands[std::min(position, inst.operands.size() - 1)].pos,
      fmt::format("operand {} of '{}' is a .{} register; {} is needed", position + 1, inst.root, isa::name(reg.type),
                  wants_pred ? std::string("a predicate") : fmt::format("one of {} bits", want)));
}

}  // namespace hpml::sim::ir
