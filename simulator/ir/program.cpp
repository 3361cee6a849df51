#include "simulator/ir/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "simulator/ir/detail/layout.hpp"
#include "simulator/ir/detail/lowering.hpp"

namespace hpml::sim::ir {

int ModuleLowering::function_index(int linked_function) {
  const auto [it, inserted] = index_of_.try_emplace(linked_function, static_cast<int>(order.size()));
  if (inserted) {
    order.push_back(linked_function);
  }
  return it->second;
}

void ModuleLowering::need_address_taken() {
  for (const int function : linked->address_taken()) {
    if (!linked->functions[static_cast<size_t>(function)].ast->is_entry) {
      function_index(function);
    }
  }
}

uint32_t ModuleLowering::shared_offset(const ptx::Variable& v) {
  if (v.is_extern && (v.dims.empty() || v.dims[0] == 0)) {
    uses_dynamic_shared = true;
    dynamic_align = std::max(dynamic_align, align_of(v));
    return dynamic_base_;
  }
  const auto [it, inserted] = shared_.try_emplace(&v, 0);
  if (inserted) {
    it->second = static_cast<uint32_t>(align_up(static_shared, std::max(align_of(v), 1u)));
    static_shared = it->second + static_cast<uint32_t>(size_of(v));
  }
  return it->second;
}

uint32_t ModuleLowering::reserved_shared_offset() {
  if (reserved_shared == 0) {
    constexpr uint32_t kAlign = 128;
    reserved_offset_ = static_cast<uint32_t>(align_up(static_shared, kAlign));
    reserved_shared = reserved_offset_ + kReservedSharedBytes - static_shared;
    static_shared += reserved_shared;
  }
  return reserved_offset_;
}

struct Program::Impl {
  Linked linked;
  std::vector<KernelHeader> kernels;
  std::map<std::string, int> kernel_function;  // name -> linked function
};

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

namespace {

KernelHeader header_of(const ptx::Function& f, const ptx::Module& part) {
  KernelHeader out;
  out.name = f.name;
  for (const ptx::Variable& v : f.params) {
    Param p;
    p.name = v.name;
    p.align = align_of(v);
    p.size = static_cast<uint32_t>(size_of(v));
    p.offset = static_cast<uint32_t>(align_up(out.param_bytes, std::max(p.align, 1u)));
    out.param_bytes = p.offset + p.size;
    out.params.push_back(p);
  }
  const auto extents = [](const std::vector<uint64_t>& values) {
    std::array<uint32_t, 3> e = {1, 1, 1};
    for (size_t i = 0; i < values.size() && i < 3; ++i) {
      e[i] = static_cast<uint32_t>(values[i]);
    }
    return e;
  };
  for (const ptx::PerformanceDirective& d : f.directives) {
    if (d.name == "reqntid") {
      out.reqntid = extents(d.values);
    } else if (d.name == "maxntid") {
      out.maxntid = extents(d.values);
    } else if (d.name == "minnctapersm" && !d.values.empty()) {
      out.minnctapersm = static_cast<int>(d.values[0]);
    } else if (d.name == "maxnreg" && !d.values.empty()) {
      out.maxnreg = static_cast<int>(d.values[0]);
    } else if (d.name == "reqnctapercluster" && !d.values.empty()) {
      out.cluster = extents(d.values);
    } else if (d.name == "blocksareclusters") {
      out.grid_of_clusters = true;
    } else if (d.name == "maxclusterrank" && !d.values.empty()) {
      out.max_cluster_rank = static_cast<uint32_t>(d.values[0]);
    }
  }
  if (part.target.starts_with("sm_")) {
    out.target_sm = std::atoi(part.target.c_str() + 3);
  }
  return out;
}

}  // namespace

Result<Program> Program::link(std::vector<ptx::Module> modules) {
  auto impl = std::make_unique<Impl>();
  HPML_TRY(impl->linked, Linked::link(std::move(modules)));
  for (size_t i = 0; i < impl->linked.functions.size(); ++i) {
    const LinkedFunction& f = impl->linked.functions[i];
    if (f.ast->is_entry && impl->kernel_function.emplace(f.ast->name, static_cast<int>(i)).second) {
      impl->kernels.push_back(header_of(*f.ast, *impl->linked.parts[static_cast<size_t>(f.part)]));
    }
  }
  return Program(std::move(impl));
}

std::vector<Variable>& Program::variables() { return impl_->linked.variables; }
const std::vector<Variable>& Program::variables() const { return impl_->linked.variables; }
const std::vector<KernelHeader>& Program::kernels() const { return impl_->kernels; }

const std::string* Program::kernel_at(uint64_t address) const {
  const auto& functions = impl_->linked.functions;
  const uint64_t index = (address - kCodeBase) / kCodeStep;
  if (address < kCodeBase || (address - kCodeBase) % kCodeStep != 0 || index >= functions.size()) {
    return nullptr;
  }
  const ptx::Function& function = *functions[index].ast;
  return function.is_entry ? &function.name : nullptr;
}

namespace {

// Itanium C++ ABI 2.6.2 and 3.2.6: what stands in a virtual table in the place of a pure or a deleted function. No
// device library defines them. The table gets address 0 there, and a call through it fails as a call of address 0.
bool is_missing_virtual(std::string_view name) {
  return name == "__cxa_pure_virtual" || name == "__cxa_deleted_virtual";
}

// Writes an initialiser list into `out` at `offset`; returns where the next element goes.
class InitWriter {
 public:
  InitWriter(const Linked& linked, int part, const ptx::Variable& v, std::vector<std::byte>& out)
      : linked_(linked),
        part_(part),
        variable_(v),
        out_(out),
        element_(std::max(element_bytes(v) / static_cast<uint32_t>(std::max(v.vector, 1)), 1u)) {}

