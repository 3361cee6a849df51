#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

FunctionLowering::FunctionLowering(ModuleLowering& module, int linked_function)
    : module_(module),
      part_(module.linked->functions[static_cast<size_t>(linked_function)].part),
      ast_(*module.linked->functions[static_cast<size_t>(linked_function)].ast) {}

Diag FunctionLowering::error(SourcePos pos, std::string message) const {
  const ptx::Module& part = *module_.linked->parts[static_cast<size_t>(part_)];
  return error_at(part.name, pos, std::move(message), std::string(line_of(part.text, pos.line)));
}

Result<Function> FunctionLowering::run() {
  const ptx::Module& part = *module_.linked->parts[static_cast<size_t>(part_)];
  draft_.out.name = ast_.name;
  draft_.out.module_name = part.name;
  draft_.out.files.emplace_back();
  for (const ptx::File& file : part.files) {
    draft_.out.files.resize(std::max(draft_.out.files.size(), static_cast<size_t>(std::max(file.index, 0)) + 1));
    draft_.out.files[static_cast<size_t>(std::max(file.index, 0))] = file.path;
  }
  HPML_TRY_VOID(declare_frame());
  HPML_TRY_VOID(load_register_parameters());
  HPML_TRY_VOID(lower_block(*ast_.body));
  HPML_TRY_VOID(resolve_labels());
  draft_.out.local_bytes = static_cast<uint32_t>(align_up(draft_.out.local_bytes, 16));
  // What ptxas does to PTX, as far as it decides the time; unless the program was compiled for a debugger.
  const bool optimised =
      std::find(part.target_options.begin(), part.target_options.end(), "debug") == part.target_options.end();
  if (optimised) {
    merge_shared_loads(draft_, module_.pool);
    contract(draft_);
  }
  find_reconvergence(draft_.out);
  if (optimised) {
    fold_machine_ops(draft_);
    unroll(draft_, module_.pool, module_.names == nullptr);
    combine_atomics(draft_);
  }
  const int as_written = register_pressure(draft_);
  if (optimised) {
    schedule(draft_);
  }
  draft_.out.registers = registers_needed(draft_, as_written, optimised ? register_pressure(draft_) : as_written);
  draft_.keep_apart = module_.names != nullptr;
  const std::vector<isa::Slot> slots = assign_registers(draft_);
  if (module_.names != nullptr) {
    finish_names(slots);
  }
  mark_turns(draft_.out);
  mark_plain(draft_.out);
  return std::move(draft_.out);
}

std::vector<Function::Formal> formal_layout(const std::vector<ptx::Variable>& returns,
                                            const std::vector<ptx::Variable>& params, bool want_returns) {
  std::vector<Function::Formal> out;
  uint32_t offset = 0;
  for (const auto* list : {&returns, &params}) {
    for (const ptx::Variable& v : *list) {
      offset = static_cast<uint32_t>(align_up(offset, std::max(align_of(v), 1u)));
      const auto bytes = static_cast<uint32_t>(size_of(v));
      if ((list == &returns) == want_returns) {
        out.push_back({offset, bytes});
      }
      offset += bytes;
    }
  }
  return out;
}

uint32_t formal_bytes(const std::vector<ptx::Variable>& returns, const std::vector<ptx::Variable>& params) {
  uint32_t end = 0;
  for (const bool want_returns : {true, false}) {
    for (const Function::Formal& f : formal_layout(returns, params, want_returns)) {
      end = std::max(end, f.offset + f.bytes);
    }
  }
  return static_cast<uint32_t>(align_up(end, 16));
}

// Scratch, carry and parameters. A kernel's parameters are in the parameter block; a function's in its local frame.
Result<void> FunctionLowering::declare_frame() {
  draft_.scratch = new_reg(isa::Ty::b64, true);
  draft_.carry = new_reg(isa::Ty::pred, true);
  scopes_.emplace_back();
  if (ast_.is_entry) {
    for (const Param& p : *module_.kernel_params) {
      Local local;
      local.kind = Local::Kind::kernel_param;
      local.offset = p.offset;
      scopes_.back()[p.name] = local;
      note_place(p.name, ptx::Space::param, p.offset, p.size);
    }
    return Ok{};
  }
  draft_.out.results = formal_layout(ast_.returns, ast_.params, true);
  draft_.out.params = formal_layout(ast_.returns, ast_.params, false);
  draft_.out.local_bytes = formal_bytes(ast_.returns, ast_.params);
  for (size_t i = 0; i < ast_.params.size(); ++i) {
    const Function::Formal& place = draft_.out.params[i];
    note_place(ast_.params[i].name, ptx::Space::local, place.offset, place.bytes);
  }
  HPML_TRY_VOID(declare_formals(ast_.returns, draft_.out.results, true));
  return declare_formals(ast_.params, draft_.out.params, false);
}

