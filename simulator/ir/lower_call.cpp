// Calls: the callee, and how arguments and results travel.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

namespace {

// CUDA 12 and later spell the functions of the device runtime __cudaCDP2X, and those of per-thread streams X_ptsz.
std::string plain_name(const std::string& name) {
  constexpr std::string_view kPrefix = "__cudaCDP2", kSuffix = "_ptsz";
  std::string out = name.starts_with(kPrefix) ? "cuda" + name.substr(kPrefix.size()) : name;
  if (out.starts_with("cuda") && out.ends_with(kSuffix)) {
    out.resize(out.size() - kSuffix.size());
  }
  return out;
}

Builtin find_builtin(const std::string& name) {
  struct Row {
    std::string_view name;
    Builtin builtin;
  };
  constexpr auto kRows = std::to_array<Row>({
      {"vprintf", Builtin::vprintf},
      {"__assertfail", Builtin::assertfail},
      {"malloc", Builtin::malloc},
      {"free", Builtin::free},
      {"cudaGetParameterBufferV2", Builtin::get_parameter_buffer},
      {"cudaLaunchDeviceV2", Builtin::launch_device},
      {"cudaMemcpyAsync", Builtin::memcpy_async},
      {"cudaMemcpy2DAsync", Builtin::memcpy_2d_async},
      {"cudaMemsetAsync", Builtin::memset_async},
      {"cudaMemset2DAsync", Builtin::memset_2d_async},
      {"cudaGetLastError", Builtin::get_last_error},
      {"cudaPeekAtLastError", Builtin::peek_last_error},
      {"cudaGetDevice", Builtin::get_device},
      {"cudaGetDeviceCount", Builtin::get_device_count},
      {"cudaDeviceGetAttribute", Builtin::get_attribute},
      {"cudaDeviceGetLimit", Builtin::get_limit},
      {"cudaDeviceGetCacheConfig", Builtin::no_preference},
      {"cudaDeviceGetSharedMemConfig", Builtin::no_preference},
      {"cudaRuntimeGetVersion", Builtin::runtime_version},
      {"cudaStreamCreateWithFlags", Builtin::create_handle},
      {"cudaEventCreateWithFlags", Builtin::create_handle},
      {"cudaStreamDestroy", Builtin::order_streams},
      {"cudaStreamWaitEvent", Builtin::order_streams},
      {"cudaEventRecord", Builtin::order_streams},
      {"cudaEventRecordWithFlags", Builtin::order_streams},
      {"cudaEventDestroy", Builtin::order_streams},
      {"cudaMalloc", Builtin::device_malloc},
      {"cudaFree", Builtin::device_free},
      {"cudaFuncGetAttributes", Builtin::function_attributes},
      {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", Builtin::resident_blocks},
      {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", Builtin::resident_blocks},
      {"cudaGraphSetConditional", Builtin::set_conditional},
  });
  const std::string plain = plain_name(name);
  for (const Row& row : kRows) {
    if (row.name == plain) {
      return row.builtin;
    }
  }
  return Builtin::unsupported;
}

// call {(ret),} callee {, (args)} {, prototype}
struct CallOperands {
  const ptx::Operand* ret = nullptr;
  const ptx::Operand* callee = nullptr;
  const ptx::Operand* args = nullptr;
  const ptx::Operand* prototype = nullptr;
};
CallOperands split_call(const ptx::Instruction& inst) {
  CallOperands out;
  for (const ptx::Operand& operand : inst.operands) {
    if (std::holds_alternative<ptx::ListOperand>(operand.value)) {
      (out.callee == nullptr ? out.ret : out.args) = &operand;
    } else if (out.callee == nullptr) {
      out.callee = &operand;
    } else {
      out.prototype = &operand;
    }
  }
  return out;
}

}  // namespace

// What the callee declares: by its name, or by the prototype of an indirect call.
FunctionLowering::Formals FunctionLowering::formals_of(const ptx::Operand& callee,
                                                       const ptx::Operand* prototype) const {
  const auto* symbol = std::get_if<ptx::SymbolOperand>(&callee.value);
  if (symbol != nullptr && lookup(symbol->name) == nullptr) {
    const Symbol* target = module_.linked->find(part_, symbol->name);
    if (target != nullptr && target->kind == Symbol::Kind::function) {
      return {&target->function->returns, &target->function->params};
    }
    return {};
  }
  static const std::vector<ptx::Variable> kNone;
  const auto* name = prototype != nullptr ? std::get_if<ptx::SymbolOperand>(&prototype->value) : nullptr;
  const Local* local = name != nullptr ? lookup(name->name) : nullptr;
  if (local != nullptr && local->kind == Local::Kind::prototype) {
    return {&local->prototype->returns, &local->prototype->params};
  }
  if (local != nullptr && local->targets != nullptr && local->targets->is_call && !local->targets->labels.empty()) {
    // A list of the functions it may be; all have one prototype.
    const Symbol* target = module_.linked->find(part_, local->targets->labels.front());
    if (target != nullptr && target->kind == Symbol::Kind::function) {
      return {&target->function->returns, &target->function->params};
    }
  }
  return {&kNone, &kNone};
}

Result<void> FunctionLowering::lower_call(const ptx::Instruction& inst, const isa::Decoded& decoded) {
  const CallOperands operands = split_call(inst);
  if (operands.callee == nullptr) {
    return error(inst.pos, "call needs the name of a function or a register");
  }
  const Formals formals = formals_of(*operands.callee, operands.prototype);
  if (formals.params == nullptr) {
    return error(operands.callee->pos, fmt::format("call of '{}', which is not declared",
                                                   std::get<ptx::SymbolOperand>(operands.callee->value).name));
  }
  CallSite site;
  std::vector<ptx::Instruction> before, after;
  HPML_TRY_VOID(bind_pieces(inst, operands.args, formals, false, site.args, before));
  HPML_TRY_VOID(bind_pieces(inst, operands.ret, formals, true, site.results, after));
  for (const ptx::Instruction& store : before) {
    HPML_TRY_VOID(lower_instruction(store));
  }
  emit(inst, decoded);
  const size_t pc = draft_.out.code.size() - 1;
  Inst out = draft_.out.code[pc];
  HPML_TRY_VOID(bind_callee(inst, *operands.callee, site, out, operands.prototype));
  out.extra = static_cast<uint32_t>(draft_.out.calls.size());
  draft_.out.calls.push_back(std::move(site));
  draft_.out.code[pc] = out;
  for (const ptx::Instruction& load : after) {
    HPML_TRY_VOID(lower_instruction(load));
  }
  return Ok{};
}

Result<void> FunctionLowering::bind_callee(const ptx::Instruction& inst, const ptx::Operand& callee, CallSite& site,
                                           Inst& out, const ptx::Operand* prototype) {
  const auto* symbol = std::get_if<ptx::SymbolOperand>(&callee.value);
  if (symbol == nullptr) {
    if (prototype == nullptr) {
      return error(inst.pos, "an indirect call needs a .callprototype");
    }
    HPML_TRY(out.src[0], source(callee, isa::Ty::b64, 8));
    module_.need_address_taken();
    site.name = "an indirect call";
    return Ok{};
  }
  site.name = symbol->name;
  const Symbol* target = module_.linked->find(part_, symbol->name);
  const bool defined = target != nullptr && target->kind == Symbol::Kind::function && target->index >= 0;
  // Another part's definition does not count: -lcudadevrt brings some, made of system calls that only a driver knows.
  const Builtin builtin = find_builtin(symbol->name);
  if (builtin != Builtin::unsupported && !(defined && target->part == part_)) {
    site.builtin = builtin;
    return Ok{};
  }
  if (defined) {
    site.callee = module_.function_index(target->index);
    return Ok{};
  }
  site.libm = isa::find_function(symbol->name);
  if (site.libm == nullptr) {
    site.builtin = Builtin::unsupported;
    out.unsupported = true;
    draft_.out.unsupported.emplace_back(
        static_cast<Pc>(draft_.out.code.size() - 1),
        fmt::format("call of '{}', which no part of the program defines", symbol->name));
  } else {
    out.lat = site.libm->latency;
  }
  return Ok{};
}

// Where each argument (result) lies in this frame and in the callee's. One in a register or a constant gets a place of
// its own; `moves` are the instructions that bring it there or back.
Result<void> FunctionLowering::bind_pieces(const ptx::Instruction& inst, const ptx::Operand* list,
                                           const Formals& formals, bool results, std::vector<CallSite::Piece>& out,
                                           std::vector<ptx::Instruction>& moves) {
  if (list == nullptr) {
    return Ok{};
  }
  const std::vector<ptx::Variable>& declared = results ? *formals.returns : *formals.params;
  const std::vector<Function::Formal> places = formal_layout(*formals.returns, *formals.params, results);
  const std::vector<ptx::Operand>& elements = std::get<ptx::ListOperand>(list->value).elements;
  if (elements.size() > places.size()) {
    return error(inst.pos, fmt::format("'{}' is called with {} arguments or results; it has {}", inst.root,
                                       elements.size(), places.size()));
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto* symbol = std::get_if<ptx::SymbolOperand>(&elements[i].value);
    const Local* local = symbol != nullptr ? lookup(symbol->name) : nullptr;
    if (local != nullptr && (local->kind == Local::Kind::local_memory || local->kind == Local::Kind::formal)) {
      out.push_back({local->offset, places[i].offset, places[i].bytes});
      continue;
    }
    if (symbol != nullptr || declared[i].is_array) {
      return error(elements[i].pos, "arguments and results of a call are .param variables, registers or constants");
    }
    const std::string place = new_frame_place(places[i].bytes);
    out.push_back({lookup(place)->offset, places[i].offset, places[i].bytes});
    if (!std::holds_alternative<ptx::SinkOperand>(elements[i].value)) {
      HPML_TRY_VOID(add_moves(inst, elements[i], declared[i], place, !results, moves));
    }
  }
  return Ok{};
}

// A variable of the local frame under a name that PTX cannot spell.
std::string FunctionLowering::new_frame_place(uint32_t bytes) {
  Local local;
  local.kind = Local::Kind::local_memory;
  local.offset = static_cast<uint32_t>(align_up(draft_.out.local_bytes, std::bit_ceil(std::max(bytes, 1u))));
  draft_.out.local_bytes = local.offset + bytes;
  std::string name = fmt::format(".place{}", local.offset);
  scopes_.back()[name] = local;
  return name;
}

namespace {

ptx::Operand register_named(const std::string& name, SourcePos pos) {
  return {ptx::RegisterOperand{name, "", false, false}, pos};
}

}  // namespace

// The instructions between a register (or constant) and its place in the frame, guarded as `inst` is. Predicates have
// no memory format: one byte, 0 or 1.
Result<void> FunctionLowering::add_moves(const ptx::Instruction& inst, const ptx::Operand& value,
                                         const ptx::Variable& formal, const std::string& place, bool store,
                                         std::vector<ptx::Instruction>& moves) {
  const auto type = isa::parse_type(formal.type);
  if (!type || (formal.vector != 1 && *type == isa::Ty::pred)) {
    return error(formal.pos, fmt::format("'{}' cannot be passed in a register", formal.name));
  }
  const auto add = [&](std::string root, std::vector<std::string> suffixes, std::vector<ptx::Operand> operands) {
    ptx::Instruction& move = moves.emplace_back();
    move.pos = inst.pos;
    move.loc = inst.loc;
    move.guard = inst.guard;
    move.root = std::move(root);
    move.suffixes = std::move(suffixes);
    move.operands = std::move(operands);
  };
  const ptx::Operand address = {ptx::AddressOperand{place, false, 0}, value.pos};
  if (*type != isa::Ty::pred) {
    std::vector<std::string> words = {"param"};
    if (formal.vector != 1) {
      words.push_back(fmt::format("v{}", formal.vector));
    }
    words.push_back(fmt::format("b{}", isa::bits(*type)));
    store ? add("st", words, {address, value}) : add("ld", words, {value, address});
    return Ok{};
  }
  Local byte;
  byte.slot = new_reg(isa::Ty::b32);
  const std::string name = place + ".byte";
  scopes_.back()[name] = byte;
  const ptx::Operand in_register = register_named(name, value.pos);
  const auto constant = [&](uint64_t bits) {
    return ptx::Operand{ptx::Immediate{ptx::Immediate::Kind::integer, bits, false}, value.pos};
  };
  if (store) {
    add("selp", {"b32"}, {in_register, constant(1), constant(0), value});
    add("st", {"param", "u8"}, {address, in_register});
  } else {
    add("ld", {"param", "u8"}, {in_register, address});
    add("setp", {"ne", "u32"}, {value, in_register, constant(0)});
  }
  return Ok{};
}

namespace {

// Names, which PTX cannot spell, of a formal in a register and of its place in the frame: inner scopes may hide the
// formal's own.
std::string formal_register(const char* list, size_t i) { return fmt::format(".{}{}", list, i); }
std::string formal_place(const char* list, size_t i) { return fmt::format(".{}{}.place", list, i); }

constexpr const char* kResult = "result";
constexpr const char* kParameter = "parameter";

}  // namespace

// .func (.reg .b32 r) f (.reg .b32 a): the values travel through the frame as those of .param formals do.
Result<void> FunctionLowering::declare_formals(const std::vector<ptx::Variable>& list,
                                               const std::vector<Function::Formal>& places, bool results) {
  const char* kind = results ? kResult : kParameter;
  for (size_t i = 0; i < list.size(); ++i) {
    Local local;
    local.kind = Local::Kind::formal;
    local.offset = places[i].offset;
    if (list[i].space != ptx::Space::reg) {
      scopes_.back()[list[i].name] = local;
      continue;
    }
    scopes_.back()[formal_place(kind, i)] = local;
    HPML_TRY_VOID(declare(list[i]));
    for (const char* element : {"", ".x", ".y", ".z", ".w"}) {
      if (const Local* reg = lookup(list[i].name + element)) {
        scopes_.back()[formal_register(kind, i) + element] = *reg;
      }
    }
  }
  return Ok{};
}

Result<void> FunctionLowering::load_register_parameters() {
  ptx::Instruction entry;
  entry.pos = ast_.pos;
  std::vector<ptx::Instruction> moves;
  for (size_t i = 0; i < ast_.params.size() && !ast_.is_entry; ++i) {
    if (ast_.params[i].space == ptx::Space::reg) {
      const ptx::Operand value = register_named(formal_register(kParameter, i), ast_.params[i].pos);
      HPML_TRY_VOID(add_moves(entry, value, ast_.params[i], formal_place(kParameter, i), false, moves));
    }
  }
  for (const ptx::Instruction& move : moves) {
    HPML_TRY_VOID(lower_instruction(move));
  }
  return Ok{};
}

Result<void> FunctionLowering::store_register_results(const ptx::Instruction& ret) {
  std::vector<ptx::Instruction> moves;
  for (size_t i = 0; i < ast_.returns.size(); ++i) {
    if (ast_.returns[i].space == ptx::Space::reg) {
      const ptx::Operand value = register_named(formal_register(kResult, i), ret.pos);
      HPML_TRY_VOID(add_moves(ret, value, ast_.returns[i], formal_place(kResult, i), true, moves));
    }
  }
  for (const ptx::Instruction& move : moves) {
    HPML_TRY_VOID(lower_instruction(move));
  }
  return Ok{};
}

}  // namespace hpml::sim::ir
