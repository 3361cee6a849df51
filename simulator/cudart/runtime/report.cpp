#include "simulator/cudart/runtime/report.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <string_view>

#include "simulator/cudart/runtime/check.hpp"

namespace hpml::sim::cudart {
namespace {

using metrics::microseconds;

std::vector<metrics::Kernel> kernels_of(const Log& log) {
  std::vector<metrics::Kernel> list;
  for (const KernelRecord& kernel : log.kernels) {
    metrics::Kernel& entry = list.emplace_back(kernel.launch);
    entry.start_us = microseconds(kernel.span.start);
    entry.duration_us = microseconds(kernel.span.end - kernel.span.start);
    entry.stream = kernel.stream;
    entry.device = kernel.device;
  }
  return list;
}

void add_copies(const Log& log, metrics::Document& document) {
  for (const CopyRecord& copy : log.copies) {
    const std::string_view kind = copy.kind;
    auto& list = kind == "memset" ? document.memset : kind == "prefetch" ? document.prefetch : document.memcpy;
    list.push_back({.kind = kind,
                    .bytes = copy.bytes,
                    .start_us = microseconds(copy.span.start),
                    .duration_us = microseconds(copy.span.end - copy.span.start),
                    .stream = copy.stream,
                    .device = copy.device,
                    .pinned = copy.pinned});
  }
}

std::vector<metrics::ApiCall> calls_of(const Log& log) {
  std::vector<metrics::ApiCall> list;
  for (const ApiRecord& call : log.api) {
    list.push_back({.name = call.name,
                    .start_us = microseconds(call.start),
                    .duration_us = microseconds(call.end - call.start),
                    .result = call.status != nullptr ? call.status : error_name(static_cast<int>(call.result)),
                    .bytes = call.bytes,
                    .detail = call.detail});
  }
  return list;
}

std::vector<metrics::Leak> leaks_of(Runtime& runtime) {
  std::vector<metrics::Leak> list;
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    if (Context* context = runtime.started(ordinal)) {
      metrics::add_leaks(context->memory(), ordinal, list);
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

metrics::Simulator simulator_of(Runtime& runtime, double wall_seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr uint64_t kKibi = 1024;  // ru_maxrss is in KiB on Linux
  const double rate = wall_seconds > 0 ? static_cast<double>(executed(runtime)) / wall_seconds : 0;
  return {.wall_s = wall_seconds,
          .warp_instr_per_s = rate,
          .peak_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) * kKibi};
}

std::string gpu_names(const Config& config) { return fmt::format("{}", fmt::join(config.gpus, ",")); }

}  // namespace

metrics::Document metrics_of(Runtime& runtime, const metrics::End& end, double wall_seconds) {
  metrics::Document document;
  document.gpu = gpu_names(runtime.config);
  document.mode = mode_name(runtime.config.mode);
  document.kernels = kernels_of(runtime.log);
  add_copies(runtime.log, document);
  if (Context* first = runtime.started(0)) {
    document.unified_memory = first->device().unified_memory_record();
  }
  document.api = calls_of(runtime.log);
  document.api_calls = runtime.log.api_calls;
  document.api_errors = runtime.log.api_errors;
  document.faults = runtime.log.faults;
  document.leaks = leaks_of(runtime);
  if (runtime.config.check.any()) {
    document.check = check_json(runtime).dump();
  }
  document.end_us = microseconds(runtime.clock.now());
  document.end = end;
  document.simulator = simulator_of(runtime, wall_seconds);
  return document;
}

std::string summary_line(Runtime& runtime, const metrics::End& end) {
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
