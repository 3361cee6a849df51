#include "simulator/cudart/runtime/runtime.hpp"

#include <algorithm>
#include <utility>

#include "common/base/check.hpp"
#include "simulator/cudart/runtime/advice.hpp"
#include "simulator/cudart/runtime/held_work.hpp"
#include "simulator/cudart/runtime/host_function_thread.hpp"
#include "simulator/cudart/runtime/launch_thread.hpp"
#include "simulator/cudart/runtime/place.hpp"
#include "simulator/memory/address_space.hpp"

namespace hpml::sim::cudart {
namespace {

// Each read of a host clock takes a little time, so that busy-wait loops end and two reads never coincide.
constexpr Picoseconds kClockReadCost = 25'000;
constexpr Picoseconds kPicosecondsPerNanosecond = 1000;

Runtime* instance = nullptr;

}  // namespace

ThreadState& this_thread() {
  thread_local ThreadState state;
  return state;
}

Runtime::Runtime(Config given, DeviceFactory factory)
    : config(std::move(given)),
      context_handles(device_count()),
      factory_(std::move(factory)),
      contexts_(config.gpus.size()),
      failed_(config.gpus.size()) {}

Runtime& Runtime::get() {
  HPML_CHECK(instance != nullptr, "the runtime was called before its library was started");
  return *instance;
}

Runtime* Runtime::replace(Runtime* runtime) { return std::exchange(instance, runtime); }

Context* Runtime::device(int ordinal) {
  const auto index = static_cast<size_t>(ordinal);
  if (contexts_[index] == nullptr && !failed_[index]) {
    auto made = factory_(config.device_options(ordinal));
    if (!made.ok()) {
      failed_[index] = true;
      say(made.error().to_string());
      return nullptr;
    }
    contexts_[index] = std::make_unique<Context>(ordinal, std::move(*made), config, clock, log);
    introduce(*contexts_[index]);
  }
  return contexts_[index].get();
}

void Runtime::set_device(int ordinal) {
  ThreadState& thread = this_thread();
  thread.device = ordinal;
  context_handles.started = true;
  if (thread.contexts.empty()) {
    thread.contexts.push_back(nullptr);
  }
  thread.contexts.back() = &context_handles.primary(ordinal);
}

// Pinned and managed memory is one for all devices.
void Runtime::introduce(Context& context) {
  for (const auto& other : contexts_) {
    if (other != nullptr && other.get() != &context) {
      other->memory().attach(context.memory());
      context.memory().attach(other->memory());
    }
  }
}

Context* Runtime::context(Error& error) {
  Context* context = device(this_thread().device);
  if (context == nullptr) {
    error = Error::initialization_error;
    return nullptr;
  }
  if (!context->active) {  // the first call that needs the device pays for the context
    context->active = true;
    clock.advance(context->device().api_cost(device::ApiCost::context_create, 0));
  }
  context_handles.started = true;
  if (this_thread().asked_as == nullptr) {
    context_handles.primary(context->ordinal()).used_by_runtime = true;
  }
  if (this_thread().contexts.empty()) {
    this_thread().contexts.push_back(&context_handles.primary(context->ordinal()));
  }
  error = context->error();
  return error == Error::success ? context : nullptr;
}

StreamRef Runtime::stream(const void* handle) {
  Context* const current = started(this_thread().device);
  if (Stream* stream = current != nullptr ? current->stream(handle) : nullptr; stream != nullptr) {
    return {current, stream};
  }
  for (const auto& context : contexts_) {
    if (Stream* stream = context != nullptr ? context->stream(handle) : nullptr; stream != nullptr) {
      return {context.get(), stream};
    }
  }
  return {};
}

Event* Runtime::event(const void* handle) {
  for (const auto& context : contexts_) {
    if (Event* event = context != nullptr ? context->event(handle) : nullptr; event != nullptr) {
      return event;
    }
  }
  return nullptr;
}

Array* Runtime::array(const void* handle) {
  for (const auto& context : contexts_) {
    if (Array* array = context != nullptr ? context->array(handle) : nullptr; array != nullptr) {
      return array;
    }
  }
  return nullptr;
}

Pyramid* Runtime::pyramid(const void* handle) {
  for (const auto& context : contexts_) {
    if (Pyramid* pyramid = context != nullptr ? context->pyramid(handle) : nullptr; pyramid != nullptr) {
      return pyramid;
    }
  }
  return nullptr;
}

void Runtime::run_host_functions(Picoseconds until) {
  for (const auto& context : contexts_) {
    if (context != nullptr) {
      context->run_host_functions(until);
    }
  }
}

// The program's clock has moved without a call: a loop that reads the clock or sleeps may wait for a host function.
void Runtime::clock_moved() {
  if (!this_thread().in_host_function) {
    run_host_functions(clock.now());
  }
}

bool Runtime::has_host_functions() const {
  return std::ranges::any_of(contexts_,
                             [](const auto& context) { return context != nullptr && context->has_host_functions(); });
}

void Runtime::call_begins() {
  HostFunctionThread::get().called();
  absorb_host_faults();
  release_held(*this, clock.now());
}

void Runtime::absorb_host_faults() {
  for (const auto& context : contexts_) {
    if (context == nullptr) {
      continue;
    }
    const Picoseconds lost = context->device().take_host_fault_time();
    if (lost > 0) {
      note_early_access(log, context->ordinal(), clock.now());
    }
    clock.advance(lost);
  }
}

int64_t Runtime::read_clock_ns() {
  const std::unique_lock lock = LaunchThread::get().lock_of(*this);
  if (!lock.owns_lock()) {
    return LaunchThread::get().advance_detached(kClockReadCost) / kPicosecondsPerNanosecond;
  }
  absorb_host_faults();
  clock.advance(kClockReadCost);
  clock_moved();
  return clock.now() / kPicosecondsPerNanosecond;
}

size_t Runtime::managed_bytes(const void* address, size_t bytes) {
  const auto first = reinterpret_cast<uint64_t>(address);
  if (first - memory::kDeviceBase >= memory::kMaxGpus * memory::kGpuStride) {
    return 0;  // of no GPU
  }
  const std::unique_lock lock = LaunchThread::get().lock_of(*this);
  Place place;
  if (!lock.owns_lock() || !(locate(*this, address, 1, place) && place.is_managed())) {
    return 0;
  }
  return std::min<uint64_t>(bytes, place.allocation->base + place.allocation->size - first);
}

void Runtime::sleep(int64_t nanoseconds) {
  const std::unique_lock lock = LaunchThread::get().lock_of(*this);
  const Picoseconds time = nanoseconds * kPicosecondsPerNanosecond;
  if (!lock.owns_lock()) {
    LaunchThread::get().advance_detached(time);
    return;
  }
  clock.advance(time);
  clock_moved();
}

}  // namespace hpml::sim::cudart
