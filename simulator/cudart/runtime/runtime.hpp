#pragma once
// The runtime of one process: configuration, host clock, registrations, devices, log. Entry points run inside
// api_call(), which holds the lock, keeps the log and the per-thread last error.
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "simulator/cudart/runtime/context.hpp"
#include "simulator/cudart/runtime/context_handle.hpp"
#include "simulator/cudart/runtime/counted_mutex.hpp"
#include "simulator/cudart/runtime/graph.hpp"

namespace hpml::sim::cudart {

struct LaunchConfiguration {
  device::Dim3 grid, block;
  size_t shared = 0;
  void* stream = nullptr;
};

// What CUDA keeps per host thread.
struct ThreadState {
  Error last_error = Error::success;
  int device = 0;
  std::vector<LaunchConfiguration> configurations;  // pushed by <<<>>>, popped by the kernel's host stub
  bool launches_by_brackets = false;                // <<<>>>, whose result no program can see
  int inside = 0;                                   // > 0: in the runtime, where clock reads are real ones
  // The driver API's stack of current contexts. Where it is not empty, `device` is the device of its top.
  std::vector<ContextHandle*> contexts;
  const char* asked_as = nullptr;  // the driver API's function that an entry point of the runtime carries out
  bool asked_unlocked = false;     // by a function that does not hold the runtime's lock meanwhile
  bool in_host_function = false;   // of a stream or a graph: it must not call CUDA
  int capture_mode = 0;            // cudaThreadExchangeStreamCaptureMode
};
ThreadState& this_thread();

struct StreamRef {
  Context* context = nullptr;
  Stream* stream = nullptr;  // null: no stream of any device
};

using DeviceFactory = std::function<Result<std::unique_ptr<device::Device>>(const device::Options&)>;

class Runtime {
 public:
  Runtime(Config config, DeviceFactory factory);
  ~Runtime() { graphs.clear(); }  // before the devices whose memory they hold
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // The process's runtime; never destroyed, because programs call CUDA from destructors of globals.
  static Runtime& get();
  // Installs it: the library when it is loaded, tests with a device of their own. Returns the previous one.
  static Runtime* replace(Runtime* runtime);

  int device_count() const { return static_cast<int>(config.gpus.size()); }
  // Makes the device's primary context the calling thread's current one.
  void set_device(int ordinal);
  // The calling thread's device, started at first use. Returns null and sets `error` when it cannot be, or when the
  // device is beyond use (sticky error).
  Context* context(Error& error);
  // Device `ordinal`, started but not checked for errors: for queries that never touch its state. Null: cannot start.
  Context* device(int ordinal);
  Context* started(int ordinal) { return contexts_.at(static_cast<size_t>(ordinal)).get(); }

  // Streams, events and arrays by the handles the program holds; those of every device are valid on each. The default
  // streams' handles mean those of the calling thread's device, which must have been started.
  StreamRef stream(const void* handle);
  Event* event(const void* handle);
  Array* array(const void* handle);
  Pyramid* pyramid(const void* handle);
  void run_host_functions(Picoseconds until = std::numeric_limits<Picoseconds>::max());  // those that start by then
  bool has_host_functions() const;

  void call_begins();
  // Lets the time that host accesses to managed memory cost pass.
  void absorb_host_faults();
  // A clock read of the program: its nanoseconds since the start of the program.
  int64_t read_clock_ns();
  // The program sleeps.
  void sleep(int64_t nanoseconds);
  size_t managed_bytes(const void* address, size_t bytes);  // preload/hooks.hpp

  CountedMutex mutex;
  const Config config;
  HostClock clock;
  Registry registry;
  std::map<uint64_t, ImageObject> image_objects;  // by their handles
  std::map<uint64_t, unsigned> host_flags;  // of pinned memory, as its allocation or registration asked; by address
  ContextHandles context_handles;
  Log log;
  GraphTable graphs;
  std::vector<std::shared_ptr<Capture>> captures;  // going on
  uint64_t capture_count = 0;
  uint64_t held_count = 0, held_number = 0;  // held_work.hpp
  bool releasing = false;

 private:
  void introduce(Context& context);
  void clock_moved();
  DeviceFactory factory_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::vector<bool> failed_;
};

void check_api_error(Runtime& runtime, const ApiRecord& call);  // check.hpp

// The frame of every entry point. `body(Runtime&, ApiRecord&) -> Error`.
template <class Body>
int api_call(const char* name, Body body) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  ThreadState& thread = this_thread();
  ++thread.inside;
  runtime.call_begins();
  ApiRecord record;
  record.name = thread.asked_as != nullptr ? thread.asked_as : name;
  record.start = runtime.clock.now();
  const Error error = thread.in_host_function ? Error::not_permitted : body(runtime, record);
  record.end = runtime.clock.now();
  record.result = error;
  if (error != Error::success && error != Error::not_ready && thread.asked_as == nullptr) {
    thread.last_error = error;
    check_api_error(runtime, record);
  }
  runtime.log.add(std::move(record));
  --thread.inside;
  return static_cast<int>(error);
}

// The same for calls that need the thread's device. `body(Runtime&, Context&, ApiRecord&) -> Error`.
template <class Body>
int device_call(const char* name, Body body) {
  return api_call(name, [&](Runtime& runtime, ApiRecord& record) {
    Error error = Error::success;
    Context* context = runtime.context(error);
    return context != nullptr ? body(runtime, *context, record) : error;
  });
}

}  // namespace hpml::sim::cudart
