#pragma once
// One kernel of a loaded module: what is known from its declaration and cubin, and its code once it is needed.
#include <optional>

#include "simulator/device/loaded_module.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

class KernelEntry {
 public:
  // The referenced objects must outlive the entry. cubin: null when the fat binary has none for this kernel.
  // `keep_names`: for a debugger.
  KernelEntry(const LoadedModule& module, ModuleId module_id, const ir::KernelHeader& header, const CubinKernel* cubin,
              const timing::GpuSpec& spec, bool keep_names);

  ModuleId module_id() const { return module_id_; }
  const ir::KernelHeader& header() const { return header_; }
  // Complete after the first call of code(): without a cubin, register count and shared memory come from the code.
  const KernelInfo& info();
  // Lowered on first use. Error: why the PTX cannot run.
  const Result<ir::Module>& code();
  // For a debugger. Preconditions: names were kept, code() is ok.
  ir::Module& code_to_debug() { return **code_; }
  const ir::Names& names() const { return names_; }
  // Size of the largest register numbering of its functions; precondition: code() is ok.
  uint32_t register_numbers();
  // Has it an instruction that reads a clock or a timer? Same precondition.
  bool reads_clock();

  uint32_t max_dynamic_shared = 0;  // cudaFuncAttributeMaxDynamicSharedMemorySize

 private:
  void complete_info(const ir::Module& code);
  int register_limit() const;
  int threads_limit() const;

  const LoadedModule& module_;
  ModuleId module_id_;
  const ir::KernelHeader& header_;
  const timing::GpuSpec& spec_;
  std::optional<CubinKernel> cubin_;
  KernelInfo info_;
  std::optional<Result<ir::Module>> code_;
  bool keep_names_;
  ir::Names names_;
};

}  // namespace hpml::sim::device
