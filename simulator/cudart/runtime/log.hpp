#pragma once
// What the program did, in order: the source of metrics.json and of the trace.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulator/cudart/runtime/errors.hpp"
#include "simulator/cudart/runtime/timeline.hpp"
#include "simulator/metrics/document.hpp"

namespace hpml::sim::cudart {

struct ApiRecord {
  const char* name = "";  // of the runtime function; static storage
  Picoseconds start = 0, end = 0;
  Error result = Error::success;
  int64_t bytes = -1;            // sizes of allocations, copies, fills; -1 = does not apply
  bool error_told = false;       // what is behind the error has been reported already
  const char* status = nullptr;  // of a library's call that failed: its own word; null: `result` says it all
  std::string detail;            // kernel name of a launch, copy direction; empty when there is nothing to say
};

struct CopyRecord {
  const char* kind = "";  // "HtoD", "DtoH", "DtoD", "HtoH", "memset", "prefetch"
  uint64_t bytes = 0;
  Span span;
  uint64_t stream = 0;
  int device = 0;
  bool pinned = false;
};

struct KernelRecord {
  metrics::Kernel launch;  // the device's record of it
  Span span;
  uint64_t stream = 0;
  int device = 0;
};

struct Log {
  // A program that polls an event calls the runtime millions of times: the calls after these are only counted.
  static constexpr size_t kMaxApiRecords = 100000;

  void add(ApiRecord record) {
    ++api_calls;
    if (record.result != Error::success && record.result != Error::not_ready) {
      ++api_errors;
    }
    if (api.size() < kMaxApiRecords) {
      if (on_call) {
        on_call(record);
      }
      api.push_back(std::move(record));
    }
  }

  void add(KernelRecord record) {
    ++kernel_count;
    if (recording) {
      kernels.push_back(std::move(record));
    }
  }
  void add(CopyRecord record) {
    ++copy_count;
    if (recording) {
      copies.push_back(record);
    }
  }
  // cudaProfilerStart: a program that marks what is to be measured wants nothing of what came before the first mark.
  void start_recording() {
    if (!marked) {
      kernels.clear();
      copies.clear();
    }
    marked = true;
    recording = true;
  }
  void stop_recording() {
    marked = true;
    recording = false;
  }

  std::function<void(const ApiRecord&)> on_call;  // told of every call that is kept
  bool recording = true, marked = false;          // kernels and copies; the calls are always recorded
  uint64_t kernel_count = 0, copy_count = 0;
  std::vector<ApiRecord> api;
  std::vector<CopyRecord> copies;
  std::vector<KernelRecord> kernels;
  std::vector<std::string> faults;  // one line per kernel that was ended by a fault
  uint64_t api_calls = 0, api_errors = 0;
  // Of the last launch that failed, until the program asks for errors: <<<>>> returns nothing.
  Error unasked_launch_error = Error::success;
  bool refusal_said = false;   // refusal.hpp
  std::string read_too_early;  // the kernel that was running when host code accessed managed memory that was on the GPU
};

}  // namespace hpml::sim::cudart
