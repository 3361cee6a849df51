#pragma once
// A device with round numbers and no PTX: kernels are C++ functions. For tests of what the runtime itself decides.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "simulator/device/api.hpp"

namespace hpml::sim::cudart {

using device::Picoseconds;

inline constexpr Picoseconds kMicrosecond = 1'000'000;

struct FakeKernel {
  device::KernelInfo info;
  Picoseconds duration = 10 * kMicrosecond;
  double share = 1;
  std::optional<device::Trap> trap;
  std::string output;
  device::LaunchError check = device::LaunchError::none;
  std::function<void(const device::LaunchRequest&)> body;
};

class FakeDevice : public device::Device {
 public:
  explicit FakeDevice(int index = 0) : memory_(memory::AddressSpace::create(uint64_t{1} << 30, index).value()) {
    properties_.name = "Fake (simulated)";
    properties_.cc_major = 7;
    properties_.cc_minor = 5;
    properties_.multiprocessors = 40;
    properties_.max_threads_per_block = 1024;
    properties_.shared_per_block = 49152;
    properties_.shared_per_multiprocessor = 65536;
    properties_.total_memory = uint64_t{1} << 30;
    properties_.concurrent_managed_access = true;
  }

  std::map<std::string, FakeKernel> kernels;
  std::map<std::string, device::SymbolInfo> symbols;
  int launches = 0;
  std::vector<device::ModulePart> loaded;

  const device::Properties& properties() const override { return properties_; }
  memory::AddressSpace& memory() override { return *memory_; }
  Result<device::ModuleId> load_module(const std::vector<device::ModulePart>& parts,
                                       const std::vector<device::CubinKernel>&) override {
    loaded = parts;
    if (parts.at(0).ptx.find("bad") != std::string::npos) {
      return error_in("<fake>", "this PTX is bad");
    }
    return 0;
  }
  void unload_module(device::ModuleId) override {}
  std::vector<std::string> kernel_names(device::ModuleId) const override {
    std::vector<std::string> names;
    for (const auto& [name, kernel] : kernels) {
      names.push_back(name);
    }
    return names;
  }
  std::optional<device::KernelId> find_kernel(device::ModuleId, const std::string& name) const override {
    const auto it = kernels.find(name);
    return it == kernels.end() ? std::nullopt : std::optional(static_cast<int>(std::distance(kernels.begin(), it)));
  }
  const device::KernelInfo& kernel(device::KernelId id) const override { return at(id).info; }
  std::optional<device::SymbolInfo> find_symbol(device::ModuleId, const std::string& name) const override {
    const auto it = symbols.find(name);
    return it == symbols.end() ? std::nullopt : std::optional(it->second);
  }
  bool set_max_dynamic_shared(device::KernelId, uint32_t bytes) override { return bytes <= 65536; }
  device::Occupancy occupancy(device::KernelId, int threads, uint64_t shared) const override {
    const auto by_shared = static_cast<int>(shared == 0 ? 16 : 65536 / shared);
    return {std::min(1024 / threads, by_shared)};
  }
  uint64_t active_clusters(const device::LaunchRequest& request) const override {
    return request.cluster ? 8 / request.cluster->count() : 40;
  }
  device::LaunchError check_launch(const device::LaunchRequest& request) const override {
    return request.block.count() > 1024 || request.grid.count() == 0 ? device::LaunchError::invalid_configuration
                                                                     : at(request.kernel).check;
  }
  std::string explain(const device::LaunchRequest&) const override { return "kernel was not launched: too much"; }
  bool set_limit(device::Limit limit, uint64_t bytes) override {
    limits[limit] = bytes;
    return bytes < (uint64_t{1} << 40);
  }
  uint64_t limit(device::Limit limit) const override {
    const auto found = limits.find(limit);
    return found == limits.end() ? 0 : found->second;
  }
  device::LaunchResult launch(const device::LaunchRequest& request) override {
    ++launches;
    const FakeKernel& kernel = at(request.kernel);
    if (kernel.body) {
      kernel.body(request);
    }
    device::LaunchResult result;
    result.trap = kernel.trap;
    result.duration = kernel.duration;
    result.share = kernel.share;
    result.output = kernel.output;
    result.record.name = kernel.info.name;
    return result;
  }
  // A flop takes a nanosecond.
  Picoseconds library_time(const device::LibraryKernel& kernel) const override {
    return static_cast<Picoseconds>(kernel.flops) * 1000;
  }
  device::LaunchResult library_launch(const device::LibraryKernel& kernel, Picoseconds) override {
    ++launches;
    device::LaunchResult result;
    result.duration = library_time(kernel);
    result.record.name = kernel.name;
    return result;
  }
  Picoseconds copy_time(device::CopyKind, bool pinned, uint64_t bytes) const override {
    return static_cast<Picoseconds>(bytes) * (pinned ? 100 : 200);
  }
  Picoseconds memset_time(uint64_t bytes) const override { return static_cast<Picoseconds>(bytes); }
  Picoseconds api_cost(device::ApiCost what, uint64_t) const override {
    switch (what) {
      case device::ApiCost::context_create: return 1000 * kMicrosecond;
      case device::ApiCost::synchronize: return 5 * kMicrosecond;
      default: return kMicrosecond;
    }
  }
  void advise(uint64_t, uint64_t, memory::Advice, bool) override {}
  Picoseconds prefetch(uint64_t, uint64_t bytes, bool) override { return static_cast<Picoseconds>(bytes) * 100; }
  void managed_allocated(uint64_t, uint64_t) override {}
  void managed_freed(uint64_t) override {}
  Picoseconds take_host_fault_time() override { return std::exchange(host_fault_time, 0); }
  metrics::Values unified_memory_record() const override { return {}; }
  uint64_t warp_instructions() const override { return 0; }

  Picoseconds host_fault_time = 0;
  std::map<device::Limit, uint64_t> limits;

 private:
  FakeKernel& at(device::KernelId id) { return std::next(kernels.begin(), id)->second; }
  const FakeKernel& at(device::KernelId id) const { return std::next(kernels.begin(), id)->second; }

  device::Properties properties_;
  std::unique_ptr<memory::AddressSpace> memory_;
};

}  // namespace hpml::sim::cudart
