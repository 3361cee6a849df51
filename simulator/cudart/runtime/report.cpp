#include "simulator/cudart/runtime/report.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string_view>

#include "simulator/cudart/runtime/check.hpp"

namespace hpml::sim::cudart {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPicosecondsPerMicrosecond = 1e6;
double microseconds(Picoseconds time) { return static_cast<double>(time) / kPicosecondsPerMicrosecond; }

Json kernels_json(const Log& log) {
  Json list = Json::array();
  for (const KernelRecord& kernel : log.kernels) {
    Json entry = kernel.metrics;
    entry["start_us"] = microseconds(kernel.span.start);
    entry["duration_us"] = microseconds(kernel.span.end - kernel.span.start);
    entry["stream"] = kernel.stream;
    entry["device"] = kernel.device;
    list.push_back(std::move(entry));
  }
  return list;
}

bool is_copy(const CopyRecord& record) { return std::string_view(record.kind).find("to") == 1; }  // "HtoD"

// `kind` empty: copies; else the records of that kind.
Json copies_json(const Log& log, std::string_view kind) {
  Json list = Json::array();
  for (const CopyRecord& copy : log.copies) {
    if (kind.empty() ? !is_copy(copy) : kind != copy.kind) {
      continue;
    }
    list.push_back({{"kind", copy.kind},
                    {"bytes", copy.bytes},
                    {"start_us", microseconds(copy.span.start)},
                    {"duration_us", microseconds(copy.span.end - copy.span.start)},
                    {"stream", copy.stream},
                    {"device", copy.device},
                    {"pinned", copy.pinned}});
  }
  return list;
}

Json api_json(const Log& log) {
  Json list = Json::array();
  for (const ApiRecord& call : log.api) {
    Json entry = {{"name", call.name},
                  {"start_us", microseconds(call.start)},
                  {"duration_us", microseconds(call.end - call.start)},
                  {"result", call.status != nullptr ? call.status : error_name(static_cast<int>(call.result))}};
    if (call.bytes >= 0) {
      entry["bytes"] = call.bytes;
    }
    if (!call.detail.empty()) {
      entry["detail"] = call.detail;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// What the program allocated and did not free; variables (they have a label) are not the program's to free.
Json leaks_json(Runtime& runtime) {
  Json list = Json::array();
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    if (runtime.started(ordinal) == nullptr) {
      continue;
    }
    for (const memory::Allocation* allocation : runtime.started(ordinal)->memory().live()) {
      if (allocation->label.empty() && allocation->kind != memory::Kind::registered) {
        list.push_back({{"kind", memory::name(allocation->kind)},
                        {"bytes", allocation->size},
                        {"allocation", allocation->serial},
                        {"device", ordinal}});
      }
    }
  }
  return list;
}

uint64_t executed(Runtime& runtime) {
  uint64_t total = 0;
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    total += runtime.started(ordinal) != nullptr ? runtime.started(ordinal)->device().warp_instructions() : 0;
  }
  return total;
}

Json simulator_json(Runtime& runtime, double wall_seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr int64_t kKibi = 1024;  // ru_maxrss is in KiB on Linux
  const double rate = wall_seconds > 0 ? static_cast<double>(executed(runtime)) / wall_seconds : 0;
  return {{"wall_s", wall_seconds}, {"warp_instr_per_s", rate}, {"peak_rss_bytes", usage.ru_maxrss * kKibi}};
}

std::string gpu_names(const Config& config) { return fmt::format("{}", fmt::join(config.gpus, ",")); }

}  // namespace

nlohmann::ordered_json metrics_json(Runtime& runtime, const ProgramEnd& end, double wall_seconds) {
  Json metrics;
  metrics["schema"] = "gpusim/metrics/v1";
  metrics["gpu"] = gpu_names(runtime.config);
  metrics["mode"] = mode_name(runtime.config.mode);
  metrics["kernels"] = kernels_json(runtime.log);
  metrics["memcpy"] = copies_json(runtime.log, "");
  metrics["memset"] = copies_json(runtime.log, "memset");
  metrics["prefetch"] = copies_json(runtime.log, "prefetch");
  Context* first = runtime.started(0);
  metrics["unified_memory"] = first != nullptr ? first->device().unified_memory_record() : Json::object();
  metrics["api"] = api_json(runtime.log);
  metrics["api_calls"] = runtime.log.api_calls;
  metrics["api_errors"] = runtime.log.api_errors;
  metrics["faults"] = runtime.log.faults;
  metrics["leaks"] = leaks_json(runtime);
  if (runtime.config.check.any()) {
    metrics["check"] = check_json(runtime);
  }
  metrics["end_us"] = microseconds(runtime.clock.now());
  metrics["end"] = end.signal != 0 ? Json{{"signal", end.signal}} : Json{{"status", end.status}};
  metrics["simulator"] = simulator_json(runtime, wall_seconds);
  return metrics;
}

std::string summary_line(Runtime& runtime, const ProgramEnd& end) {
  constexpr double kMicrosecondsPerMillisecond = 1e3;
  std::string line = fmt::format("{} ({}): {} kernels, {} copies, {:.3f} ms simulated", gpu_names(runtime.config),
                                 mode_name(runtime.config.mode), runtime.log.kernel_count, runtime.log.copy_count,
                                 microseconds(runtime.clock.now()) / kMicrosecondsPerMillisecond);
  if (runtime.log.api_errors > 0) {
    line += fmt::format(", {} calls returned an error", runtime.log.api_errors);
  }
  if (end.signal != 0) {
    line += fmt::format(", ended by signal {} ({})", end.signal, strsignal(end.signal));
  }
  if (!runtime.config.metrics_path.empty()) {
    line += "; metrics: " + runtime.config.metrics_path;
  }
  return line;
}

Result<void> write_file(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  FILE* file = fopen(temporary.c_str(), "w");
  bool written = file != nullptr && fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) {
    written = fclose(file) == 0 && written;
  }
  if (!written || rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string why = strerror(errno);
    unlink(temporary.c_str());
    return error_in(path, "cannot be written: " + why);
  }
  return Ok{};
}

}  // namespace hpml::sim::cudart
