// Asynchronous copies and mbarriers: two addresses, or an address between a result and a value.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

namespace {

bool is_predicate(const ptx::Operand& operand, const Local* local, const std::vector<VirtualReg>& regs) {
  return std::holds_alternative<ptx::RegisterOperand>(operand.value) && local != nullptr &&
         local->kind == Local::Kind::reg && regs[virtual_number(local->slot)].type == isa::Ty::pred;
}

}  // namespace

// The address that is written to: a register in src[0] and an offset in `extra`, in shared memory or where mods.space
// of `out` says.
Result<void> FunctionLowering::set_destination_address(const ptx::Operand& operand, Inst& out) {
  const auto* address = std::get_if<ptx::AddressOperand>(&operand.value);
  if (address == nullptr) {
    return error(operand.pos, "an address in brackets is needed here");
  }
  Inst to = out;
  HPML_TRY_VOID(set_address(*address, operand.pos, to));
  const bool absolute = to.addr == isa::kNoSlot;
  out.src[0] = absolute ? module_.pool.get(static_cast<uint64_t>(to.offset), 8) : to.addr;
  out.src_bytes = absolute ? uint8_t{8} : to.addr_bytes;
  out.extra = absolute ? 0 : static_cast<uint32_t>(to.offset);
  return Ok{};
}

// cp.async [dst], [src], bytes{, source bytes or !p}{, cache policy}: see exec/async_copy.cpp for the places.
Result<void> FunctionLowering::lower_copy_async(const ptx::Instruction& inst, Inst& out) {
  HPML_TRY_VOID(set_destination_address(inst.operands[0], out));
  const auto* address = std::get_if<ptx::AddressOperand>(&inst.operands[1].value);
  if (address == nullptr) {
    return error(inst.operands[1].pos, "an address in brackets is needed here");
  }
  out.mods.space = isa::Space::global;
  HPML_TRY_VOID(set_address(*address, inst.operands[1].pos, out));
  const auto* bytes = std::get_if<ptx::Immediate>(&inst.operands[2].value);
  const bool by_line = out.mods.cache == isa::Cache::cg;
  if (bytes == nullptr || (bytes->bits != 16 && (by_line || (bytes->bits != 4 && bytes->bits != 8)))) {
    return error(inst.operands[2].pos, by_line ? "cp.async.cg copies 16 bytes" : "cp.async copies 4, 8 or 16 bytes");
  }
  out.elem_bytes = static_cast<uint8_t>(bytes->bits);
  const bool policy = std::find(inst.suffixes.begin(), inst.suffixes.end(), "L2::cache_hint") != inst.suffixes.end();
  const size_t end = inst.operands.size() - (policy ? 1 : 0);
  if (end > 3) {
    const ptx::Operand& operand = inst.operands[3];
    const auto* r = std::get_if<ptx::RegisterOperand>(&operand.value);
    if (is_predicate(operand, r != nullptr ? lookup(r->name) : nullptr, draft_.regs)) {
      HPML_TRY(out.src[2], source(operand, isa::Ty::pred, 4));
      out.negate = r->negated ? 1u << 2 : 0u;
    } else {
      HPML_TRY(out.src[1], source(operand, isa::Ty::b32, 4));
    }
  }
  return Ok{};
}

