// The library's life in a process: starts the runtime before the program's own constructors, reports when it ends.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "simulator/cudart/preload/hooks.hpp"
#include "simulator/cudart/runtime/advice.hpp"
#include "simulator/cudart/runtime/check.hpp"
#include "simulator/cudart/runtime/crash.hpp"
#include "simulator/cudart/runtime/host_function_thread.hpp"
#include "simulator/cudart/runtime/report.hpp"
#include "simulator/debug/debugger.hpp"
#include "simulator/debug/load_symbols.hpp"
#include "simulator/device/host_faults.hpp"
#include "simulator/replay/recorder.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr int kOurFault = 3;     // exit code when a report cannot be written
constexpr int kCheckFailed = 1;  // exit code of a program that succeeded, but in which a check found errors
constexpr double kNanosecond = 1e-9;

Runtime* process_runtime = nullptr;
replay::Recorder* recorder = nullptr;  // null: nothing is recorded
debug::Debugger* debugger = nullptr;   // null: the program is not debugged
double started_at = 0;
pid_t owner = 0;

double wall_clock() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * kNanosecond;
}

// The devices of the process write down what they are asked for. A recording that cannot be made is no reason to run
// without one: whoever asked for it would wait for it.
DeviceFactory start_recording(const Config& config) {
  auto made = replay::Recorder::create(config.record_path);
  if (!made.ok()) {
    say(made.error().to_string());
    _exit(kOurFault);
  }
  recorder = made->release();
  return [](const device::Options& options) -> Result<std::unique_ptr<device::Device>> {
    HPML_TRY(auto device, device::Device::create(options));
    return recorder->wrap(std::move(device), options.index);
  };
}

std::string beside_this_library(const char* name) {
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<void*>(&beside_this_library), &info) != 0 && info.dli_fname != nullptr;
  const std::string path = known ? info.dli_fname : "";
  return path.substr(0, path.rfind('/') + 1) + name;
}

// The program's own children are not debugged: they know nothing of the socket.
DeviceFactory start_debugging(const Config& config) {
  fcntl(config.debug_fd, F_SETFD, FD_CLOEXEC);
  unsetenv("GPUSIM_DEBUG_FD");
  debugger = new debug::Debugger(config.debug_fd, {.bytes = config.history_bytes},
                                 debug::symbols_by(beside_this_library("libgpusim_debug_info.so")));
  return [](device::Options options) -> Result<std::unique_ptr<device::Device>> {
    options.debugger = debugger;
    options.mode = device::Mode::functional;
    return device::Device::create(options);
  };
}

DeviceFactory devices_for(const Config& config) {
  if (config.debug_fd >= 0) {
    return start_debugging(config);
  }
  return config.record_path.empty() ? DeviceFactory(device::Device::create) : start_recording(config);
}

void record_call(const ApiRecord& call) {
  recorder->called({.name = call.name,
                    .result = error_name(static_cast<int>(call.result)),
                    .detail = call.detail,
                    .bytes = call.bytes,
                    .start = call.start,
                    .end = call.end});
}

void end_recording(const metrics::End& end) {
  if (recorder != nullptr) {
    recorder->ended(end.status, end.signal);
  }
}

bool write_reports(const metrics::End& end) {
  const Config& config = process_runtime->config;
  bool written = true;
  const auto write = [&](const std::string& path, const std::string& text) {
    const auto result = write_file(path, text);
    if (!result.ok()) {
      say(result.error().to_string());
      written = false;
    }
  };
  if (!config.metrics_path.empty()) {
    write(config.metrics_path, to_text(metrics_of(*process_runtime, end, wall_clock() - started_at)));
  }
  if (!config.check_path.empty()) {
    write(config.check_path, check_json(*process_runtime).dump(1) + "\n");
  }
  if (!config.trace_path.empty()) {
    write(config.trace_path, trace_json(*process_runtime).dump(1) + "\n");
  }
  if (config.under_gpusim_run) {
    for (const std::string& line : end.signal == 0 ? advice_at_end(*process_runtime) : std::vector<std::string>{}) {
      say(line);
    }
    say(summary_line(*process_runtime, end));
  }
  if (config.check.any()) {
    say("check: " + check_summary(*process_runtime));
  }
  return written;
}

void at_exit(int status, void*) {
  if (getpid() != owner) {
    return;  // a forked child: the report is its parent's
  }
  HostFunctionThread::get().stop();
  ++this_thread().inside;
  for (int ordinal = 0; ordinal < process_runtime->device_count(); ++ordinal) {
    if (Context* context = process_runtime->started(ordinal)) {
      check_leaks(*context);
    }
  }
  end_recording({.status = status, .signal = 0});
  const bool written = write_reports({.status = status, .signal = 0});
  const bool failed = status == 0 && check_errors(*process_runtime) > 0;
  if (!written || failed) {
    fflush(nullptr);
    _exit(written ? kCheckFailed : kOurFault);
  }
}

// No lock: the thread that holds it may be the one that crashed. Records are added whole, at the end of a call.
void at_crash(int signal, uint64_t address) {
  ++this_thread().inside;
  if (signal == SIGSEGV && process_runtime->config.under_gpusim_run) {
    if (const std::string line = advice_at_crash(*process_runtime, address); !line.empty()) {
      say(line);
    }
  }
  end_recording({.status = 0, .signal = signal});
  write_reports({.status = 0, .signal = signal});
}

bool in_program() { return this_thread().inside == 0; }

int64_t read_clock() { return process_runtime->read_clock_ns(); }

void advance_clock(int64_t nanoseconds) { process_runtime->sleep(nanoseconds); }

size_t managed_bytes(const void* address, size_t bytes) { return process_runtime->managed_bytes(address, bytes); }

// libgpusim_preload.so stands between the program and the C library.
void connect_preload() {
  static constexpr preload::Hooks kHooks = {in_program, read_clock, advance_clock, managed_bytes,
                                            device::segv_action_behind};
  if (auto connect = reinterpret_cast<decltype(gpusim_connect)*>(dlsym(RTLD_DEFAULT, "gpusim_connect"))) {
    connect(&kHooks);
  }
}

__attribute__((constructor)) void start() {
  const Config config = config_from_environment();
  process_runtime = new Runtime(config, devices_for(config));
  if (recorder != nullptr) {
    process_runtime->log.on_call = record_call;
  }
  Runtime::replace(process_runtime);
  HostFunctionThread::get().enable();
  started_at = wall_clock();
  owner = getpid();
  on_exit(at_exit, nullptr);  // registered first, so that it runs after all of the program's own
  if (process_runtime->config.under_gpusim_run) {
    connect_preload();
    install_crash_reporter(at_crash);
  }
}

}  // namespace
}  // namespace hpml::sim::cudart
