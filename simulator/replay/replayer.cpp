#include "simulator/replay/replayer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "simulator/replay/checks.hpp"
#include "simulator/replay/layout.hpp"
#include "simulator/replay/recording_device.hpp"

namespace hpml::sim::replay {
namespace {

Diag impossible(const std::string& what) { return error_in("<recording>", what); }

constexpr uint8_t kCopyKinds = 4, kApiCosts = 15, kLimits = 2;

bool is_shared(memory::Kind kind) {
  return kind == memory::Kind::managed || kind == memory::Kind::pinned || kind == memory::Kind::registered;
}

const char* name_of(memory::Kind kind) {
  switch (kind) {
    case memory::Kind::device: return "device";
    case memory::Kind::managed: return "managed";
    case memory::Kind::pinned: return "pinned";
    case memory::Kind::registered: return "registered";
    case memory::Kind::module: return "module";
  }
  return "?";
}

constexpr double kPicosecondsPerMicrosecond = 1e6;
double microseconds(int64_t time) { return static_cast<double>(time) / kPicosecondsPerMicrosecond; }

}  // namespace

Result<void> Replayer::run(Reader& reader) {
  HPML_TRY_VOID(reader.check_header());
  while (!complete_ && !too_large_) {
    HPML_TRY(std::optional<Event> event, reader.next());
    if (!event) {
      break;
    }
    const Result<void> done = std::visit([this](auto& record) { return apply(record); }, *event);
    if (!done.ok()) {
      return done.error();
    }
  }
  for (const auto& [index, gpu] : gpus_) {
    for (const memory::Allocation* allocation : gpu.device->memory().live()) {
      keep_content(*allocation);
    }
  }
  return Ok{};
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

// The program's variables keep their addresses: kernels may have them among their arguments.
Result<void> Replayer::map_host(uint64_t address, uint64_t bytes) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr uint64_t kMost = uint64_t{1} << 32;
  if (bytes == 0 || bytes > kMost || address < page || address > UINT64_MAX - 2 * kMost) {
    return impossible(fmt::format("{} bytes of host memory at {:#x}", bytes, address));
  }
  for (uint64_t at = address / page * page; at < address + bytes; at += page) {
    if (mapped_.contains(at)) {
      continue;
    }
    void* const wanted = reinterpret_cast<void*>(at);
    void* const got =
        mmap(wanted, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) {
      return impossible(fmt::format("host memory at {:#x} cannot be had again", at));
    }
    mapped_[at] = page;
  }
  return Ok{};
}

Result<void> Replayer::apply(Allocated& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  memory::AddressSpace& memory = owner->device->memory();
  if (event.kind == kMapOnly || event.kind == static_cast<uint8_t>(memory::Kind::registered)) {
    HPML_TRY_VOID(map_host(event.address, event.bytes));
    if (event.kind == kMapOnly || memory.register_host(reinterpret_cast<void*>(event.address), event.bytes)) {
      return Ok{};
    }
    return impossible("host memory is registered twice");
  }
  if (event.kind >= static_cast<uint8_t>(memory::Kind::registered) || event.bytes == 0) {
    return impossible("an allocation of an impossible kind or size");
  }
  const auto kind = static_cast<memory::Kind>(event.kind);
  const uint64_t address = memory.allocate(kind, event.bytes);
  if (address != event.address) {
    return impossible(fmt::format("an allocation of {} bytes lies at {:#x}, not at {:#x} as it says", event.bytes,
                                  address, event.address));
  }
  if (kind == memory::Kind::managed) {
    owner->device->managed_allocated(address, event.bytes);
    ++managed_;
  }
  allocating_ = true;
  return Ok{};
}

void Replayer::keep_content(const memory::Allocation& allocation) {
  if (is_shared(allocation.kind)) {
    transfers_.shared(name_of(allocation.kind),
                      std::string(reinterpret_cast<const char*>(allocation.view), allocation.size));
  }
}

Result<void> Replayer::apply(Freed& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  memory::AddressSpace& memory = owner->device->memory();
  const memory::Allocation* found = memory.own(event.address);
  if (found == nullptr || found->base != event.address || found->kind == memory::Kind::module) {
    return impossible(fmt::format("what is freed at {:#x} was not allocated", event.address));
  }
  keep_content(*found);
  const memory::Kind kind = found->kind;
  if (kind == memory::Kind::registered) {
    memory.unregister_host(reinterpret_cast<void*>(event.address));
    return Ok{};
  }
  if (kind == memory::Kind::managed) {
    owner->device->managed_freed(event.address);
  }
  (void)memory.free(event.address, kind);
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
  if (event.limit >= kLimits) {
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
  request.start = std::max<int64_t>(event.start, 0);
  request.params = std::as_bytes(std::span(event.params));
  if (event.params.size() != owner->device->kernel(id).param_bytes ||
      owner->device->check_launch(request) != device::LaunchError::none) {
    return impossible(fmt::format("kernel '{}' is launched as it cannot be", event.kernel.substr(0, 200)));
  }
  note_kernel(owner->device->launch(request), request.start, event.device);
  return Ok{};
}

void Replayer::note_kernel(device::LaunchResult result, int64_t start, uint8_t device) {
  ++launches_;
  result.record["start_us"] = microseconds(start);
  result.record["duration_us"] = microseconds(result.duration);
  result.record["stream"] = 0;
  result.record["device"] = device;
  kernels_.push_back(std::move(result.record));
  if (result.trap) {
    faults_.push_back(result.trap->message);
  }
}

Result<void> Replayer::apply(LibraryCalled& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  const auto found = options_.libraries.find(event.name);
  if (found == options_.libraries.end()) {
    return impossible(
        fmt::format("a call of a GPU library ('{}') that only its own process can make", event.name.substr(0, 200)));
  }
  const auto at = [this](uint64_t address, uint64_t bytes) -> Result<std::byte*> {
    HPML_TRY(const Located place, locate(address, bytes));
    return place.data;
  };
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
  return Ok{};
}

void Replayer::note_copy(const Gpu& gpu, uint8_t kind, bool pinned, const Shape& shape) {
  constexpr const char* kNames[kCopyKinds] = {"HtoH", "HtoD", "DtoH", "DtoD"};
  const uint64_t bytes = shape.width * shape.height * shape.depth;
  const int64_t time = gpu.device->copy_time(static_cast<device::CopyKind>(kind), pinned, bytes);
  copies_.push_back(
      {{"kind", kNames[kind]}, {"bytes", bytes}, {"duration_us", microseconds(time)}, {"pinned", pinned}});
}

Result<void> Replayer::apply(Uploaded& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  HPML_TRY(const Located dst, locate(event.dst, event.shape));
  if (event.kind >= kCopyKinds || event.payload.size() != event.shape.width * event.shape.height * event.shape.depth) {
    return impossible("a copy whose bytes are not all there");
  }
  transfers_.upload(event.payload, dst.offset, event.shape.width);
  scatter(event.payload, dst.data, event.dst, event.shape);
  check_host_wrote(*dst.owner->device, event.dst, event.shape);
  dst.owner->device->memory_written(event.dst.address, extent(event.dst, event.shape));
  note_copy(*by, event.kind, false, event.shape);
  return Ok{};
}

Result<void> Replayer::apply(Downloaded& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  HPML_TRY(const Located src, locate(event.src, event.shape));
  if (event.kind >= kCopyKinds) {
    return impossible("a copy of an impossible kind");
  }
  const std::string rows = gather(src.data, event.src, event.shape);
  check_host_reads(*src.owner->device, event.src, event.shape);
  transfers_.download(rows, digest_of(reinterpret_cast<const std::byte*>(rows.data()), rows.size()) == event.digest,
                      launches_);
  note_copy(*by, event.kind, src.allocation->kind == memory::Kind::pinned, event.shape);
  return Ok{};
}

Result<void> Replayer::apply(Moved& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  HPML_TRY(const Located dst, locate(event.dst, event.shape));
  HPML_TRY(const Located src, locate(event.src, event.shape));
  if (event.kind >= kCopyKinds) {
    return impossible("a copy of an impossible kind");
  }
  scatter(gather(src.data, event.src, event.shape), dst.data, event.dst, event.shape);
  check_host_wrote(*dst.owner->device, event.dst, event.shape);
  dst.owner->device->memory_written(event.dst.address, extent(event.dst, event.shape));
  const bool pinned = src.allocation->kind == memory::Kind::pinned || dst.allocation->kind == memory::Kind::pinned;
  note_copy(*by, event.kind, pinned, event.shape);
  return Ok{};
}

Result<void> Replayer::apply(Filled& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  constexpr uint64_t kMostElements = uint64_t{1} << 38;
  if ((event.element != 1 && event.element != 2 && event.element != 4) || event.shape.width > kMostElements) {
    return impossible("a fill of an impossible element");
  }
  const Shape bytes = in_bytes(event.shape, event.element);
  HPML_TRY(const Located dst, locate(event.dst, bytes));
  std::string rows(bytes.width * bytes.height * bytes.depth, '\0');
  for (uint64_t at = 0; at < rows.size(); at += event.element) {
    rows.replace(at, event.element, reinterpret_cast<const char*>(&event.value), event.element);
  }
  scatter(rows, dst.data, event.dst, bytes);
  check_host_wrote(*by->device, event.dst, bytes);
  by->device->memory_written(event.dst.address, extent(event.dst, bytes));
  fills_.push_back({{"kind", "memset"},
                    {"bytes", rows.size()},
                    {"duration_us", microseconds(by->device->memset_time(rows.size()))}});
  return Ok{};
}

Result<void> Replayer::apply(HostWrote& event) {
  if (event.payload.empty()) {
    HPML_TRY(const Located all, locate(event.address, event.zeros));
    constexpr uint64_t kMostZeros = uint64_t{1} << 20;  // they come leaf by leaf
    if (event.zeros > kMostZeros || !is_shared(all.allocation->kind)) {
      return impossible("the host writes where it cannot");
    }
    event.payload.assign(event.zeros, '\0');
  }
  HPML_TRY(const Located place, locate(event.address, event.payload.size()));
  if (!is_shared(place.allocation->kind)) {
    return impossible("the host writes to memory of a device");
  }
  transfers_.host_write(event.payload, place.offset);
  std::copy(event.payload.begin(), event.payload.end(), reinterpret_cast<char*>(place.data));
  check_host_wrote(*place.owner->device, {.address = event.address}, {.width = event.payload.size()});
  return Ok{};
}

// As the program did it, so that the page's fault is met as it was.
Result<void> Replayer::apply(HostTouched& event) {
  HPML_TRY(const Located place, locate(event.address, 1));
  if (place.allocation->kind != memory::Kind::managed) {
    return impossible("the host touches memory of a device");
  }
  auto* const byte = reinterpret_cast<unsigned char*>(event.address);
  if (event.is_write != 0) {
    __atomic_fetch_or(byte, static_cast<unsigned char>(0), __ATOMIC_RELAXED);
  } else {
    (void)__atomic_load_n(byte, __ATOMIC_RELAXED);
  }
  return Ok{};
}

Result<void> Replayer::apply(Prefetched& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  HPML_TRY(const Located place, locate(event.address, event.bytes));
  if (place.allocation->kind != memory::Kind::managed || event.bytes == 0) {
    return impossible("a prefetch of memory that is not managed");
  }
  const int64_t time = owner->device->prefetch(event.address, event.bytes, event.to_device != 0);
  prefetches_.push_back({{"kind", "prefetch"}, {"bytes", event.bytes}, {"duration_us", microseconds(time)}});
  return Ok{};
}

Result<void> Replayer::apply(Cost& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  if (event.what >= kApiCosts) {
    return impossible("a cost that does not exist");
  }
  const auto what = static_cast<device::ApiCost>(event.what);
  constexpr uint64_t kMostBytes = uint64_t{1} << 48;
  if (what != device::ApiCost::launch_to_start) {  // passes on the device, not on the host
    cost_ += owner->device->api_cost(what, std::min(event.bytes, kMostBytes));
  }
  return Ok{};
}

// The names of calls are the program's word, but not what kind of memory they gave.
Result<void> Replayer::apply(Called& event) {
  const bool says_managed = event.name.find("Managed") != std::string::npos;
  if (says_managed ? event.result == "cudaSuccess" && managed_ == 0 && event.name == "cudaMallocManaged"
                   : managed_ > 0) {
    return impossible(fmt::format("'{}' did not allocate what it says", event.name.substr(0, 200)));
  }
  managed_ = 0;
  if (const auto first = gpus_.find(0); first != gpus_.end()) {
    check_call(*first->second.device, event, api_.size() + 1);
  }
  constexpr int64_t kMostTime = int64_t{1} << 60;
  const int64_t start = std::clamp<int64_t>(event.start, 0, kMostTime);
  const int64_t claimed = std::clamp<int64_t>(event.end, start, kMostTime) - start;
  const int64_t duration = allocating_ ? cost_ : std::max(claimed, cost_);
  nlohmann::ordered_json entry = {{"name", event.name},
                                  {"start_us", microseconds(start)},
                                  {"duration_us", microseconds(duration)},
                                  {"result", event.result}};
  if (event.bytes >= 0) {
    entry["bytes"] = event.bytes;
  }
  if (!event.detail.empty()) {
    entry["detail"] = event.detail;
  }
  api_errors_ += event.result != "cudaSuccess" && event.result != "cudaErrorNotReady" ? 1 : 0;
  api_.push_back(std::move(entry));
  cost_ = 0;
  allocating_ = false;
  return Ok{};
}

Result<void> Replayer::apply(Ended& event) {
  end_ = event;
  complete_ = true;
  return Ok{};
}

Result<void> Replayer::apply(TooLarge&) {
  too_large_ = true;
  return Ok{};
}

nlohmann::ordered_json Replayer::metrics() const {
  nlohmann::ordered_json leaks = nlohmann::ordered_json::array();
  for (const auto& [index, gpu] : gpus_) {
    for (const memory::Allocation* allocation : gpu.device->memory().live()) {
      if (allocation->label.empty() && allocation->kind != memory::Kind::registered) {
        leaks.push_back({{"kind", name_of(allocation->kind)},
                         {"bytes", allocation->size},
                         {"allocation", allocation->serial},
                         {"device", index}});
      }
    }
  }
  const auto first = gpus_.find(0);
  nlohmann::ordered_json metrics;
  metrics["schema"] = "gpusim/metrics/v1";
  metrics["gpu"] = options_.gpu_names;
  metrics["mode"] = options_.mode_name;
  metrics["kernels"] = kernels_;
  metrics["memcpy"] = copies_;
  metrics["memset"] = fills_;
  metrics["prefetch"] = prefetches_;
  metrics["unified_memory"] =
      first != gpus_.end() ? first->second.device->unified_memory_record() : nlohmann::ordered_json::object();
  metrics["api"] = api_;
  metrics["api_calls"] = api_.size();
  metrics["api_errors"] = api_errors_;
  metrics["faults"] = faults_;
  metrics["leaks"] = std::move(leaks);
  metrics["end"] = end_.signal != 0 ? nlohmann::ordered_json{{"signal", end_.signal}}
                                    : nlohmann::ordered_json{{"status", end_.status}};
  metrics["simulator"] = nlohmann::ordered_json::object();
  return metrics;
}

}  // namespace hpml::sim::replay