  Result<void> write(const std::vector<ptx::Initializer>& init, size_t offset, size_t depth) {
    size_t stride = element_;
    for (size_t d = depth + 1; d < variable_.dims.size(); ++d) {
      stride *= variable_.dims[d];
    }
    for (const ptx::Initializer& item : init) {
      if (const auto* nested = std::get_if<std::vector<ptx::Initializer>>(&item.value)) {
        HPML_TRY_VOID(write(*nested, offset, depth + 1));
        offset += stride;
        continue;
      }
      HPML_TRY(const uint64_t bits, value(item));
      if (offset + element_ > out_.size()) {
        return error_in(variable_.name, "the initialiser is longer than the variable");
      }
      std::memcpy(out_.data() + offset, &bits, std::min<size_t>(element_, 8));
      offset += element_;
    }
    return Ok{};
  }

 private:
  Result<uint64_t> value(const ptx::Initializer& item) const {
    uint64_t bits = 0;
    if (const auto* imm = std::get_if<ptx::Immediate>(&item.value)) {
      bits = imm->bits;
      if (imm->kind == ptx::Immediate::Kind::f64_bits && element_ == 4) {
        double d;
        std::memcpy(&d, &bits, sizeof d);
        const auto f = static_cast<float>(d);
        bits = 0;
        std::memcpy(&bits, &f, sizeof f);
      }
      return bits;
    }
    const auto& symbol = std::get<ptx::SymbolOperand>(item.value);
    const Symbol* target = linked_.find(part_, symbol.name);
    if (target != nullptr && target->index < 0 && is_missing_virtual(symbol.name)) {
      return 0;
    }
    if (target == nullptr || target->index < 0) {
      return error_in(variable_.name, fmt::format("its initialiser names '{}', which is not defined", symbol.name));
    }
    bits = target->kind == Symbol::Kind::function ? Linked::code_address(target->index)
                                                  : linked_.variables[static_cast<size_t>(target->index)].address;
    bits += static_cast<uint64_t>(symbol.offset);
    return item.mask_byte >= 0 ? (bits >> (8 * item.mask_byte)) & 0xff : bits;
  }

