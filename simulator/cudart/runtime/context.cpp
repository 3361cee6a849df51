#include "simulator/cudart/runtime/context.hpp"

#include <fmt/format.h>
#include <stdio.h>

#include <algorithm>
#include <utility>

#include "simulator/cudart/runtime/advice.hpp"
#include "simulator/cudart/runtime/graph.hpp"
#include "simulator/cudart/runtime/linked_units.hpp"
#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

namespace {
constexpr uintptr_t kLegacyHandle = 1;     // cudaStreamLegacy
constexpr uintptr_t kPerThreadHandle = 2;  // cudaStreamPerThread
}  // namespace

void Context::warn_of_stray_access(const std::string& access) {
  if (!std::exchange(stray_access_said_, true)) {
    say(stray_access_warning(access));
  }
}

void say(const std::string& line) { fmt::print(stderr, "gpusim: {}\n", line); }

Context::Context(int ordinal, std::unique_ptr<device::Device> device, const Config& config, HostClock& clock, Log& log)
    : ordinal_(ordinal), device_(std::move(device)), config_(config), clock_(clock), log_(log) {
  current_pool_ = add_pool();
}

Stream* Context::stream(const void* handle) {
  const auto value = reinterpret_cast<uintptr_t>(handle);
  if (value == 0 || value == kLegacyHandle) {
    return &timeline_.legacy();
  }
  if (value == kPerThreadHandle) {  // made at first use: stream ids count what the program made
    if (per_thread_stream_ == nullptr) {
      per_thread_stream_ = &timeline_.create(false, 0, 0);
    }
    return per_thread_stream_;
  }
  auto* stream = static_cast<Stream*>(const_cast<void*>(handle));
  return timeline_.owns(stream) ? stream : nullptr;
}

void Context::set_fault(PendingFault fault) {
  if (!fault_) {
    fault_ = fault;
  }
}

Event* Context::create_event(unsigned flags) {
  auto event = std::make_unique<Event>(Event{.flags = flags, .context = this});
  Event* const handle = event.get();
  events_.emplace(handle, std::move(event));
  return handle;
}

Event* Context::event(const void* handle) {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second.get();
}

Error Context::error() { return fault_ && clock_.now() >= fault_->time ? fault_->error : Error::success; }

Error Context::wait_until(Picoseconds time) {
  clock_.advance_to(time);
  for (const auto& pool : pools_) {
    pool->synchronized();
  }
  show_due(clock_.now(), false);
  return error();
}

Error Context::synchronize(Picoseconds time) {
  const bool waits = time > clock_.now();
  const Error error = wait_until(time);
  clock_.advance(device().api_cost(waits ? device::ApiCost::synchronize : device::ApiCost::query, 0));
  return error;
}

// The device's buffer for printf is a ring: when it is full, the oldest text is lost (CUDA programming guide,
// "Formatted Output"). Its size is counted in bytes of text here, on hardware in bytes of packed arguments.
void Context::add_output(Picoseconds time, std::string text) {
  constexpr int kPrintfFifo = 1;  // cudaLimitPrintfFifoSize
  constexpr uint64_t kDefaultBytes = uint64_t{1} << 20;
  const auto limit = limits.find(kPrintfFifo);
  const uint64_t room = limit == limits.end() ? kDefaultBytes : limit->second;
  output.push_back({.time = time, .text = std::move(text)});
  pending_text_ += output.back().text.size();
  for (PendingOutput& part : output) {
    if (pending_text_ <= room) {
      break;
    }
    if (part.to_stderr) {
      continue;
    }
    const uint64_t excess = std::min<uint64_t>(pending_text_ - room, part.text.size());
    const size_t line_end = part.text.find('\n', excess > 0 ? excess - 1 : 0);
    const size_t lost = line_end == std::string::npos ? part.text.size() : line_end + 1;
    part.text.erase(0, lost);
    pending_text_ -= lost;
  }
}

void Context::forget_handles() {
  for (Stream* stream : timeline_.streams()) {
    if (stream->id != 0) {
      timeline_.destroy(*stream);
    }
  }
  per_thread_stream_ = nullptr;
  events_.clear();
  arrays_.clear();
  pyramids_.clear();
  opened_memory.clear();
  pools_.resize(1);
  current_pool_ = pools_.front().get();
  const int ordinal = pools_.front()->ordinal;
  *pools_.front() = MemPool();
  pools_.front()->ordinal = ordinal;
  hints = {};
  function_settings.clear();
}

void Context::run_host_functions(Picoseconds until) { show_due(until, true); }

bool Context::has_host_functions() const {
  return std::ranges::any_of(output, [](const PendingOutput& part) { return part.host_function != nullptr; });
}

// In the order of the launches, as one device buffer would give it. A host function may call the runtime again, so the
// list is taken apart before anything of it runs.
void Context::show_due(Picoseconds until, bool host_functions_only) {
  std::vector<PendingOutput> due;
  std::erase_if(output, [&](PendingOutput& part) {
    const bool take = part.time <= until && (!host_functions_only || part.host_function != nullptr);
    if (take) {
      due.push_back(std::move(part));
    }
    return take;
  });
  for (const PendingOutput& part : due) {
    if (part.host_function != nullptr) {
      part.host_function();
    } else {
      pending_text_ -= part.to_stderr ? 0 : part.text.size();
      fwrite(part.text.data(), 1, part.text.size(), part.to_stderr ? stderr : stdout);
    }
  }
}

