// Lane ops, moves and warp-wide instructions.
#include <fmt/format.h>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

namespace {

// Destinations first (d or d|p), then sources.
std::vector<const ptx::Operand*> flatten(const ptx::Instruction& inst) {
  std::vector<const ptx::Operand*> out;
  for (const ptx::Operand& operand : inst.operands) {
    if (const auto* pair = std::get_if<ptx::PairOperand>(&operand.value)) {
      for (const ptx::Operand& element : pair->elements) {
        out.push_back(&element);
      }
    } else {
      out.push_back(&operand);
    }
  }
  return out;
}

size_t pair_width(const ptx::Instruction& inst) {
  if (inst.operands.empty()) {
    return 0;
  }
  const auto* pair = std::get_if<ptx::PairOperand>(&inst.operands[0].value);
  return pair != nullptr ? pair->elements.size() : 1;
}

bool negated(const ptx::Operand& operand) {
  const auto* r = std::get_if<ptx::RegisterOperand>(&operand.value);
  return r != nullptr && r->negated;
}

uint8_t container_for(const isa::OperandSpec& spec) { return container_bytes(spec.type); }

}  // namespace

Result<void> FunctionLowering::lower_lane(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const isa::Variant& v = *decoded.variant;
  const std::vector<const ptx::Operand*> operands = flatten(inst);
  const size_t dsts = std::min(pair_width(inst), static_cast<size_t>(v.dst_count));
  if (operands.size() != dsts + static_cast<size_t>(v.src_count)) {
    return error(inst.pos, fmt::format("'{}' takes {} operands ({})", inst.root, v.src_count + 1, v.spec->syntax));
  }
  const size_t pc = draft_.out.code.size();
  emit(inst, decoded);
  std::array<isa::Slot, 4> dst = {isa::kNoSlot, isa::kNoSlot, isa::kNoSlot, isa::kNoSlot}, src = dst;
  uint8_t negate = 0;
  for (size_t i = 0; i < static_cast<size_t>(v.dst_count); ++i) {
    dst[i] = draft_.scratch;
    if (i < dsts) {
      HPML_TRY(dst[i], destination(*operands[i]));
      HPML_TRY_VOID(check_container(inst, dst[i], v.dst[i], i));
    }
  }
  for (size_t i = 0; i < static_cast<size_t>(v.src_count); ++i) {
    const ptx::Operand& operand = *operands[dsts + i];
    HPML_TRY(src[i], source(operand, v.src[i].type, container_for(v.src[i])));
    HPML_TRY_VOID(check_container(inst, src[i], v.src[i], dsts + i));
    negate |= static_cast<uint8_t>(negated(operand) ? 1u << i : 0u);
  }
  Inst& out = draft_.out.code[pc];
  out.dst = dst;
  out.src = src;
  out.negate = negate;
  out.dst_bytes = is_virtual(dst[0]) && dst[0] != draft_.scratch ? container_of(dst[0]) : container_for(v.dst[0]);
  out.src_bytes = v.src_count > 0 && is_virtual(src[0]) ? container_of(src[0]) : container_for(v.src[0]);
  return Ok{};
}

// mov also takes addresses: a local variable's is relative to the frame, so it becomes an addition.
Result<void> FunctionLowering::lower_mov(const ptx::Instruction& inst) {
  if (inst.operands.size() == 2) {
    if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&inst.operands[1].value)) {
      const Local* local = lookup(symbol->name);
      if (local != nullptr && (local->kind == Local::Kind::local_memory || local->kind == Local::Kind::formal)) {
        HPML_TRY(const isa::Slot dst, destination(inst.operands[0]));
        const uint8_t bytes = container_of(dst);
        const std::vector<std::string> words = {bytes == 8 ? "u64" : "u32"};
        Inst& out = emit(inst, *isa::decode("add", words, 3));
        out.dst[0] = dst;
        out.src[0] = special(Special::local_base, 0, bytes);
        out.src[1] = module_.pool.get(local->offset + static_cast<uint64_t>(symbol->offset), bytes);
        out.dst_bytes = out.src_bytes = bytes;
        return Ok{};
      }
    }
  }
  const auto decoded = isa::decode(inst.root, inst.suffixes, inst.operands.size());
  if (!decoded.ok()) {
    mark_unsupported(inst, decoded.error());
    return Ok{};
  }
  return lower_lane(inst, *decoded);
}

