// Chrome trace event format, "X" (complete) events: https://ui.perfetto.dev and chrome://tracing read it. Processes are
// the host and each GPU; their rows ("threads") are the host's calls and what the program did between them, a GPU's
// streams, its two copy engines, and the page faults of its kernels.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "simulator/cudart/runtime/report.hpp"

namespace hpml::sim::cudart {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPicosecondsPerMicrosecond = 1e6;
constexpr int kHost = 0, kFirstDevice = 1;  // "processes"
constexpr uint64_t kCalls = 0, kBetweenCalls = 1;
// Above every stream's number.
constexpr uint64_t kCopiesToDevice = 1'000'000'001, kCopiesToHost = 1'000'000'002, kPageFaults = 1'000'000'003;

using metrics::microseconds;

class Trace {
 public:
  void process(int process, const std::string& name) {
    events_.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}});
  }

  Json& complete(const std::string& name, int process, uint64_t row, Span span) {
    rows_.emplace(process, row);
    events_.push_back({{"name", name},
                       {"ph", "X"},
                       {"pid", process},
                       {"tid", row},
                       {"ts", microseconds(span.start)},
                       {"dur", microseconds(span.end - span.start)}});
    return events_.back();
  }

  // With a name for every row that was used, in the order they are to be shown.
  Json take() {
    int place = 0;
    for (const auto& [process, row] : rows_) {
      const Json where = {{"ph", "M"}, {"pid", process}, {"tid", row}};
      Json named = {{"name", "thread_name"}, {"args", {{"name", row_name(process, row)}}}};
      Json sorted = {{"name", "thread_sort_index"}, {"args", {{"sort_index", place++}}}};
      named.update(where);
      sorted.update(where);
      events_.push_back(std::move(named));
      events_.push_back(std::move(sorted));
    }
    return std::move(events_);
  }

 private:
  static std::string row_name(int process, uint64_t row) {
    if (process == kHost) {
      return row == kCalls ? "CUDA calls" : "program between calls";
    }
    switch (row) {
      case kCopiesToDevice: return "copy engine, host to device";
      case kCopiesToHost: return "copy engine, device to host";
      case kPageFaults: return "page faults of kernels";
    }
    return row == 0 ? "stream 0 (default)" : "stream " + std::to_string(row);
  }

  Json events_ = Json::array();
  std::set<std::pair<int, uint64_t>> rows_;
};

void add_host(Trace& trace, const std::vector<ApiRecord>& calls, Picoseconds end) {
  Picoseconds before = 0;
  for (const ApiRecord& call : calls) {
    if (call.start > before) {
      trace.complete("program", kHost, kBetweenCalls, {before, call.start});
    }
    Json& event = trace.complete(call.name, kHost, kCalls, {call.start, call.end});
    if (!call.detail.empty()) {
      event["args"] = {{"detail", call.detail}};
    }
    before = std::max(before, call.end);
  }
  if (end > before && !calls.empty()) {
    trace.complete("program", kHost, kBetweenCalls, {before, end});
  }
}

uint64_t row_of(const CopyRecord& copy) {
  const std::string_view kind = copy.kind;
  if (kind == "HtoD") {
    return kCopiesToDevice;
  }
  return kind == "DtoH" ? kCopiesToHost : copy.stream;
}

void add_kernel(Trace& trace, const KernelRecord& kernel) {
  const int process = kFirstDevice + kernel.device;
  const metrics::Kernel& launch = kernel.launch;
  trace.complete(launch.demangled, process, kernel.stream, kernel.span)["args"] = {
      {"grid", launch.grid},           {"block", launch.block},
      {"registers", launch.registers}, {"shared_bytes", launch.shared_bytes},
      {"cycles", launch.cycles},       {"sampled", launch.sampled}};
  const auto count = [&launch](const char* counter) { return launch.metric(counter).as_double(); };
  const auto fault_time = static_cast<Picoseconds>(count("gpusim__fault_time_us.sum") * kPicosecondsPerMicrosecond);
  if (fault_time > 0) {
    // How the groups were spread over the kernel is not recorded: one event of their total time, from its start.
    const Span span{kernel.span.start, std::min(kernel.span.start + fault_time, kernel.span.end)};
    trace.complete("page faults", process, kPageFaults, span)["args"] = {
        {"groups", static_cast<uint64_t>(count("gpusim__fault_groups.sum"))},
        {"migrated_bytes", static_cast<uint64_t>(count("gpusim__migrated_bytes.sum"))}};
  }
}

}  // namespace

nlohmann::ordered_json trace_json(Runtime& runtime) {
  Trace trace;
  trace.process(kHost, "host");
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    trace.process(kFirstDevice + ordinal, runtime.config.gpus[static_cast<size_t>(ordinal)]);
  }
  add_host(trace, runtime.log.api, runtime.clock.now());
  for (const CopyRecord& copy : runtime.log.copies) {
    trace.complete(copy.kind, kFirstDevice + copy.device, row_of(copy), copy.span)["args"] = {
        {"bytes", copy.bytes}, {"stream", copy.stream}, {"pinned", copy.pinned}};
  }
  for (const KernelRecord& kernel : runtime.log.kernels) {
    add_kernel(trace, kernel);
  }
  return {{"displayTimeUnit", "ns"}, {"traceEvents", trace.take()}};
}

}  // namespace hpml::sim::cudart
