#pragma once
// A device that writes down what it is asked for. Questions go through untouched.
#include <map>
#include <utility>

#include "simulator/replay/recorder.hpp"

namespace hpml::sim::replay {

// Kind of an Allocated event: host memory that a module registers itself when it is loaded.
inline constexpr uint8_t kMapOnly = 255;

class RecordingDevice final : public device::Device, private memory::AllocationObserver {
 public:
  RecordingDevice(Recorder& recorder, std::unique_ptr<device::Device> device, int index);
  ~RecordingDevice() override { device_->memory().observe(nullptr); }

  const device::Properties& properties() const override { return device_->properties(); }
  memory::AddressSpace& memory() override { return device_->memory(); }

  Result<device::ModuleId> load_module(const std::vector<device::ModulePart>& parts,
                                       const std::vector<device::CubinKernel>& cubins) override;
  void unload_module(device::ModuleId module) override;
  Result<void> verify_module(device::ModuleId module) override { return device_->verify_module(module); }
  std::vector<std::string> kernel_names(device::ModuleId module) const override {
    return device_->kernel_names(module);
  }
  std::optional<device::KernelId> find_kernel(device::ModuleId module, const std::string& name) const override;
  const device::KernelInfo& kernel(device::KernelId kernel) const override { return device_->kernel(kernel); }
  std::optional<device::SymbolInfo> find_symbol(device::ModuleId module, const std::string& name) const override {
    return device_->find_symbol(module, name);
  }

  bool set_max_dynamic_shared(device::KernelId kernel, uint32_t bytes) override;
  device::Occupancy occupancy(device::KernelId kernel, int block_threads, uint64_t dynamic_shared) const override {
    return device_->occupancy(kernel, block_threads, dynamic_shared);
  }
  uint64_t active_clusters(const device::LaunchRequest& request) const override {
    return device_->active_clusters(request);
  }
  device::LaunchError check_launch(const device::LaunchRequest& request) const override {
    return device_->check_launch(request);
  }
  std::string explain(const device::LaunchRequest& request) const override { return device_->explain(request); }
  bool set_limit(device::Limit limit, uint64_t bytes) override;
  uint64_t limit(device::Limit limit) const override { return device_->limit(limit); }
  device::LaunchResult launch(const device::LaunchRequest& request) override;
  device::Picoseconds library_time(const device::LibraryKernel& kernel) const override {
    return device_->library_time(kernel);
  }
  device::LaunchResult library_launch(const device::LibraryKernel& kernel, device::Picoseconds start) override {
    return device_->library_launch(kernel, start);
  }

  device::Picoseconds copy_time(device::CopyKind kind, bool pinned, uint64_t bytes) const override {
    return device_->copy_time(kind, pinned, bytes);
  }
  device::Picoseconds memset_time(uint64_t bytes) const override { return device_->memset_time(bytes); }
  device::Picoseconds api_cost(device::ApiCost what, uint64_t bytes) const override;

  void memory_written(uint64_t address, uint64_t bytes) override { device_->memory_written(address, bytes); }
  void before_copy(const device::HostCopy& copy) override;
  void after_copy(const device::HostCopy& copy) override;
  void before_fill(const device::HostFill& fill) override;
  void after_fill(const device::HostFill& fill) override;
  void before_library(const device::LibraryOperation& operation, device::Picoseconds start) override;
  void after_library() override { recorder_.host_memory().forget(); }

  device::Picoseconds prefetch(uint64_t address, uint64_t bytes, bool to_device) override;
  void advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set) override;
  void managed_allocated(uint64_t address, uint64_t bytes) override { device_->managed_allocated(address, bytes); }
  void managed_freed(uint64_t address) override { device_->managed_freed(address); }
  device::Picoseconds take_host_fault_time() override { return device_->take_host_fault_time(); }
  metrics::Values unified_memory_record() const override { return device_->unified_memory_record(); }

  sanitize::Sanitizer* sanitizer() override { return device_->sanitizer(); }
  uint64_t warp_instructions() const override { return device_->warp_instructions(); }

 private:
  void allocated(const memory::Allocation& allocation) override;
  void freed(const memory::Allocation& allocation) override;
  void peer_enabled(const memory::AddressSpace& peer, bool enabled) override;
  const std::pair<device::ModuleId, std::string>& name_of(device::KernelId kernel) const { return kernels_.at(kernel); }

  Recorder& recorder_;
  std::unique_ptr<device::Device> device_;
  uint8_t index_;
  int inside_ = 0;  // > 0: the device allocates for itself, and will do so again
  mutable std::map<device::KernelId, std::pair<device::ModuleId, std::string>> kernels_;
};

}  // namespace hpml::sim::replay