MemPool* Context::add_pool() {
  pools_.push_back(std::make_unique<MemPool>());
  pools_.back()->ordinal = ordinal_;
  return pools_.back().get();
}

MemPool* Context::pool(const void* handle) const {
  const auto found = std::ranges::find(pools_, handle, [](const auto& owned) { return owned.get(); });
  return found == pools_.end() ? nullptr : found->get();
}

MemPool* Context::pool_of(uint64_t address) const {
  const auto found = std::ranges::find_if(pools_, [&](const auto& p) { return p->allocations.contains(address); });
  return found == pools_.end() ? nullptr : found->get();
}

void Context::destroy_pool(const MemPool& pool) {
  if (current_pool_ == &pool) {
    current_pool_ = &default_pool();
  }
  std::erase_if(pools_, [&](const auto& owned) { return owned.get() == &pool; });
}

GraphMemory* Context::graph_memory(const void* pointer) const {
  const auto found = graph_memory_.find(reinterpret_cast<uint64_t>(pointer));
  return found == graph_memory_.end() ? nullptr : found->second;
}

std::shared_ptr<GraphMemory> Context::new_graph_memory(uint64_t bytes) {
  const uint64_t address = bytes > 0 ? memory().allocate(memory::Kind::device, bytes) : 0;
  if (address == 0) {
    return nullptr;
  }
  auto made = std::make_shared<GraphMemory>(*this, address, bytes);
  graph_memory_[address] = made.get();
  return made;
}

uint64_t Context::graph_bytes(bool live_only) const {
  uint64_t bytes = 0;
  for (const auto& [address, memory] : graph_memory_) {
    bytes += memory->live || !live_only ? memory->bytes() : 0;
  }
  return bytes;
}

Array* Context::array(const void* handle) const {
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : found->second.get();
}

Array* Context::add_array(const Array& array) {
  auto owned = std::make_unique<Array>(array);
  Array* const handle = owned.get();
  arrays_.emplace(handle, std::move(owned));
  return handle;
}

Pyramid* Context::pyramid(const void* handle) const {
  const auto found = pyramids_.find(handle);
  return found == pyramids_.end() ? nullptr : found->second.get();
}

Pyramid* Context::add_pyramid(const Pyramid& pyramid) {
  auto owned = std::make_unique<Pyramid>(pyramid);
  Pyramid* const handle = owned.get();
  pyramids_.emplace(handle, std::move(owned));
  return handle;
}

void Context::destroy_pyramid(const Pyramid& pyramid) {
  for (const Array* level : pyramid.levels) {
    destroy_array(*level);
  }
  pyramids_.erase(&pyramid);
}

LoadedModule Context::module(RegisteredFatbin& fatbin) {
  if (const auto it = modules_.find(&fatbin); it != modules_.end()) {
    return it->second;
  }
  const std::vector<RegisteredFatbin*> units = units_linked_with(Runtime::get().registry, fatbin);
  LoadedModule loaded = load(units);
  if (loaded.error != Error::success && fatbin.wrapper != nullptr) {  // else the loading call tells why
    say(loaded.message);
  }
  for (RegisteredFatbin* unit : units) {
    if (loaded.error == Error::success && !unit->managed_ready) {
      loaded.error = fill_managed(*unit, loaded.id);
      unit->managed_ready = true;
    }
  }
  for (const RegisteredFatbin* unit : units) {
    modules_[unit] = loaded;
  }
  return loaded;
}

void Context::forget_module(const RegisteredFatbin& fatbin) {
  const auto found = modules_.find(&fatbin);
  if (found != modules_.end()) {
    const LoadedModule loaded = found->second;
    modules_.erase(found);
    const bool shared = std::ranges::any_of(modules_, [&](const auto& other) { return other.second.id == loaded.id; });
    if (loaded.error == Error::success && !shared) {
      device_->unload_module(loaded.id);
    }
  }
}

void Context::forget_modules() {
  std::set<device::ModuleId> unloaded;
  for (const auto& [fatbin, loaded] : modules_) {
    if (loaded.error == Error::success && unloaded.insert(loaded.id).second) {
      device_->unload_module(loaded.id);
    }
  }
  modules_.clear();
}

// The program reads and writes a __managed__ variable through a pointer that points to the device's copy of it.
Error Context::fill_managed(RegisteredFatbin& fatbin, device::ModuleId module) {
  for (const RegisteredVariable& variable : fatbin.managed) {
    const auto symbol = device_->find_symbol(module, variable.name);
    if (!symbol) {
      say(fmt::format("managed variable '{}' is not in the PTX of its fat binary", variable.name));
      return Error::invalid_symbol;
    }
    *variable.managed_pointer = reinterpret_cast<void*>(symbol->address);
  }
  return Error::success;
}

}  // namespace hpml::sim::cudart