  const Linked& linked_;
  int part_;
  const ptx::Variable& variable_;
  std::vector<std::byte>& out_;
  uint32_t element_;
};

}  // namespace

Result<std::vector<std::byte>> Program::initial_bytes(const Variable& variable) const {
  std::vector<std::byte> out(variable.size);
  InitWriter writer(impl_->linked, impl_->linked.part_of(*variable.declaration), *variable.declaration, out);
  HPML_TRY_VOID(writer.write(variable.declaration->init, 0, 0));
  return out;
}

namespace {

// The functions a kernel reaches, lowered with dynamic shared memory at `dynamic_base`.
Result<Module> lower_functions(ModuleLowering& lowering, int entry) {
  Module out;
  if (lowering.names != nullptr) {
    lowering.names->functions.clear();
  }
  lowering.function_index(entry);
  for (size_t i = 0; i < lowering.order.size(); ++i) {  // grows while functions are lowered
    FunctionLowering function(lowering, lowering.order[i]);
    HPML_TRY(Function f, function.run());
    out.functions.push_back(std::move(f));
    out.code_addresses.emplace_back(Linked::code_address(lowering.order[i]), static_cast<int>(i));
  }
  std::sort(out.code_addresses.begin(), out.code_addresses.end());
  return out;
}

}  // namespace

const ptx::Module& Program::part(int index) const { return *impl_->linked.parts.at(static_cast<size_t>(index)); }
int Program::parts() const { return static_cast<int>(impl_->linked.parts.size()); }

Result<Module> Program::lower(const std::string& kernel, Names* names) const {
  const auto found = impl_->kernel_function.find(kernel);
  HPML_CHECK(found != impl_->kernel_function.end(), fmt::format("no kernel {}", kernel));
  const auto header = std::find_if(impl_->kernels.begin(), impl_->kernels.end(),
                                   [&](const KernelHeader& h) { return h.name == kernel; });
  // Dynamic shared memory begins after the static, whose size is known only when all functions have been lowered:
  // a kernel that uses it is lowered a second time.
  ModuleLowering lowering(impl_->linked, header->params, 0, names);
  HPML_TRY(Module out, lower_functions(lowering, found->second));
  if (lowering.uses_dynamic_shared && lowering.static_shared > 0) {
    const auto base = static_cast<uint32_t>(align_up(lowering.static_shared, lowering.dynamic_align));
    lowering = ModuleLowering(impl_->linked, header->params, base, names);
    HPML_TRY(out, lower_functions(lowering, found->second));
  }
  Kernel k;
  k.function = 0;
  k.params = header->params;
  k.param_bytes = header->param_bytes;
  k.param_slots = std::move(lowering.param_slots);
  k.static_shared = lowering.static_shared - lowering.reserved_shared;
  k.reserved_shared = lowering.reserved_shared;
  k.dynamic_shared_base = static_cast<uint32_t>(align_up(lowering.static_shared, lowering.dynamic_align));
  k.reqntid = header->reqntid;
  k.maxntid = header->maxntid;
  k.minnctapersm = header->minnctapersm;
  k.maxnreg = header->maxnreg;
  k.target_sm = header->target_sm;
  out.kernels.push_back(std::move(k));
  out.constants = lowering.pool.take();
  return out;
}

namespace {

const ptx::Instruction* first_unknown(const ptx::Block& block) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
      if (const ptx::Instruction* found = first_unknown(**inner)) {
        return found;
      }
    }
    const auto* inst = std::get_if<ptx::Instruction>(&statement);
    if (inst != nullptr && !isa::unknown_instruction(inst->root).empty()) {
      return inst;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Diag> Program::unknown_instruction() const {
  for (const LinkedFunction& f : impl_->linked.functions) {
    const ptx::Module& part = *impl_->linked.parts[static_cast<size_t>(f.part)];
    const bool newer = std::pair(part.version_major, part.version_minor) > isa::kKnownPtx;
    if (const ptx::Instruction* inst = newer ? nullptr : first_unknown(*f.ast->body); inst != nullptr) {
      return error_at(part.name, inst->pos, isa::unknown_instruction(inst->root),
                      std::string(line_of(part.text, inst->pos.line)));
    }
  }
  return std::nullopt;
}

std::vector<Diag> Program::check() const {
  std::vector<Diag> out;
  for (size_t i = 0; i < impl_->linked.functions.size(); ++i) {
    const LinkedFunction& f = impl_->linked.functions[i];
    const ptx::Module& part = *impl_->linked.parts[static_cast<size_t>(f.part)];
    const KernelHeader header = header_of(*f.ast, part);
    ModuleLowering lowering(impl_->linked, header.params, 0);
    FunctionLowering function(lowering, static_cast<int>(i));
    const Result<Function> lowered = function.run();
    if (!lowered.ok()) {
      out.push_back(lowered.error());
      continue;
    }
    for (const auto& [pc, why] : lowered->unsupported) {
      const int line = lowered->code[pc].ptx_line;
      out.push_back(error_at(part.name, {line, 0}, why, std::string(line_of(part.text, line))));
    }
  }
  return out;
}

}  // namespace hpml::sim::ir