Result<void> FunctionLowering::lower_block(const ptx::Block& block) {
  scopes_.emplace_back();
  declare_labels(block);
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* inst = std::get_if<ptx::Instruction>(&statement)) {
      HPML_TRY_VOID(lower_instruction(*inst));
    } else if (const auto* label = std::get_if<ptx::Label>(&statement)) {
      label_pcs_[static_cast<size_t>(lookup(label->name)->label)] = static_cast<Pc>(draft_.out.code.size());
    } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
      HPML_TRY_VOID(declare(*variable));
    } else if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
      HPML_TRY_VOID(lower_block(**inner));
    }
  }
  if (scopes_.size() == 2) {
    HPML_TRY_VOID(finish_code());
  }
  scopes_.pop_back();
  return Ok{};
}

// Labels, prototypes and target lists may be used before their line.
void FunctionLowering::declare_labels(const ptx::Block& block) {
  for (const ptx::Statement& statement : block.statements) {
    Local local;
    if (const auto* label = std::get_if<ptx::Label>(&statement)) {
      local.kind = Local::Kind::label;
      local.label = static_cast<int>(label_pcs_.size());
      label_pcs_.push_back(kNoPc);
      label_nounroll_.push_back(label->nounroll);
      scopes_.back()[label->name] = local;
    } else if (const auto* prototype = std::get_if<ptx::CallPrototype>(&statement)) {
      local.kind = Local::Kind::prototype;
      local.prototype = prototype;
      scopes_.back()[prototype->name] = local;
    } else if (const auto* targets = std::get_if<ptx::BranchTargets>(&statement)) {
      local.kind = Local::Kind::targets;
      local.targets = targets;
      scopes_.back()[targets->name] = local;
    }
  }
}

namespace {

constexpr std::array<const char*, 4> kComponents = {".x", ".y", ".z", ".w"};

}  // namespace

// .reg .b32 %r;   .reg .b32 %r<4>;   .reg .v4 .f32 %v;  whose elements are also %v.r, .g, .b, .a (PTX ISA 9.0, 6.4.3)
Result<void> FunctionLowering::declare_registers(const ptx::Variable& v) {
  const auto type = isa::parse_type(v.type);
  if (!type) {
    return error(v.pos, fmt::format("unknown register type '.{}'", v.type));
  }
  const auto add = [&](const std::string& name) {
    Local local;
    if (v.vector == 1) {
      local.slot = new_reg(*type);
      note_register(name, local.slot, v.pos.line);
    } else {
      local.kind = Local::Kind::vector_reg;
      local.elements = std::min(v.vector, static_cast<int>(kComponents.size()));
      for (size_t i = 0; i < static_cast<size_t>(local.elements); ++i) {
        Local element;
        element.slot = new_reg(*type);
        scopes_.back()[name + kComponents[i]] = element;
        scopes_.back()[fmt::format("{}.{}", name, "rgba"[i])] = element;
      }
    }
    scopes_.back()[name] = local;
  };
  if (v.range < 0) {
    add(v.name);
  }
  for (int i = 0; i < v.range; ++i) {
    add(fmt::format("{}{}", v.name, i));
  }
  return Ok{};
}

// A vector register stands for the list of its elements. Nothing: the instruction has none.
std::optional<ptx::Instruction> FunctionLowering::with_elements(const ptx::Instruction& inst) const {
  std::optional<ptx::Instruction> out;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const auto* r = std::get_if<ptx::RegisterOperand>(&inst.operands[i].value);
    const Local* local = r != nullptr && r->component.empty() ? lookup(r->name) : nullptr;
    if (local == nullptr || local->kind != Local::Kind::vector_reg) {
      continue;
    }
    ptx::VectorOperand list;
    for (size_t e = 0; e < static_cast<size_t>(local->elements); ++e) {
      list.elements.push_back({ptx::RegisterOperand{r->name, kComponents[e] + 1, false, false}, inst.operands[i].pos});
    }
    if (!out) {
      out = inst;
    }
    out->operands[i].value = std::move(list);
  }
  return out;
}

