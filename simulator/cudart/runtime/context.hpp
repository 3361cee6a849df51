#pragma once
// One simulated device as the program sees it: the device itself, its streams, events and modules, and the error that
// ended it. The runtime's lock is held by every caller.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/cudart/runtime/config.hpp"
#include "simulator/cudart/runtime/errors.hpp"
#include "simulator/cudart/runtime/log.hpp"
#include "simulator/cudart/runtime/registry.hpp"
#include "simulator/cudart/runtime/timeline.hpp"

namespace hpml::sim::cudart {

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  Picoseconds time = 0;
  bool timing() const { return (flags & 2) == 0; }  // cudaEventDisableTiming
};

// A module's load is tried once; a failure is told once and repeated as its code.
struct LoadedModule {
  Error error = Error::success;
  device::ModuleId id = -1;
  std::string message = {};  // why it failed
};

struct PendingFault {
  Error error;
  Picoseconds time;  // when the kernel stopped: not visible to the host before
};

struct PendingOutput {
  Picoseconds time;
  std::string text;
};

class Context {
 public:
  Context(int ordinal, std::unique_ptr<device::Device> device, const Config& config, HostClock& clock, Log& log);

  device::Device& device() { return *device_; }
  memory::AddressSpace& memory() { return device_->memory(); }
  Timeline& timeline() { return timeline_; }
  int ordinal() const { return ordinal_; }

  // The stream behind a cudaStream_t; null when it is no stream of this device.
  Stream* stream(const void* handle);
  // cudaEvent_t is the address of the event, which the context owns.
  Event* create_event(unsigned flags);
  Event* event(const void* handle);  // null when it is no event of this device
  void destroy_event(const Event& event) { events_.erase(&event); }
  void destroy_events() { events_.clear(); }

  // A fault becomes visible when the host's clock has passed it; from then on every call returns it.
  Error error();
  void set_fault(PendingFault fault);
  bool faulted() const { return fault_.has_value(); }
  // Waits until `time`: host clock, device output of that time, and the error to return.
  Error wait_until(Picoseconds time);

  // The module of a registered fat binary, loaded at first use, with its managed variables in place.
  LoadedModule module(RegisteredFatbin& fatbin);
  void forget_module(const RegisteredFatbin& fatbin);
  void forget_modules();

  bool active = false;  // its creation has been paid for
  // Flags the program set; remembered and reported back.
  unsigned flags = 0;
  std::map<int, uint64_t> limits;
  std::vector<PendingOutput> output;

 private:
  LoadedModule load(RegisteredFatbin& fatbin);
  Error fill_managed(RegisteredFatbin& fatbin, device::ModuleId module);

  int ordinal_;
  std::unique_ptr<device::Device> device_;
  const Config& config_;
  HostClock& clock_;
  Log& log_;
  Timeline timeline_;
  Stream* per_thread_stream_ = nullptr;
  std::map<const void*, std::unique_ptr<Event>> events_;
  std::map<const RegisteredFatbin*, LoadedModule> modules_;
  std::optional<PendingFault> fault_;
  bool above_device_said_ = false;
};

// One line on stderr with the prefix that marks the simulator's own words.
void say(const std::string& line);

}  // namespace hpml::sim::cudart
