#pragma once
// One simulated device as the program sees it: the device itself, its streams, events and modules, and the error that
// ended it. The runtime's lock is held by every caller.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/cudart/runtime/array.hpp"
#include "simulator/cudart/runtime/config.hpp"
#include "simulator/cudart/runtime/errors.hpp"
#include "simulator/cudart/runtime/log.hpp"
#include "simulator/cudart/runtime/managed_hints.hpp"
#include "simulator/cudart/runtime/pool.hpp"
#include "simulator/cudart/runtime/registry.hpp"
#include "simulator/cudart/runtime/timeline.hpp"

namespace hpml::sim::cudart {

struct Node;
class GraphMemory;

// The last thing an event was recorded behind, when that was in a capture.
struct CapturedEvent {
  std::shared_ptr<Capture> capture;
  std::vector<Node*> tips;
};

class Context;

struct Event {
  unsigned flags = 0;
  Context* context = nullptr;
  bool recorded = false;
  Picoseconds time = 0;
  CapturedEvent captured = {};
  bool timing() const { return (flags & 2) == 0; }  // cudaEventDisableTiming
  void stamp(Picoseconds now) {
    recorded = true;
    time = now;
    captured = {};
  }
};

// What cudaFuncSetAttribute said about a kernel.
struct FunctionSettings {
  std::optional<int> max_dynamic_shared;
  int preferred_carveout = -1;
  std::array<int, 3> cluster = {};  // required; 0: none
  bool non_portable_cluster = false;
  int cluster_policy = 0;  // cudaClusterSchedulingPolicy: a hint
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

// Something the host meets when its clock has passed `time`: text of a kernel, or a function of the program that stands
// in a stream.
struct PendingOutput {
  Picoseconds time;
  std::string text;
  bool to_stderr = false;  // what a failed assertion says
  std::function<void()> host_function = {};
};

// Memory of another process, which this one has opened so many times.
struct OpenedMemory {
  uint64_t address = 0;
  int count = 0;
};

class Context {
 public:
  Context(int ordinal, std::unique_ptr<device::Device> device, const Config& config, HostClock& clock, Log& log);

  // Says it, the first time.
  void warn_of_stray_access(const std::string& access);
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
  bool is_default(const Stream& stream) { return stream.id == 0 || &stream == per_thread_stream_; }

  // Streams, events, arrays and pools that the program made: their handles are invalid from here on.
  void forget_handles();

  // A fault becomes visible when the host's clock has passed it; from then on every call returns it.
  Error error();
  void set_fault(PendingFault fault);
  bool faulted() const { return fault_.has_value(); }
  // Waits until `time`: host clock, device output and host functions of that time, and the error to return.
  Error wait_until(Picoseconds time);
  // The same for a call whose purpose it is: the host hears of work that was not done yet a while after its end.
  Error synchronize(Picoseconds time);
  // Host functions that stand before work about to be executed: the work may need what they do.
  void run_host_functions(Picoseconds until);
  bool has_host_functions() const;

  // Null when it is no array of this device.
  Array* array(const void* handle) const;
  Array* add_array(const Array& array);
  void destroy_array(const Array& array) { arrays_.erase(&array); }
  // Null when it is no image pyramid of this device.
  Pyramid* pyramid(const void* handle) const;
  Pyramid* add_pyramid(const Pyramid& pyramid);
  // Its levels too.
  void destroy_pyramid(const Pyramid& pyramid);

  // The module of a registered fat binary, loaded at first use, with its managed variables in place. Units that use
  // each other's device code have one module.
  LoadedModule module(RegisteredFatbin& fatbin);
  void forget_module(const RegisteredFatbin& fatbin);
  void forget_modules();

  // Memory pools: the default one, which is never destroyed, and the program's.
  MemPool& default_pool() { return *pools_.front(); }
  MemPool& current_pool() { return *current_pool_; }
  void set_current_pool(MemPool& pool) { current_pool_ = &pool; }
  MemPool* add_pool();
  MemPool* pool(const void* handle) const;   // null: no pool of this device
  MemPool* pool_of(uint64_t address) const;  // the pool an allocation came from; null: none
  void destroy_pool(const MemPool& pool);

  // Memory that a graph's allocation node gave; null when it gave none at this address.
  GraphMemory* graph_memory(const void* pointer) const;
  std::shared_ptr<GraphMemory> new_graph_memory(uint64_t bytes);  // null: out of memory
  uint64_t graph_bytes(bool live_only) const;                     // of all allocation nodes
  void forget_graph_memory(uint64_t address) { graph_memory_.erase(address); }

  bool active = false;  // its creation has been paid for
  std::set<int> peers;  // devices whose memory its kernels may use
  // Flags the program set; remembered and reported back.
  unsigned flags = 0;
  int cache_config = 0;  // cudaFuncCache
  std::map<int, uint64_t> limits;
  std::map<std::string, OpenedMemory> opened_memory;  // of other processes, by its handle
  ManagedHints hints;
  std::map<device::KernelId, FunctionSettings> function_settings;
  struct HostSharing {
    uint64_t generation = 0;               // of the memory that this was found out of
    bool pinned = false, managed = false;  // there is memory that host and kernels may use at the same time
  };
  HostSharing host_sharing;           // launch_thread.hpp
  std::set<std::string> told;         // advice given so far
  std::vector<PendingOutput> output;  // in the order of the launches
  void add_output(Picoseconds time, std::string text);

 private:
  void show_due(Picoseconds until, bool host_functions_only);
  LoadedModule read_unit(const RegisteredFatbin& unit, std::vector<device::ModulePart>& parts,
                         std::vector<device::CubinKernel>& cubins);
  LoadedModule load(const std::vector<RegisteredFatbin*>& units);
  Error fill_managed(RegisteredFatbin& fatbin, device::ModuleId module);

  int ordinal_;
  std::unique_ptr<device::Device> device_;
  const Config& config_;
  HostClock& clock_;
  Log& log_;
  Timeline timeline_;
  Stream* per_thread_stream_ = nullptr;
  std::map<const void*, std::unique_ptr<Event>> events_;
  std::map<const void*, std::unique_ptr<Array>> arrays_;
  std::map<const void*, std::unique_ptr<Pyramid>> pyramids_;
  std::vector<std::unique_ptr<MemPool>> pools_;
  MemPool* current_pool_ = nullptr;
  std::map<uint64_t, GraphMemory*> graph_memory_;  // by address
  std::map<const RegisteredFatbin*, LoadedModule> modules_;
  std::optional<PendingFault> fault_;
  bool stray_access_said_ = false;
  uint64_t pending_text_ = 0;  // bytes of `output`
  bool above_device_said_ = false;
};

// One line on stderr with the prefix that marks the simulator's own words.
void say(const std::string& line);

}  // namespace hpml::sim::cudart