Result<void> FunctionLowering::declare(const ptx::Variable& v) {
  Local local;
  switch (v.space) {
    case ptx::Space::reg: return declare_registers(v);
    case ptx::Space::local:
    case ptx::Space::param:
      local.kind = Local::Kind::local_memory;
      local.offset = static_cast<uint32_t>(align_up(draft_.out.local_bytes, std::max(align_of(v), 1u)));
      draft_.out.local_bytes = local.offset + static_cast<uint32_t>(size_of(v));
      note_place(v.name, ptx::Space::local, local.offset, size_of(v));
      break;
    case ptx::Space::shared:
      local.kind = Local::Kind::shared_memory;
      local.offset = module_.shared_offset(v);
      note_place(v.name, ptx::Space::shared, local.offset, size_of(v));
      break;
    case ptx::Space::global:
    case ptx::Space::constant:
      local.kind = Local::Kind::variable;
      local.variable = module_.linked->function_variable(v);
      break;
    case ptx::Space::none:
      return error(v.pos, fmt::format("variable '{}' cannot be declared inside a function", v.name));
  }
  scopes_.back()[v.name] = local;
  return Ok{};
}

Result<void> FunctionLowering::resolve_labels() {
  const bool nounroll = ast_.nounroll || module_.linked->parts[static_cast<size_t>(part_)]->nounroll;
  for (const Fixup& fixup : fixups_) {
    Inst& branch = draft_.out.code[fixup.pc];
    branch.target = label_pcs_[static_cast<size_t>(fixup.label)];
    branch.nounroll = nounroll || label_nounroll_[static_cast<size_t>(fixup.label)];
  }
  for (const std::vector<int>& labels : target_labels_) {
    std::vector<Pc>& pcs = draft_.out.branch_targets.emplace_back();
    for (const int label : labels) {
      pcs.push_back(label_pcs_[static_cast<size_t>(label)]);
    }
  }
  return Ok{};
}

// Control may fall off the end of the text (PTX lets a body end with a label): make the return explicit.
Result<void> FunctionLowering::finish_code() {
  const std::string root = ast_.is_entry ? "exit" : "ret";
  ptx::Instruction end;
  end.root = root;
  return lower_control(end, *isa::decode(root, {}, 0));
}

namespace {

// Headers that came with a compiler or the system.
bool is_foreign(const std::string& path) {
  return path.starts_with("/usr/") || path.starts_with("/opt/") || path.find("-linux/include/") != std::string::npos;
}

}  // namespace

// A line of a foreign header (an atomicAdd, a shuffle) tells nobody what to look at: the call of it does.
ptx::SourceLoc FunctionLowering::line_to_show(const ptx::SourceLoc& innermost) const {
  const ptx::Module& part = *module_.linked->parts[static_cast<size_t>(part_)];
  const auto foreign = [&](const ptx::SourceLoc& loc) {
    const auto file = static_cast<size_t>(std::max(loc.file, 0));
    return file < draft_.out.files.size() && is_foreign(draft_.out.files[file]);
  };
  ptx::SourceLoc loc = innermost;
  while (foreign(loc) && loc.inlined_at >= 0) {
    loc = part.inlined_at[static_cast<size_t>(loc.inlined_at)];
  }
  return foreign(loc) ? innermost : loc;
}

Inst& FunctionLowering::emit(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  Inst out;
  set_operation(out, decoded);
  out.carry = draft_.carry;
  const ptx::SourceLoc loc = line_to_show(inst.loc);
  out.src_file = static_cast<uint16_t>(loc.file);
  out.src_line = loc.line;
  out.ptx_line = inst.pos.line;
  if (ast_.is_entry && out.control == isa::Control::ret) {
    out.control = isa::Control::exit;
  }
  draft_.out.code.push_back(out);
  return draft_.out.code.back();
}

Result<void> FunctionLowering::set_guard(const ptx::Instruction& inst, Inst& out) {
  if (!inst.guard) {
    return Ok{};
  }
  const Local* local = lookup(inst.guard->predicate);
  if (local == nullptr || local->kind != Local::Kind::reg ||
      draft_.regs[virtual_number(local->slot)].type != isa::Ty::pred) {
    return error(inst.pos, fmt::format("guard '{}' is not a predicate register", inst.guard->predicate));
  }
  out.guard = local->slot;
  out.guard_negated = inst.guard->negated;
  return Ok{};
}

void FunctionLowering::mark_unsupported(const ptx::Instruction& inst, std::string why) {
  const isa::Decoded nothing = *isa::decode("brkpt", {}, 0);
  Inst& out = emit(inst, nothing);
  out.unsupported = true;
  draft_.out.unsupported.emplace_back(static_cast<Pc>(draft_.out.code.size() - 1), std::move(why));
}

