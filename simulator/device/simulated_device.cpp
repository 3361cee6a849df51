#include "simulator/device/simulated_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "simulator/debug/debugger.hpp"
#include "simulator/device/cluster_check.hpp"
#include "simulator/device/launch_check.hpp"
#include "simulator/device/properties.hpp"

namespace hpml::sim::device {
namespace {

constexpr uint64_t kHeapBytes = 8u << 20;  // cudaLimitMallocHeapSize unless the program changes it

// "t4" -> <gpu_dir>/t4.toml; anything with a slash or ending in .toml is a path.
Result<std::string> gpu_path(const Options& options) {
  if (options.gpu.find('/') != std::string::npos || options.gpu.ends_with(".toml")) {
    return options.gpu;
  }
  HPML_TRY(const std::vector<std::string> known, timing::list_gpus(options.gpu_dir));
  if (std::find(known.begin(), known.end(), options.gpu) == known.end()) {
    std::string all;
    for (const std::string& name : known) {
      all += (all.empty() ? "" : ", ") + name;
    }
    return error_in(options.gpu_dir, fmt::format("there is no GPU '{}'{}; known: {}", options.gpu,
                                                 did_you_mean(options.gpu, known), all));
  }
  return options.gpu_dir + "/" + options.gpu + ".toml";
}

}  // namespace

Result<std::unique_ptr<Device>> Device::create(const Options& options) { return SimulatedDevice::create(options); }

Result<std::unique_ptr<Device>> SimulatedDevice::create(const Options& options) {
  HPML_TRY(const std::string path, gpu_path(options));
  HPML_TRY(timing::GpuSpec spec, timing::load_gpu(path));
  HPML_TRY(auto memory, memory::AddressSpace::create(spec.dram.size_mib << 20, options.index));
  std::unique_ptr<timing::Engine> engine;  // its caches cost more to make than a short program takes
  if (options.mode != Mode::functional) {
    HPML_TRY(engine, timing::Engine::create(spec));
  }
  return std::unique_ptr<Device>(new SimulatedDevice(options, std::move(spec), std::move(memory), std::move(engine)));
}

SimulatedDevice::SimulatedDevice(const Options& options, timing::GpuSpec spec,
                                 std::unique_ptr<memory::AddressSpace> memory, std::unique_ptr<timing::Engine> engine)
    : options_(options),
      spec_(std::move(spec)),
      properties_(properties_of(spec_)),
      memory_(std::move(memory)),
      engine_(std::move(engine)),
      unified_(spec_, memory_->managed_base(), memory::kRegionBytes),
      apertures_(*memory_, unified_),
      managed_(*memory_, unified_, options.index),
      heap_(*memory_, kHeapBytes) {
  if (engine_ != nullptr) {
    engine_->attach(&apertures_);
    unified_.tell([this](uint64_t address, uint64_t bytes) { engine_->memory_written(address, bytes); });
  }
  if (spec_.unified_memory.demand_paging) {
    unified_.limit([this] { return memory_->free_bytes(); });
  }
  constexpr int kIndependentLanes = 7;  // compute capability from which the lanes of a warp go their own ways
  if (options_.check.any()) {
    sanitizer_ =
        std::make_unique<sanitize::Sanitizer>(options_.check, *memory_, properties_.cc_major < kIndependentLanes);
  }
}

SimulatedDevice::~SimulatedDevice() = default;

Result<ModuleId> SimulatedDevice::load_module(const std::vector<ModulePart>& parts,
                                              const std::vector<CubinKernel>& cubins) {
  HPML_TRY(auto module, LoadedModule::load(parts, *memory_, spec_.limits.const_bytes));
  const auto id = static_cast<ModuleId>(modules_.size());
  for (const SymbolInfo& variable : module->managed_variables()) {
    managed_.allocated(variable.address, variable.size);
  }
  auto& ids = kernel_ids_.emplace_back();
  for (const ir::KernelHeader& header : module->program().kernels()) {
    const auto cubin =
        std::find_if(cubins.begin(), cubins.end(), [&](const CubinKernel& c) { return c.name == header.name; });
    ids[header.name] = static_cast<KernelId>(kernels_.size());
    kernels_.push_back(std::make_unique<KernelEntry>(*module, id, header, cubin == cubins.end() ? nullptr : &*cubin,
                                                     spec_, options_.debugger != nullptr));
  }
  if (options_.debugger != nullptr) {
    options_.debugger->loaded(module->program());
  }
  modules_.push_back(std::move(module));
  return id;
}

void SimulatedDevice::unload_module(ModuleId module) {
  auto& loaded = modules_[static_cast<size_t>(module)];
  if (loaded == nullptr) {
    return;
  }
  for (const SymbolInfo& variable : loaded->managed_variables()) {
    managed_.freed(variable.address);
  }
  for (const auto& [name, id] : kernel_ids_[static_cast<size_t>(module)]) {
    kernels_[static_cast<size_t>(id)].reset();
  }
  kernel_ids_[static_cast<size_t>(module)].clear();
  if (options_.debugger != nullptr) {
    options_.debugger->unloaded(loaded->program());
  }
  loaded.reset();
}

Result<void> SimulatedDevice::verify_module(ModuleId module) {
  for (const auto& [name, id] : kernel_ids_[static_cast<size_t>(module)]) {
    if (const Result<ir::Module>& code = entry(id).code(); !code.ok()) {
      return code.error();
    }
  }
  return Ok{};
}

std::vector<std::string> SimulatedDevice::kernel_names(ModuleId module) const {
  std::vector<std::string> names;
  for (const auto& [name, id] : kernel_ids_[static_cast<size_t>(module)]) {
    names.push_back(name);
  }
  return names;
}

std::optional<KernelId> SimulatedDevice::find_kernel(ModuleId module, const std::string& name) const {
  const auto& ids = kernel_ids_[static_cast<size_t>(module)];
  const auto it = ids.find(name);
  return it == ids.end() ? std::nullopt : std::optional(it->second);
}

KernelEntry& SimulatedDevice::entry(KernelId kernel) const {
  HPML_CHECK(kernel >= 0 && static_cast<size_t>(kernel) < kernels_.size() && kernels_[static_cast<size_t>(kernel)],
             fmt::format("no kernel {}", kernel));
  return *kernels_[static_cast<size_t>(kernel)];
}

const KernelInfo& SimulatedDevice::kernel(KernelId kernel) const { return entry(kernel).info(); }

std::optional<SymbolInfo> SimulatedDevice::find_symbol(ModuleId module, const std::string& name) const {
  const auto& loaded = modules_[static_cast<size_t>(module)];
  return loaded ? loaded->find_symbol(name) : std::nullopt;
}

bool SimulatedDevice::set_max_dynamic_shared(KernelId kernel, uint32_t bytes) {
  KernelEntry& k = entry(kernel);
  if (uint64_t{bytes} + k.info().static_shared > spec_.limits.shared_per_block_optin_bytes) {
    return false;
  }
  k.max_dynamic_shared = bytes;
  return true;
}

Occupancy SimulatedDevice::occupancy(KernelId kernel, int block_threads, uint64_t dynamic_shared) const {
  const KernelInfo& info = entry(kernel).info();
  if (block_threads <= 0 || block_threads > info.max_threads_per_block) {
    return {};
  }
  const uint64_t shared = info.static_shared + dynamic_shared;
  const uint64_t opted_in = entry(kernel).max_dynamic_shared;
  if (dynamic_shared > opted_in || shared > std::max(opted_in, uint64_t{spec_.limits.shared_per_block_bytes})) {
    return {};  // could not be launched (NVIDIA's occupancy calculator: the limit of the kernel's configuration)
  }
  const auto needs = needs_of(spec_, info, static_cast<uint64_t>(block_threads), dynamic_shared);
  return {.blocks_per_multiprocessor = static_cast<int>(timing::occupancy(spec_, needs).blocks_per_sm)};
}

LaunchLimits SimulatedDevice::limits_of(KernelId kernel) const {
  KernelEntry& k = entry(kernel);
  return {.kernel = k.info(), .header = k.header(), .max_dynamic_shared = k.max_dynamic_shared};
}

LaunchError SimulatedDevice::check_launch(const LaunchRequest& request) const {
  return device::check_launch(spec_, limits_of(request.kernel), in_blocks(entry(request.kernel).header(), request));
}

std::string SimulatedDevice::explain(const LaunchRequest& request) const {
  return explain_launch(spec_, limits_of(request.kernel), in_blocks(entry(request.kernel).header(), request));
}

uint64_t SimulatedDevice::active_clusters(const LaunchRequest& request) const {
  return resident_clusters(spec_, limits_of(request.kernel), request);
}

bool SimulatedDevice::set_limit(Limit limit, uint64_t bytes) {
  constexpr uint64_t kMostStack =
      512 * 1024;  // local memory of a thread (CUDA programming guide, Compute Capabilities)
  if (limit == Limit::stack_bytes) {
    if (bytes > kMostStack) {
      return false;
    }
    stack_bytes_ = static_cast<uint32_t>(bytes);
  } else if (limit == Limit::malloc_heap_bytes && !heap_.resize(bytes)) {
    return false;
  }
  limits_[static_cast<size_t>(limit)] = bytes;
  return true;
}

void SimulatedDevice::memory_written(uint64_t address, uint64_t bytes) {
  if (engine_ != nullptr) {
    engine_->memory_written(address, bytes);
  }
}

// A debugger tells from these who wrote a value that no kernel has written.
void SimulatedDevice::after_copy(const HostCopy& copy) {
  if (options_.debugger == nullptr || !copy.dst.simulated) {
    return;
  }
  const bool moved = copy.src.simulated;
  options_.debugger->host_wrote(
      {.what = moved ? fmt::format("a copy on the GPU, from {:#x}", copy.src.address) : "a copy from the host",
       .address = copy.dst.address,
       .width = copy.width,
       .pitch = copy.dst.pitch,
       .height = copy.height,
       .slice = copy.dst.slice,
       .depth = copy.depth});
}

void SimulatedDevice::after_fill(const HostFill& fill) {
  if (options_.debugger == nullptr) {
    return;
  }
  options_.debugger->host_wrote({.what = fmt::format("a fill with {:#x} (cudaMemset)", fill.value),
                                 .address = fill.dst.address,
                                 .width = fill.width * fill.element,
                                 .pitch = fill.dst.pitch,
                                 .height = fill.height,
                                 .slice = fill.dst.slice,
                                 .depth = fill.depth});
}

void SimulatedDevice::managed_allocated(uint64_t address, uint64_t bytes) { managed_.allocated(address, bytes); }

void SimulatedDevice::managed_freed(uint64_t address) { managed_.freed(address); }

void SimulatedDevice::on_host_fault(std::function<void(uint64_t, bool)> listener) {
  managed_.listen(std::move(listener));
}

// Address of the grid workspace of cooperative groups, {u32 size, u32 barrier}, zeroed (simulator_frontend section 7).
uint64_t SimulatedDevice::cooperative_workspace() {
  constexpr uint32_t kBytes = 512;
  if (workspace_ == 0) {
    workspace_ = memory_->allocate(memory::Kind::module, kBytes, "<grid workspace>");
  }
  if (workspace_ != 0) {
    std::byte* view = memory_->find(workspace_)->view;
    std::memset(view, 0, kBytes);
    std::memcpy(view, &kBytes, sizeof(kBytes));
  }
  return workspace_;
}

}  // namespace hpml::sim::device