// cp{.reduce}.async.bulk [dst], [src], bytes, [mbarrier] to shared memory, or to global memory without the mbarrier:
// bytes in src[1], the mbarrier's address in src[2], its offset in a constant of its own, the blocks it goes to in
// src[4].
Result<void> FunctionLowering::lower_copy_bulk(const ptx::Instruction& inst, Inst& out) {
  constexpr int8_t kWithBarrier = 4;
  for (const ptx::Operand& operand : inst.operands) {
    if (const auto* place = std::get_if<ptx::ListOperand>(&operand.value); place != nullptr) {
      return lower_tensor_copy(inst, *place, out);
    }
  }
  const bool to_shared = out.variant->spec->min_operands >= kWithBarrier;
  const bool names_global = std::find(inst.suffixes.begin(), inst.suffixes.end(), "global") != inst.suffixes.end();
  out.mods.space = to_shared ? isa::Space::shared : isa::Space::global;
  HPML_TRY_VOID(set_destination_address(inst.operands[0], out));
  const auto* address = std::get_if<ptx::AddressOperand>(&inst.operands[1].value);
  if (address == nullptr) {
    return error(inst.operands[1].pos, "an address in brackets is needed here");
  }
  out.mods.space = to_shared && names_global ? isa::Space::global : isa::Space::shared;
  HPML_TRY_VOID(set_address(*address, inst.operands[1].pos, out));
  HPML_TRY(out.src[1], source(inst.operands[2], isa::Ty::b32, 4));
  if (!to_shared) {
    return Ok{};
  }
  HPML_TRY_VOID(lower_barrier_address(inst.operands[3], out));
  if (out.variant->spec->min_operands > kWithBarrier) {
    HPML_TRY(out.src[4], source(inst.operands[4], isa::Ty::b16, 2));
  }
  return Ok{};
}

// The mbarrier that counts the bytes of a copy.
Result<void> FunctionLowering::lower_barrier_address(const ptx::Operand& operand, Inst& out) {
  Inst barrier = out;
  barrier.mods.space = isa::Space::shared;
  HPML_TRY_VOID(set_destination_address(operand, barrier));
  out.src[2] = barrier.src[0];
  out.dst_bytes = barrier.src_bytes;
  out.src[3] = module_.pool.get(barrier.extra, 8);
  return Ok{};
}

// cp{.reduce}.async.bulk.tensor [dst], [map, {coordinates}], [mbarrier]{, blocks} to shared memory, [map,
// {coordinates}], [src] from it: the shared memory in src[0] and src[1], the map as the address, the coordinates as a
// list; the rest as of other bulk copies.
Result<void> FunctionLowering::lower_tensor_copy(const ptx::Instruction& inst, const ptx::ListOperand& place,
                                                 Inst& out) {
  const bool loads = !std::holds_alternative<ptx::ListOperand>(inst.operands[0].value);
  const auto* map = std::get_if<ptx::AddressOperand>(&place.elements[0].value);
  if (map == nullptr || place.elements.size() != 2) {
    return error(inst.operands[loads ? 1 : 0].pos, "[map, {coordinates}] is needed here");
  }
  Inst shared = out;
  shared.mods.space = isa::Space::shared;
  HPML_TRY_VOID(set_destination_address(inst.operands[loads ? 0 : 1], shared));
  out.src[0] = shared.src[0];
  out.src_bytes = shared.src_bytes;
  out.src[1] = module_.pool.get(shared.extra, 8);
  out.mods.space = isa::Space::generic;
  HPML_TRY_VOID(set_address(*map, inst.operands[loads ? 1 : 0].pos, out));
  auto lists = std::make_unique<MatrixOperands>();
  HPML_TRY(lists->a, image_registers(place.elements[1], isa::Ty::b32, false));
  if (loads) {
    HPML_TRY_VOID(lower_barrier_address(inst.operands[2], out));
    constexpr int8_t kWithBlocks = 4;
    if (out.variant->spec->min_operands == kWithBlocks) {
      HPML_TRY(out.src[4], source(inst.operands[3], isa::Ty::b16, 2));
    }
  }
  constexpr std::array<std::string_view, 9> kWords = {"", "add", "min", "max", "inc", "dec", "and", "or", "xor"};
  for (const std::string& word : inst.suffixes) {
    if (const auto found = std::find(kWords.begin(), kWords.end(), word); found != kWords.end()) {
      out.tensor_reduction = static_cast<isa::TensorReduction>(found - kWords.begin());
    }
  }
  out.extra = static_cast<uint32_t>(draft_.out.matrix_operands.size());
  out.matrix = lists.get();
  draft_.out.matrix_operands.push_back(std::move(lists));
  return Ok{};
}

