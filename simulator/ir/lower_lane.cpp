// Lane ops, moves and warp-wide instructions.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"
#include "simulator/isa/image_form.hpp"
#include "simulator/isa/selectors.hpp"

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

// ptxas takes the table of lop3 as a number only.
bool is_number(const ptx::Operand& operand) {
  return !std::holds_alternative<ptx::RegisterOperand>(operand.value) &&
         !std::holds_alternative<ptx::SymbolOperand>(operand.value);
}
constexpr size_t kTableOfLop3 = 3;  // among the sources

bool is_vector_word(const std::string& word) { return word == "v2" || word == "v4"; }

}  // namespace

bool FunctionLowering::moves_vector(const ptx::Instruction& inst) {
  return inst.root == "mov" && inst.operands.size() == 2 &&
         std::any_of(inst.suffixes.begin(), inst.suffixes.end(), is_vector_word);
}

Result<void> FunctionLowering::lower_lane(const ptx::Instruction& inst, const isa::Decoded& decoded,
                                          isa::Slot selectors) {
  const isa::Variant& v = *decoded.variant;
  const std::vector<const ptx::Operand*> operands = flatten(inst);
  const size_t dsts = std::min(pair_width(inst), static_cast<size_t>(v.dst_count));
  const size_t written = static_cast<size_t>(v.src_count) - (selectors != isa::kNoSlot ? 1 : 0);
  if (operands.size() != dsts + written) {
    return error(inst.pos, fmt::format("'{}' takes {} operands ({})", inst.root, v.src_count + 1, v.spec->syntax));
  }
  const size_t pc = draft_.out.code.size();
  emit(inst, decoded);
  isa::DestinationSlots dst = isa::kNoDestinations;
  isa::SourceSlots src = isa::kNoSources;
  uint8_t negate = 0;
  for (size_t i = 0; i < static_cast<size_t>(v.dst_count); ++i) {
    dst[i] = draft_.scratch;
    if (i < dsts) {
      HPML_TRY(dst[i], destination(*operands[i]));
      HPML_TRY_VOID(check_container(inst, dst[i], v.dst[i], i));
    }
  }
  if (selectors != isa::kNoSlot) {
    src[written] = selectors;
  }
  for (size_t i = 0; i < written; ++i) {
    const ptx::Operand& operand = *operands[dsts + i];
    if (inst.root == "lop3" && i == kTableOfLop3 && !is_number(operand)) {
      return error(operand.pos, fmt::format("the table of 'lop3' must be a number ({})", v.spec->syntax));
    }
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

// The parts that the operands name become one constant, the rest is a lane op.
Result<void> FunctionLowering::lower_video(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  ptx::Instruction plain = inst;
  std::array<std::string, 3> parts;
  std::array<bool, 4> minus = {};
  for (size_t i = 0; i < plain.operands.size() && i < minus.size(); ++i) {
    auto* r = std::get_if<ptx::RegisterOperand>(&plain.operands[i].value);
    if (r != nullptr && lookup(r->name) != nullptr) {
      minus[i] = std::exchange(r->minus, false);
      if (i < parts.size()) {
        parts[i] = std::exchange(r->component, {});
      }
    }
  }
  const auto word =
      isa::pack_selectors(decoded.variant->selectors, {parts[0], parts[1], parts[2], minus[1], minus[2], minus[3]});
  const bool plus_one = std::find(inst.suffixes.begin(), inst.suffixes.end(), "po") != inst.suffixes.end();
  const bool may_negate = inst.root == "vmad" && !plus_one;
  if (!word || minus[0] || (!may_negate && (minus[1] || minus[2] || minus[3]))) {
    return error(inst.pos, fmt::format("a part or a sign of an operand of '{}' is not legal ({})", inst.root,
                                       decoded.variant->spec->syntax));
  }
  return lower_lane(plain, decoded, module_.pool.get(*word, 4));
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
  // mov.u16 %tid.x, mov.u64 %gridid: special registers may be read in other widths than their own.
  const auto* r = inst.operands.size() == 2 ? std::get_if<ptx::RegisterOperand>(&inst.operands[1].value) : nullptr;
  const int bits = isa::bits(decoded->variant->types[0]);
  if (r != nullptr && lookup(r->name) == nullptr && (bits == 16 || bits == 64)) {
    HPML_TRY(const isa::Slot special, reg(inst.operands[1]));
    if (const int have = container_of(special) * 8; have != 0 && have != bits) {
      const std::vector<std::string> words = {fmt::format("u{}", bits), fmt::format("u{}", have)};
      return lower_lane(inst, *isa::decode("cvt", words, 2));
    }
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
  isa::DestinationSlots dst = isa::kNoDestinations;
  isa::SourceSlots src = isa::kNoSources;
  for (size_t i = 0; i < vector.elements.size(); ++i) {
    const isa::OperandSpec& spec = pack ? v.src[i] : v.dst[i];
    isa::Slot part = isa::kNoSlot;
    if (pack) {
      HPML_TRY(part, source(vector.elements[i], spec.type, container_for(spec)));
    } else {
      HPML_TRY(part, destination(vector.elements[i]));
    }
    HPML_TRY_VOID(check_container(inst, part, spec, pack ? 1 : 0));
    const int bits = isa::bits(v.types[0]) / static_cast<int>(vector.elements.size());
    if (is_virtual(part) && part != draft_.scratch && bits <= 16) {  // registers of 8 and 16 bits have one container
      const isa::Ty type = draft_.regs[virtual_number(part)].type;
      if (isa::bits(type) != bits) {
        return error(
            vector.elements[i].pos,
            fmt::format("an element of 'mov' is a .{} register; one of {} bits is needed", isa::name(type), bits));
      }
    }
    (pack ? src[i] : dst[i]) = part;
  }
  isa::Slot whole = isa::kNoSlot;
  if (pack) {
    HPML_TRY(whole, destination(inst.operands[0]));
  } else {
    HPML_TRY(whole, source(inst.operands[1], v.src[0].type, container_for(v.src[0])));
  }
  HPML_TRY_VOID(check_container(inst, whole, pack ? v.dst[0] : v.src[0], pack ? 0 : 1));
  (pack ? dst[0] : src[0]) = whole;
  Inst& out = draft_.out.code[pc];
  out.dst = dst;
  out.src = src;
  out.dst_bytes = container_for(v.dst[0]);
  out.src_bytes = container_for(v.src[0]);
  return Ok{};
}

// mov.v4.b32 {a, b, c, d}, {e, f, g, h}: element by element, all sources read before any element is written. A special
// register without component (%tid) is the list of its own.
Result<void> FunctionLowering::lower_vector_mov(const ptx::Instruction& inst) {
  ptx::Instruction one = inst;
  const auto width = std::find_if(one.suffixes.begin(), one.suffixes.end(), is_vector_word);
  const size_t count = *width == "v2" ? 2 : 4;
  one.suffixes.erase(width);
  const auto decoded = isa::decode(one.root, one.suffixes, one.operands.size());
  if (!decoded.ok()) {
    mark_unsupported(inst, decoded.error());
    return Ok{};
  }
  const isa::OperandSpec& spec = decoded->variant->src[0];
  const auto elements = [&](const ptx::Operand& operand) {
    std::vector<ptx::Operand> out;
    if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
      out = vector->elements;
    } else if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand.value); r != nullptr && count == 4) {
      for (const char* component : {"x", "y", "z", "w"}) {
        ptx::Operand& one_of_them = out.emplace_back();
        one_of_them.value = ptx::RegisterOperand{r->name, component, false, false};
        one_of_them.pos = operand.pos;
      }
    }
    return out;
  };
  const std::vector<ptx::Operand> to = elements(inst.operands[0]), from = elements(inst.operands[1]);
  if (to.size() != count || from.size() != count) {
    return error(inst.pos, fmt::format("'mov.v{0}' takes two lists of {0} elements", count));
  }
  const auto copy = [&](isa::Slot dst, isa::Slot src) {
    Inst& out = emit(inst, *decoded);
    out.dst[0] = dst;
    out.src[0] = src;
    out.dst_bytes = out.src_bytes = container_for(spec);
  };
  std::vector<isa::Slot> held;
  for (const ptx::Operand& element : from) {
    HPML_TRY(const isa::Slot src, source(element, spec.type, container_for(spec)));
    HPML_TRY_VOID(check_container(inst, src, spec, 1));
    held.push_back(new_reg(spec.type));
    copy(held.back(), src);
  }
  for (size_t i = 0; i < count; ++i) {
    HPML_TRY(const isa::Slot dst, destination(to[i]));
    HPML_TRY_VOID(check_container(inst, dst, spec, 0));
    copy(dst, held[i]);
  }
  return Ok{};
}

// shfl d|p, a, b, c, mask; vote d, {!}a, mask; match d|p, a, mask; redux d, a, mask; activemask d; elect d|p, mask.
Result<void> FunctionLowering::lower_warp(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  if (decoded.variant->warp == isa::Warp::matrix) {
    return lower_matrix(inst, decoded);
  }
  if (isa::is_image(decoded.variant->shape, decoded.variant->warp)) {
    return lower_image(inst, decoded);
  }
  const std::vector<const ptx::Operand*> operands = flatten(inst);
  const size_t dsts = pair_width(inst);
  const size_t pc = draft_.out.code.size();
  emit(inst, decoded);
  isa::DestinationSlots dst = {draft_.scratch, draft_.scratch, isa::kNoSlot, isa::kNoSlot};
  isa::SourceSlots src = isa::kNoSources;
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