// mov.b64 d, {lo, hi} and mov.b64 {lo, hi}, a: ops of their own, since the operand count follows the vector.
Result<void> FunctionLowering::lower_pack(const ptx::Instruction& inst, const ptx::VectorOperand& vector, bool pack) {
  const std::string root = fmt::format("mov.{}{}", pack ? "pack" : "unpack", vector.elements.size());
  const auto decoded = isa::decode(root, inst.suffixes, vector.elements.size() + 1);
  if (!decoded.ok()) {
    mark_unsupported(inst, decoded.error());
    return Ok{};
  }
  const isa::Variant& v = *decoded->variant;
  const size_t pc = draft_.out.code.size();
  emit(inst, *decoded);
  std::array<isa::Slot, 4> parts = {isa::kNoSlot, isa::kNoSlot, isa::kNoSlot, isa::kNoSlot}, whole = parts;
  for (size_t i = 0; i < vector.elements.size(); ++i) {
    const isa::OperandSpec& spec = pack ? v.src[i] : v.dst[i];
    if (pack) {
      HPML_TRY(parts[i], source(vector.elements[i], spec.type, container_for(spec)));
    } else {
      HPML_TRY(parts[i], destination(vector.elements[i]));
    }
    HPML_TRY_VOID(check_container(inst, parts[i], spec, pack ? 1 : 0));
  }
  if (pack) {
    HPML_TRY(whole[0], destination(inst.operands[0]));
  } else {
    HPML_TRY(whole[0], source(inst.operands[1], v.src[0].type, container_for(v.src[0])));
  }
  HPML_TRY_VOID(check_container(inst, whole[0], pack ? v.dst[0] : v.src[0], pack ? 0 : 1));
  Inst& out = draft_.out.code[pc];
  out.dst = pack ? whole : parts;
  out.src = pack ? parts : whole;
  out.dst_bytes = container_for(v.dst[0]);
  out.src_bytes = container_for(v.src[0]);
  return Ok{};
}

// shfl d|p, a, b, c, mask; vote d, {!}a, mask; match d|p, a, mask; redux d, a, mask; activemask d; elect d|p, mask.
Result<void> FunctionLowering::lower_warp(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  if (decoded.variant->warp == isa::Warp::matrix) {
    return lower_matrix(inst, decoded);
  }
  const std::vector<const ptx::Operand*> operands = flatten(inst);
  const size_t dsts = pair_width(inst);
  const size_t pc = draft_.out.code.size();
  emit(inst, decoded);
  std::array<isa::Slot, 4> dst = {draft_.scratch, draft_.scratch, isa::kNoSlot, isa::kNoSlot};
  std::array<isa::Slot, 4> src = {isa::kNoSlot, isa::kNoSlot, isa::kNoSlot, isa::kNoSlot};
  uint8_t negate = 0;
  if (operands.size() < dsts || operands.size() - dsts > src.size()) {
    return error(inst.pos,
                 fmt::format("wrong number of operands for '{}' ({})", inst.root, decoded.variant->spec->syntax));
  }
  for (size_t i = 0; i < dsts; ++i) {
    HPML_TRY(dst[i], destination(*operands[i]));
  }
  const bool votes = decoded.variant->warp == isa::Warp::vote;
  for (size_t i = 0; i + dsts < operands.size(); ++i) {
    const ptx::Operand& operand = *operands[dsts + i];
    const isa::Ty type = i == 0 && votes ? isa::Ty::pred : i == 0 ? decoded.variant->types[0] : isa::Ty::b32;
    HPML_TRY(src[i], source(operand, type, type == isa::Ty::none ? uint8_t{4} : container_bytes(type)));
    negate |= static_cast<uint8_t>(negated(operand) ? 1u << i : 0u);
  }
  Inst& out = draft_.out.code[pc];
  out.dst = dst;
  out.src = src;
  out.negate = negate;
  out.dst_bytes = is_virtual(dst[0]) ? container_of(dst[0]) : 4;
  out.src_bytes = is_virtual(src[0]) ? container_of(src[0]) : 4;
  return Ok{};
}

}  // namespace hpml::sim::ir