// clusterlaunchcontrol.try_cancel [response], [mbarrier]: the answer is 16 bytes of zeros, no.
Result<void> FunctionLowering::lower_try_cancel(const ptx::Instruction& inst, Inst& out) {
  out.mods.vec = 2;
  out.elem_bytes = out.src_bytes = 8;
  out.src[0] = out.src[1] = module_.pool.get(0, 8);
  draft_.out.code.back() = out;
  ptx::Instruction counted = inst;
  counted.operands = {inst.operands[0], inst.operands[0], inst.operands[1]};  // as st.async has them
  return count_bytes(counted, out);
}

bool FunctionLowering::counts_bytes(const Inst& out) {
  return out.variant != nullptr && out.variant->spec->fixed == "async mbarrier::complete_tx::bytes";
}

// What the mbarrier of st.async and red.async, their third operand, is told after the access `done`.
Result<void> FunctionLowering::count_bytes(const ptx::Instruction& inst, const Inst& done) {
  ptx::Instruction count = inst;
  count.root = "mbarrier";
  count.suffixes = {"complete_tx", "relaxed", "cluster", "b64"};
  if (done.mods.space == isa::Space::shared) {
    count.suffixes.insert(count.suffixes.end() - 1, "shared::cluster");
  }
  const uint64_t bytes = uint64_t{done.elem_bytes} * done.mods.vec;
  count.operands = {inst.operands[2],
                    {ptx::Immediate{.kind = ptx::Immediate::Kind::integer, .bits = bytes}, inst.operands[2].pos}};
  return lower_mbarrier(count, *isa::decode(count.root, count.suffixes, count.operands.size()));
}

// commit_group; wait_all; wait_group N: N in Inst::extra.
Result<void> FunctionLowering::lower_copy_group(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  Inst& out = emit(inst, decoded);
  if (!inst.operands.empty()) {
    const auto* groups = std::get_if<ptx::Immediate>(&inst.operands[0].value);
    if (groups == nullptr) {
      return error(inst.operands[0].pos, "the number of groups must be a constant");
    }
    out.extra = static_cast<uint32_t>(groups->bits);
  }
  return Ok{};
}

// {state|p,} [addr] {, value}; pending_count d, state.
Result<void> FunctionLowering::lower_mbarrier(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  using isa::Mbarrier;
  Inst out = emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  size_t next = 0;
  const Mbarrier op = decoded.variant->mbarrier;
  const bool pending = op == Mbarrier::pending_count;
  if (!std::holds_alternative<ptx::AddressOperand>(inst.operands[0].value)) {
    HPML_TRY(out.dst[0], destination(inst.operands[next++]));
    const bool waits = op == Mbarrier::test_wait || op == Mbarrier::try_wait;
    const isa::Ty type = waits ? isa::Ty::pred : pending ? isa::Ty::b32 : isa::Ty::b64;
    HPML_TRY_VOID(check_container(inst, out.dst[0], {type}, 0));
    out.dst_bytes = pending ? 4 : 8;
  }
  if (!pending) {
    const auto* address =
        next < inst.operands.size() ? std::get_if<ptx::AddressOperand>(&inst.operands[next].value) : nullptr;
    if (address == nullptr) {
      return error(inst.pos, "an address in brackets is needed here");
    }
    HPML_TRY_VOID(set_address(*address, inst.operands[next++].pos, out));
  }
  if (next < inst.operands.size()) {
    const bool state = pending || (decoded.mods.mode == 0 && (op == Mbarrier::test_wait || op == Mbarrier::try_wait));
    const isa::Ty type = state ? isa::Ty::b64 : isa::Ty::b32;
    out.src_bytes = state ? 8 : 4;
    HPML_TRY(out.src[0], source(inst.operands[next], type, out.src_bytes));
    HPML_TRY_VOID(check_container(inst, out.src[0], {type}, next));
  }
  draft_.out.code[pc] = out;
  return Ok{};
}

}  // namespace hpml::sim::ir
