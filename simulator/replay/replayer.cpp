#include "simulator/replay/replayer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "simulator/replay/layout.hpp"
#include "simulator/replay/replayer_terms.hpp"

namespace hpml::sim::replay {
namespace {

// A name comes from a recording, and goes into a report.
bool is_function_name(const std::string& name) {
  constexpr size_t kMost = 100;
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && name.size() <= kMost && std::ranges::all_of(name, allowed);
}

// Of what an exercise asks for there are some hundreds; each is an entry in memory, and in a file that the grader
// reads.
constexpr size_t kMostCalls = 200'000, kMostLaunches = 10'000;

bool is_too_large(const metrics::Document& document) {
  const size_t copies = document.memcpy.size() + document.memset.size() + document.prefetch.size();
  return document.api.size() + copies > kMostCalls || document.kernels.size() > kMostLaunches;
}

constexpr auto kLastLimit = static_cast<uint8_t>(device::Limit::malloc_heap_bytes);

}  // namespace

Result<void> Replayer::run(Reader& reader) {
  HPML_TRY_VOID(reader.check_header());
  while (!complete_ && !too_large_ && unrepeatable_.empty()) {
    HPML_TRY(std::optional<Event> event, reader.next());
    if (!event) {
      break;
    }
    const Result<void> done = std::visit([this](auto& record) { return apply(record); }, *event);
    if (!done.ok()) {
      return done.error();
    }
    too_large_ = too_large_ || is_too_large(document_);
  }
  for (const memory::Allocation* allocation : live()) {
    keep_content(*allocation);
  }
  return Ok{};
}

std::vector<const memory::Allocation*> Replayer::live() const {
  std::vector<const memory::Allocation*> all;
  for (const auto& [index, gpu] : gpus_) {
    const auto some = gpu.device->memory().live();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

CheckResult Replayer::findings() const {
  CheckResult all;
  for (const auto& [index, gpu] : gpus_) {
    CheckResult one = take_findings(*gpu.device);
    all.errors += one.errors;
    all.text.insert(all.text.end(), one.text.begin(), one.text.end());
  }
  return all;
}

Result<Replayer::Gpu*> Replayer::gpu(uint8_t index) {
  const auto found = gpus_.find(index);
  if (found == gpus_.end()) {
    return impossible(fmt::format("work for GPU {}, which was never used", index));
  }
  return &found->second;
}

Result<device::KernelId> Replayer::kernel(uint8_t index, uint32_t module, const std::string& name) {
  HPML_TRY(Gpu* const owner, gpu(index));
  const bool there = module < owner->modules.size() && !owner->unloaded[module];
  const auto found = there ? owner->device->find_kernel(owner->modules[module], name) : std::nullopt;
  if (!found) {
    return impossible(fmt::format("kernel '{}' is in no module that is loaded", name.substr(0, 200)));
  }
  return *found;
}

Result<Replayer::Located> Replayer::locate(uint64_t address, uint64_t bytes) {
  for (auto& [index, gpu] : gpus_) {
    const memory::Allocation* found = gpu.device->memory().own(address);
    if (found != nullptr && found->contains(address, bytes)) {
      const uint64_t offset = address - found->base;
      return Located{.allocation = found, .owner = &gpu, .data = found->view + offset, .offset = offset};
    }
  }
  return impossible(fmt::format("{} bytes at {:#x} are in no allocation", bytes, address));
}

Result<Replayer::Located> Replayer::locate(const Side& side, const Shape& shape) {
  if (!is_sane(side, shape)) {
    return impossible("a copy or a fill of an impossible shape");
  }
  return locate(side.address, extent(side, shape));
}

Result<void> Replayer::apply(DeviceMade& event) {
  if (event.device >= options_.devices.size() || gpus_.contains(event.device)) {
    return impossible(fmt::format("GPU {} is made, of {}", event.device, options_.devices.size()));
  }
  HPML_TRY(auto made, device::Device::create(options_.devices[event.device]));
  for (auto& [index, other] : gpus_) {
    other.device->memory().attach(made->memory());
    made->memory().attach(other.device->memory());
  }
  gpus_[event.device].device = std::move(made);
  return Ok{};
}

Result<void> Replayer::apply(PeerEnabled& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  HPML_TRY(Gpu* const peer, gpu(event.peer));
  owner->device->memory().enable_peer(peer->device->memory(), event.enabled != 0);
  return Ok{};
}

Result<void> Replayer::check_code(const ModuleLoaded& event) const {
  if (options_.code == nullptr) {
    return Ok{};
  }
  for (const std::string& text : event.ptx) {
    if (!options_.code->has_ptx(text)) {
      return impossible("it runs device code that is not in the program");
    }
  }
  for (const Resources& resources : event.resources) {
    if (!options_.code->has(resources)) {
      return impossible(
          fmt::format("registers of kernel '{}' are not those in the program", resources.name.substr(0, 200)));
    }
  }
  return Ok{};
}

Result<void> Replayer::apply(ModuleLoaded& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  HPML_TRY_VOID(check_code(event));
  std::vector<device::ModulePart> parts;
  for (std::string& text : event.ptx) {
    if (options_.rewrite) {
      HPML_TRY(text, options_.rewrite(std::move(text)));
    }
    parts.push_back({.ptx = std::move(text), .name = fmt::format("<device code {}>", parts.size() + 1)});
  }
  for (const Shadow& shadow : event.shadows) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    if (!parts.empty() && mapped_.contains(shadow.address / page * page)) {
      parts.front().shadows[shadow.name] = reinterpret_cast<void*>(shadow.address);
    }
  }
  std::vector<device::CubinKernel> cubins;
  for (const Resources& r : event.resources) {
    constexpr uint32_t kMostRegisters = 255;
    if (r.registers > kMostRegisters) {
      return impossible("a kernel with more than 255 registers");
    }
    cubins.push_back({.name = r.name,
                      .sm = static_cast<int>(r.sm),
                      .registers = static_cast<int>(r.registers),
                      .static_shared = r.shared});
  }
  HPML_TRY(const device::ModuleId module, owner->device->load_module(parts, cubins));
  owner->modules.push_back(module);
  owner->unloaded.push_back(false);
  return Ok{};
}

Result<void> Replayer::apply(ModuleUnloaded& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  if (event.module >= owner->modules.size() || owner->unloaded[event.module]) {
    return impossible("a module is unloaded that is not loaded");
  }
  owner->unloaded[event.module] = true;
  owner->device->unload_module(owner->modules[event.module]);
  return Ok{};
}

Result<void> Replayer::apply(SharedRaised& event) {
  HPML_TRY(const device::KernelId id, kernel(event.device, event.module, event.kernel));
  HPML_TRY(Gpu* const owner, gpu(event.device));
  (void)owner->device->set_max_dynamic_shared(id, event.bytes);
  return Ok{};
}

Result<void> Replayer::apply(LimitSet& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  if (event.limit > kLastLimit) {
    return impossible("a limit that does not exist");
  }
  (void)owner->device->set_limit(static_cast<device::Limit>(event.limit), event.bytes);
  return Ok{};
}

Result<void> Replayer::apply(Launched& event) {
  HPML_TRY(const device::KernelId id, kernel(event.device, event.module, event.kernel));
  HPML_TRY(Gpu* const owner, gpu(event.device));
  device::LaunchRequest request{.kernel = id, .grid = event.grid, .block = event.block, .params = {}};
  request.dynamic_shared = event.shared;
  request.cooperative = event.cooperative != 0;
  request.non_portable_cluster = event.non_portable_cluster != 0;
  if (event.cluster.x != 0) {
    request.cluster = event.cluster;
  }
  request.start = std::max<int64_t>(event.start, 0);
  request.params = std::as_bytes(std::span(event.params));
  if (event.params.size() != owner->device->kernel(id).param_bytes ||
      owner->device->check_launch(request) != device::LaunchError::none) {
    return impossible(fmt::format("kernel '{}' is launched as it cannot be", event.kernel.substr(0, 200)));
  }
  if (!transfers_.tell(event.kernel, event.params + bytes_of(event.grid, event.block, event.shared))) {
    return told_too_much();
  }
  warm_up_.before(WarmUp::Step::launch, live());
  note_kernel(owner->device->launch(request), request.start, event.device);
  warm_up_.after(WarmUp::Step::launch, live());
  return Ok{};
}

void Replayer::note_kernel(device::LaunchResult result, int64_t start, uint8_t device) {
  ++launches_;
  metrics::Kernel& kernel = document_.kernels.emplace_back(std::move(result.record));
  kernel.start_us = metrics::microseconds(start);
  kernel.duration_us = metrics::microseconds(result.duration);
  kernel.device = device;
  if (result.trap) {
    document_.faults.push_back(result.trap->message);
  }
}

Result<void> Replayer::apply(LibraryCalled& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  const auto found = options_.libraries.find(event.name);
  if (found == options_.libraries.end()) {
    if (!is_function_name(event.name)) {
      return impossible("a call of a GPU library that does not exist");
    }
    unrepeatable_ = event.name;
    return Ok{};
  }
  if (!transfers_.tell(event.name, event.arguments)) {
    return told_too_much();
  }
  const auto at = [this](uint64_t address, uint64_t bytes) -> Result<std::byte*> {
    HPML_TRY(const Located place, locate(address, bytes));
    return place.data;
  };
  warm_up_.before(WarmUp::Step::launch, live());
  HPML_TRY(const LibraryResult made, found->second(event.arguments, owner->device->properties(), at));
  int64_t start = std::max<int64_t>(event.start, 0);
  for (const device::LibraryKernel& kernel : made.kernels) {
    device::LaunchResult result = owner->device->library_launch(kernel, start);
    const int64_t duration = result.duration;
    note_kernel(std::move(result), start, event.device);
    start += duration;
  }
  if (made.output_bytes > 0) {
    check_host_wrote(*owner->device, {.address = made.output}, {.width = made.output_bytes});
    owner->device->memory_written(made.output, made.output_bytes);
  }
  warm_up_.after(WarmUp::Step::launch, live());
  return Ok{};
}

Result<void> Replayer::apply(Ended& event) {
  document_.end = {.status = event.status, .signal = event.signal};
  complete_ = true;
  return Ok{};
}

Result<void> Replayer::apply(TooLarge&) {
  too_large_ = true;
  return Ok{};
}

}  // namespace hpml::sim::replay
