#include "simulator/replay/recording_device.hpp"

#include "simulator/replay/layout.hpp"

namespace hpml::sim::replay {
namespace {

Side side_of(const device::CopySide& side) {
  return {.address = side.address, .pitch = side.pitch, .slice = side.slice};
}

template <class Work>
Shape shape_of(const Work& work) {
  return {.width = work.width, .height = work.height, .depth = work.depth};
}

}  // namespace

RecordingDevice::RecordingDevice(Recorder& recorder, std::unique_ptr<device::Device> device, int index)
    : recorder_(recorder), device_(std::move(device)), index_(static_cast<uint8_t>(index)) {
  recorder_.write(DeviceMade{index_});
  device_->memory().observe(this);
  device_->on_host_fault([this](uint64_t address, bool is_write) {
    recorder_.write(HostTouched{address, static_cast<uint8_t>(is_write)});
  });
}

void RecordingDevice::allocated(const memory::Allocation& allocation) {
  recorder_.host_memory().added(allocation);
  const bool host = allocation.kind == memory::Kind::registered;
  if (inside_ == 0 || host) {
    recorder_.write(Allocated{.device = index_,
                              .kind = inside_ == 0 ? static_cast<uint8_t>(allocation.kind) : kMapOnly,
                              .address = allocation.base,
                              .bytes = allocation.size});
  }
}

void RecordingDevice::freed(const memory::Allocation& allocation) {
  recorder_.note_host_writes(allocation.base, allocation.size);
  recorder_.host_memory().removed(allocation.base);
  if (inside_ == 0) {
    recorder_.write(Freed{index_, static_cast<uint8_t>(allocation.kind), allocation.base});
  }
}

void RecordingDevice::peer_enabled(const memory::AddressSpace& peer, bool enabled) {
  recorder_.write(PeerEnabled{index_, static_cast<uint8_t>(peer.index()), static_cast<uint8_t>(enabled)});
}

Result<device::ModuleId> RecordingDevice::load_module(const std::vector<device::ModulePart>& parts,
                                                      const std::vector<device::CubinKernel>& cubins) {
  recorder_.note_host_writes();
  ++inside_;
  auto module = device_->load_module(parts, cubins);
  --inside_;
  if (!module.ok()) {
    return module;
  }
  recorder_.host_memory().forget();  // what the module has initialised
  ModuleLoaded event{.device = index_, .ptx = {}, .shadows = {}, .resources = {}};
  for (const device::ModulePart& part : parts) {
    event.ptx.push_back(part.ptx);
    for (const auto& [name, address] : part.shadows) {
      event.shadows.push_back({name, reinterpret_cast<uint64_t>(address)});
    }
  }
  for (const device::CubinKernel& cubin : cubins) {
    event.resources.push_back(
        {cubin.name, static_cast<uint32_t>(cubin.sm), static_cast<uint32_t>(cubin.registers), cubin.static_shared});
  }
  recorder_.write(std::move(event));
  return module;
}

void RecordingDevice::unload_module(device::ModuleId module) {
  recorder_.write(ModuleUnloaded{index_, static_cast<uint32_t>(module)});
  ++inside_;
  device_->unload_module(module);
  --inside_;
}

std::optional<device::KernelId> RecordingDevice::find_kernel(device::ModuleId module, const std::string& name) const {
  const auto kernel = device_->find_kernel(module, name);
  if (kernel) {
    kernels_[*kernel] = {module, name};
  }
  return kernel;
}

bool RecordingDevice::set_max_dynamic_shared(device::KernelId kernel, uint32_t bytes) {
  const auto& [module, name] = name_of(kernel);
  recorder_.write(SharedRaised{index_, static_cast<uint32_t>(module), name, bytes});
  return device_->set_max_dynamic_shared(kernel, bytes);
}

bool RecordingDevice::set_limit(device::Limit limit, uint64_t bytes) {
  recorder_.write(LimitSet{index_, static_cast<uint8_t>(limit), bytes});
  ++inside_;
  const bool done = device_->set_limit(limit, bytes);
  --inside_;
  return done;
}

device::LaunchResult RecordingDevice::launch(const device::LaunchRequest& request) {
  recorder_.note_host_writes();
  const auto& [module, name] = name_of(request.kernel);
  Launched event;
  event.device = index_;
  event.module = static_cast<uint32_t>(module);
  event.kernel = name;
  event.grid = request.grid;
  event.block = request.block;
  event.shared = request.dynamic_shared;
  event.cooperative = static_cast<uint8_t>(request.cooperative);
  event.non_portable_cluster = static_cast<uint8_t>(request.non_portable_cluster);
  event.cluster = request.cluster.value_or(event.cluster);
  event.start = request.start;
  event.params.assign(reinterpret_cast<const char*>(request.params.data()), request.params.size());
  recorder_.write(std::move(event));
  ++inside_;
  device::LaunchResult result = device_->launch(request);
  --inside_;
  recorder_.host_memory().forget();
  return result;
}

device::Picoseconds RecordingDevice::api_cost(device::ApiCost what, uint64_t bytes) const {
  recorder_.write(Cost{index_, static_cast<uint8_t>(what), bytes});
  return device_->api_cost(what, bytes);
}

void RecordingDevice::before_copy(const device::HostCopy& copy) {
  const Shape shape = shape_of(copy);
  const auto kind = static_cast<uint8_t>(copy.kind);
  for (const device::CopySide* side : {&copy.dst, &copy.src}) {
    if (side->simulated) {
      recorder_.note_host_writes(side->address, extent(side_of(*side), shape));
    }
  }
  if (copy.dst.simulated && copy.src.simulated) {
    recorder_.write(Moved{index_, kind, side_of(copy.dst), side_of(copy.src), shape});
  } else if (copy.dst.simulated) {
    recorder_.write(Uploaded{index_, kind, side_of(copy.dst), shape, gather(copy.src.data, side_of(copy.src), shape)});
  } else if (copy.src.simulated) {
    const std::string rows = gather(copy.src.data, side_of(copy.src), shape);
    recorder_.write(Downloaded{index_, kind, side_of(copy.src), shape,
                               digest_of(reinterpret_cast<const std::byte*>(rows.data()), rows.size())});
  }
}

void RecordingDevice::after_copy(const device::HostCopy& copy) {
  if (copy.dst.simulated) {
    recorder_.host_memory().forget(copy.dst.address, extent(side_of(copy.dst), shape_of(copy)));
  }
}

void RecordingDevice::before_fill(const device::HostFill& fill) {
  recorder_.note_host_writes(fill.dst.address, extent(side_of(fill.dst), in_bytes(shape_of(fill), fill.element)));
  recorder_.write(Filled{index_, side_of(fill.dst), shape_of(fill), fill.value, fill.element});
}

void RecordingDevice::after_fill(const device::HostFill& fill) {
  recorder_.host_memory().forget(fill.dst.address, extent(side_of(fill.dst), in_bytes(shape_of(fill), fill.element)));
}

// An operation of several kernels is written once, before the first: nothing else happens in between.
void RecordingDevice::before_library(const device::LibraryOperation& operation, device::Picoseconds start) {
  recorder_.note_host_writes();
  if (operation.part == 0) {
    recorder_.write(LibraryCalled{index_, operation.name, operation.arguments, start});
  }
}

void RecordingDevice::advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set) {
  recorder_.note_host_writes();
  recorder_.write(Advised{index_, address, bytes, static_cast<uint8_t>(advice), static_cast<uint8_t>(set)});
  device_->advise(address, bytes, advice, set);
}

device::Picoseconds RecordingDevice::prefetch(uint64_t address, uint64_t bytes, bool to_device) {
  recorder_.note_host_writes();
  recorder_.write(Prefetched{index_, address, bytes, static_cast<uint8_t>(to_device)});
  return device_->prefetch(address, bytes, to_device);
}

}  // namespace hpml::sim::replay
