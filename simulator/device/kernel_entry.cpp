#include "simulator/device/kernel_entry.hpp"

#include <algorithm>

namespace hpml::sim::device {
namespace {

constexpr int kLeastRegisters = 8;  // of an empty kernel, by ptxas

// Volatile and ordered loads but for those of shared memory, and atomic operations on memory of the whole system.
bool asks_host(const ir::Inst& inst) {
  const bool shared = inst.mods.space == isa::Space::shared;
  return (inst.mem == isa::Mem::ld && inst.mods.sem != isa::Sem::weak && !shared) ||
         (inst.mem == isa::Mem::atom && inst.mods.scope == isa::Scope::sys);
}

uint64_t product(const std::array<uint32_t, 3>& extents) { return uint64_t{extents[0]} * extents[1] * extents[2]; }

}  // namespace

KernelEntry::KernelEntry(const LoadedModule& module, ModuleId module_id, const ir::KernelHeader& header,
                         const CubinKernel* cubin, const timing::GpuSpec& spec, bool keep_names)
    : module_(module), module_id_(module_id), header_(header), spec_(spec), keep_names_(keep_names) {
  if (cubin != nullptr) {
    cubin_ = *cubin;
  }
  max_dynamic_shared = spec.limits.shared_per_block_bytes;
  info_.name = header.name;
  info_.const_bytes = module.const_bytes();
  info_.ptx_version = header.target_sm;
  info_.param_bytes = header.param_bytes;
  if (header.cluster[0] != 0) {
    info_.cluster = Dim3{.x = header.cluster[0], .y = header.cluster[1], .z = header.cluster[2]};
  }
  for (const ir::Param& param : header.params) {
    info_.params.push_back({.offset = param.offset, .size = param.size, .align = param.align});
  }
}

const Result<ir::Module>& KernelEntry::code() {
  if (!code_) {
    code_.emplace(module_.program().lower(header_.name, keep_names_ ? &names_ : nullptr));
    if (code_->ok()) {
      complete_info(**code_);
    }
  }
  return *code_;
}

const KernelInfo& KernelEntry::info() {
  code();
  return info_;
}

// What .maxnreg, and the residency that __launch_bounds__ promises, leave a thread.
int KernelEntry::register_limit() const {
  auto limit = static_cast<int>(spec_.limits.max_registers_per_thread);
  if (header_.maxnreg > 0) {
    limit = std::min(limit, header_.maxnreg);
  }
  const uint64_t threads = std::max(product(header_.reqntid), product(header_.maxntid));
  if (threads > 0) {
    const uint64_t blocks = static_cast<uint64_t>(std::max(header_.minnctapersm, 1));
    const uint64_t per_thread = spec_.limits.registers_per_sm / (blocks * threads);
    limit = std::min(limit, std::max(static_cast<int>(per_thread / 8 * 8), 2 * kLeastRegisters));
  }
  return limit;
}

int KernelEntry::threads_limit() const {
  uint64_t limit = spec_.limits.max_threads_per_block;
  for (const uint64_t threads : {product(header_.reqntid), product(header_.maxntid)}) {
    limit = threads > 0 ? std::min(limit, threads) : limit;
  }
  if (!info_.registers_estimated) {  // an estimate refuses nothing
    const uint64_t unit = spec_.limits.register_unit_per_warp;
    const uint64_t per_warp = (static_cast<uint64_t>(info_.registers) * 32 + unit - 1) / unit * unit;
    limit = std::min(limit, spec_.limits.registers_per_block / per_warp * 32);
  }
  return static_cast<int>(limit);
}

void KernelEntry::complete_info(const ir::Module& code) {
  int estimate = kLeastRegisters;
  for (const ir::Function& function : code.functions) {
    estimate = std::max(estimate, function.registers);
    info_.local_bytes += function.local_bytes;
    info_.asks_host = info_.asks_host || std::ranges::any_of(function.code, asks_host);
  }
  info_.registers_estimated = !cubin_ || cubin_->registers == 0;
  info_.registers = info_.registers_estimated ? std::min(estimate, register_limit()) : cubin_->registers;
  info_.static_shared =
      cubin_ ? std::max(cubin_->static_shared, code.kernels[0].static_shared) : code.kernels[0].static_shared;
  info_.max_threads_per_block = threads_limit();
}

uint32_t KernelEntry::register_numbers() {
  uint32_t largest = 0;
  for (const ir::Function& function : code()->functions) {
    largest = std::max(largest, function.reg_count);
  }
  return largest;
}

bool KernelEntry::reads_clock() {
  return std::ranges::any_of(code()->functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.specials,
                               [](const ir::SpecialUse& use) { return changes_over_time(use.what); });
  });
}

}  // namespace hpml::sim::device
