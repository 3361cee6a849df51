#include "simulator/cudart/runtime/context.hpp"

#include <fmt/format.h>
#include <stdio.h>

#include <utility>

namespace hpml::sim::cudart {

namespace {
constexpr uintptr_t kLegacyHandle = 1;     // cudaStreamLegacy
constexpr uintptr_t kPerThreadHandle = 2;  // cudaStreamPerThread
}  // namespace

void say(const std::string& line) { fmt::print(stderr, "gpusim: {}\n", line); }

Context::Context(int ordinal, std::unique_ptr<device::Device> device, const Config& config, HostClock& clock, Log& log)
    : ordinal_(ordinal), device_(std::move(device)), config_(config), clock_(clock), log_(log) {}

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
  auto event = std::make_unique<Event>(Event{.flags = flags});
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
  for (const PendingOutput& part : output) {  // in the order of the launches, as one device buffer would give it
    if (part.time <= clock_.now()) {
      fwrite(part.text.data(), 1, part.text.size(), stdout);
    }
  }
  std::erase_if(output, [&](const PendingOutput& part) { return part.time <= clock_.now(); });
  return error();
}

LoadedModule Context::module(RegisteredFatbin& fatbin) {
  if (const auto it = modules_.find(&fatbin); it != modules_.end()) {
    return it->second;
  }
  LoadedModule loaded = load(fatbin);
  if (loaded.error != Error::success && fatbin.wrapper != nullptr) {  // else the loading call tells why
    say(loaded.message);
  }
  if (loaded.error == Error::success && !fatbin.managed_ready) {
    loaded.error = fill_managed(fatbin, loaded.id);
    fatbin.managed_ready = true;
  }
  modules_[&fatbin] = loaded;
  return loaded;
}

void Context::forget_module(const RegisteredFatbin& fatbin) {
  const auto found = modules_.find(&fatbin);
  if (found != modules_.end()) {
    if (found->second.error == Error::success) {
      device_->unload_module(found->second.id);
    }
    modules_.erase(found);
  }
}

void Context::forget_modules() {
  for (const auto& [fatbin, loaded] : modules_) {
    if (loaded.error == Error::success) {
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
