#pragma once
// The implementation behind device/api.hpp: the composition root of one simulated GPU.
#include <map>
#include <memory>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/device/child_grids.hpp"
#include "simulator/device/in_kernel_heap.hpp"
#include "simulator/device/kernel_entry.hpp"
#include "simulator/device/kernel_record.hpp"
#include "simulator/device/launch_check.hpp"
#include "simulator/device/launch_history.hpp"
#include "simulator/device/managed_memory.hpp"
#include "simulator/device/repeated_launches.hpp"
#include "simulator/sanitize/sanitizer.hpp"
#include "simulator/timing/engine.hpp"
#include "simulator/timing/gpu_spec.hpp"
#include "simulator/timing/host/apertures.hpp"

namespace hpml::sim::debug {
struct Launch;
}
namespace hpml::sim::device {

class SimulatedDevice final : public Device {
 public:
  static Result<std::unique_ptr<Device>> create(const Options& options);
  ~SimulatedDevice() override;

  const Properties& properties() const override { return properties_; }
  memory::AddressSpace& memory() override { return *memory_; }

  Result<ModuleId> load_module(const std::vector<ModulePart>& parts, const std::vector<CubinKernel>& cubins) override;
  void unload_module(ModuleId module) override;
  Result<void> verify_module(ModuleId module) override;
  std::vector<std::string> kernel_names(ModuleId module) const override;
  std::optional<KernelId> find_kernel(ModuleId module, const std::string& name) const override;
  const KernelInfo& kernel(KernelId kernel) const override;
  std::optional<SymbolInfo> find_symbol(ModuleId module, const std::string& name) const override;

  bool set_max_dynamic_shared(KernelId kernel, uint32_t bytes) override;
  Occupancy occupancy(KernelId kernel, int block_threads, uint64_t dynamic_shared) const override;
  uint64_t active_clusters(const LaunchRequest& request) const override;
  LaunchError check_launch(const LaunchRequest& request) const override;
  std::string explain(const LaunchRequest& request) const override;
  bool set_limit(Limit limit, uint64_t bytes) override;
  uint64_t limit(Limit limit) const override { return limits_[static_cast<size_t>(limit)]; }
  LaunchResult launch(const LaunchRequest& request) override;
  Picoseconds library_time(const LibraryKernel& kernel) const override;
  LaunchResult library_launch(const LibraryKernel& kernel, Picoseconds start) override;

  Picoseconds copy_time(CopyKind kind, bool pinned, uint64_t bytes) const override;
  Picoseconds memset_time(uint64_t bytes) const override;
  Picoseconds api_cost(ApiCost what, uint64_t bytes) const override;
  void memory_written(uint64_t address, uint64_t bytes) override;
  void after_copy(const HostCopy& copy) override;
  void after_fill(const HostFill& fill) override;

  Picoseconds prefetch(uint64_t address, uint64_t bytes, bool to_device) override;
  void managed_allocated(uint64_t address, uint64_t bytes) override;
  void managed_freed(uint64_t address) override;
  void advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set) override;
  void on_host_fault(std::function<void(uint64_t, bool)> listener) override;
  Picoseconds take_host_fault_time() override;
  metrics::Values unified_memory_record() const override;

  sanitize::Sanitizer* sanitizer() override { return sanitizer_.get(); }
  uint64_t warp_instructions() const override { return warp_instructions_; }

 private:
  struct Execution;  // of one launch
  SimulatedDevice(const Options& options, timing::GpuSpec spec, std::unique_ptr<memory::AddressSpace> memory,
                  std::unique_ptr<timing::Engine> engine);
  KernelEntry& entry(KernelId kernel) const;
  LaunchLimits limits_of(KernelId kernel) const;
  LaunchResult launch_grid(const LaunchRequest& request, ChildGrids& children);
  void do_child(const ChildWork& work, ChildGrids& children, LaunchResult& all);
  uint64_t cooperative_workspace();
  unsigned threads() const;
  std::unique_ptr<exec::Grid> make_grid(KernelEntry& kernel, const LaunchRequest& request, Execution& execution);
  void execute(KernelEntry& kernel, Execution& execution, LaunchFacts& facts);
  debug::Launch to_debug(KernelEntry& kernel, const LaunchRequest& request, ChildGrids& children);
  const TimedLaunch* stand_in(KernelEntry& kernel, const LaunchRequest& request);
  void take_time(const TimedLaunch& known, const exec::Grid& grid, LaunchFacts& facts) const;
  void run_timed(KernelEntry& kernel, Execution& execution, LaunchFacts& facts);
  bool may_repeat(KernelEntry& kernel) const;
  void repeat(const LaunchOutcome& outcome, LaunchFacts& facts) const;
  bool time_is_known(const RepeatedLaunches::Known& known) const;
  double share_of(const LaunchFacts& facts) const;
  std::optional<Trap> trap_of(const Execution& execution, const std::string& kernel) const;

  Options options_;
  timing::GpuSpec spec_;
  Properties properties_;
  std::unique_ptr<memory::AddressSpace> memory_;
  std::unique_ptr<timing::Engine> engine_;          // null: functional mode
  std::unique_ptr<sanitize::Sanitizer> sanitizer_;  // null: no checks
  timing::UnifiedMemory unified_;
  timing::Apertures apertures_;
  ManagedMemory managed_;
  InKernelHeap heap_;
  std::vector<std::unique_ptr<LoadedModule>> modules_;       // by ModuleId; null: unloaded
  std::vector<std::unique_ptr<KernelEntry>> kernels_;        // by KernelId; null: its module was unloaded
  std::vector<std::map<std::string, KernelId>> kernel_ids_;  // by ModuleId
  LaunchHistory history_;
  RepeatedLaunches repeated_;
  uint64_t workspace_ = 0;
  uint32_t stack_bytes_ = 1024;  // cudaLimitStackSize unless the program changes it
  // By Limit: those of a program that changes none.
  std::array<uint64_t, kLimitCount> limits_ = {1024, uint64_t{8} << 20, uint64_t{1} << 20, 2048, 64, 0};
  uint64_t warp_instructions_ = 0;
  int debugged_ = 0;  // launches
};

}  // namespace hpml::sim::device