namespace {

bool has_offsets(const ptx::Instruction& inst) {
  return std::any_of(inst.operands.begin(), inst.operands.end(), [](const ptx::Operand& operand) {
    const auto* r = std::get_if<ptx::RegisterOperand>(&operand.value);
    return r != nullptr && r->offset != 0;
  });
}

size_t operand_count(const ptx::Instruction& inst) {
  size_t count = 0;
  for (const ptx::Operand& operand : inst.operands) {
    const auto* pair = std::get_if<ptx::PairOperand>(&operand.value);
    count += pair != nullptr ? pair->elements.size() : 1;
  }
  return count;
}

}  // namespace

// The suffixes. mad.f32 of code for sm_1x names no rounding; on every later GPU it is fma.rn.
std::vector<std::string> FunctionLowering::words_of(const ptx::Instruction& inst) const {
  const std::string& target = module_.linked->parts[static_cast<size_t>(part_)]->target;
  std::vector<std::string> words = inst.suffixes;
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (inst.root == "mad" && target.starts_with("sm_1") && target.size() == 5 && has("f32") && !has("rn") &&
      !has("rz")) {
    words.insert(words.begin(), "rn");
  }
  return words;
}

// register + constant: the sum goes to a register of its own first.
Result<void> FunctionLowering::add_offsets(ptx::Instruction& inst) {
  for (ptx::Operand& operand : inst.operands) {
    auto* r = std::get_if<ptx::RegisterOperand>(&operand.value);
    if (r == nullptr || r->offset == 0) {
      continue;
    }
    const int64_t offset = std::exchange(r->offset, 0);
    HPML_TRY(const isa::Slot slot, reg(operand));
    const uint8_t bytes = container_of(slot);
    if (bytes < 2 || bytes > 8) {
      return error(operand.pos, fmt::format("a constant cannot be added to '{}'", r->name));
    }
    Local sum;
    sum.slot = new_reg(draft_.regs[virtual_number(slot)].type);
    std::string name = fmt::format(".sum{}", virtual_number(sum.slot));
    scopes_.back()[name] = sum;
    ptx::Instruction add;
    add.pos = inst.pos;
    add.loc = inst.loc;
    add.root = "add";
    add.suffixes = {fmt::format("s{}", bytes * 8)};
    const ptx::Immediate constant{ptx::Immediate::Kind::integer, static_cast<uint64_t>(offset), false};
    add.operands = {{ptx::RegisterOperand{name, "", false, false}, operand.pos}, operand, {constant, operand.pos}};
    HPML_TRY_VOID(lower_instruction(add));
    operand.value = ptx::RegisterOperand{std::move(name), "", false, false};
  }
  return Ok{};
}

Result<void> FunctionLowering::lower_instruction(const ptx::Instruction& inst) {
  if (const auto spelled_out = with_elements(inst)) {
    return lower_instruction(*spelled_out);
  }
  if (has_offsets(inst)) {
    ptx::Instruction plain = inst;
    HPML_TRY_VOID(add_offsets(plain));
    return lower_instruction(plain);
  }
  const size_t first = draft_.out.code.size();
  const bool is_vector_mov = inst.root == "mov" && inst.operands.size() == 2 &&
                             (std::holds_alternative<ptx::VectorOperand>(inst.operands[0].value) ||
                              std::holds_alternative<ptx::VectorOperand>(inst.operands[1].value));
  if (inst.root == "mov") {
    if (moves_vector(inst)) {
      HPML_TRY_VOID(lower_vector_mov(inst));
    } else if (is_vector_mov) {
      const bool pack = std::holds_alternative<ptx::VectorOperand>(inst.operands[1].value);
      HPML_TRY_VOID(lower_pack(inst, std::get<ptx::VectorOperand>(inst.operands[pack ? 1 : 0].value), pack));
    } else {
      HPML_TRY_VOID(lower_mov(inst));
    }
  } else {
    const auto decoded = isa::decode(inst.root, words_of(inst), operand_count(inst));
    if (!decoded.ok()) {
      mark_unsupported(inst, decoded.error());
    } else {
      switch (decoded->variant->shape) {
        case isa::Shape::lane: {
          const bool video = decoded->variant->selectors != isa::Selectors::none;
          HPML_TRY_VOID(video ? lower_video(inst, *decoded) : lower_lane(inst, *decoded));
          break;
        }
        case isa::Shape::mem: HPML_TRY_VOID(lower_memory(inst, *decoded)); break;
        case isa::Shape::warp: HPML_TRY_VOID(lower_warp(inst, *decoded)); break;
        case isa::Shape::control: HPML_TRY_VOID(lower_control(inst, *decoded)); break;
      }
    }
  }
  for (size_t pc = first; pc < draft_.out.code.size(); ++pc) {
    HPML_TRY_VOID(set_guard(inst, draft_.out.code[pc]));
  }
  return Ok{};
}

}  // namespace hpml::sim::ir
