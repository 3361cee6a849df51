// Chrome trace event format, "X" (complete) events: https://ui.perfetto.dev and chrome://tracing read it.
#include "simulator/cudart/runtime/report.hpp"

namespace hpml::sim::cudart {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPicosecondsPerMicrosecond = 1e6;
constexpr int kHost = 0, kFirstDevice = 1;  // "process" rows

Json complete_event(const std::string& name, int process, uint64_t row, Picoseconds start, Picoseconds end) {
  return {{"name", name},
          {"ph", "X"},
          {"pid", process},
          {"tid", row},
          {"ts", static_cast<double>(start) / kPicosecondsPerMicrosecond},
          {"dur", static_cast<double>(end - start) / kPicosecondsPerMicrosecond}};
}

Json process_name(int process, const std::string& name) {
  return {{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}};
}

}  // namespace

nlohmann::ordered_json trace_json(Runtime& runtime) {
  Json events = Json::array();
  events.push_back(process_name(kHost, "host"));
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    events.push_back(process_name(kFirstDevice + ordinal, runtime.config.gpus[static_cast<size_t>(ordinal)]));
  }
  for (const ApiRecord& call : runtime.log.api) {
    events.push_back(complete_event(call.name, kHost, 0, call.start, call.end));
  }
  for (const CopyRecord& copy : runtime.log.copies) {
    Json event = complete_event(copy.kind, kFirstDevice + copy.device, copy.stream, copy.span.start, copy.span.end);
    event["args"] = {{"bytes", copy.bytes}};
    events.push_back(std::move(event));
  }
  for (const KernelRecord& kernel : runtime.log.kernels) {
    const std::string name = kernel.metrics.value("demangled", kernel.metrics.value("name", "kernel"));
    events.push_back(
        complete_event(name, kFirstDevice + kernel.device, kernel.stream, kernel.span.start, kernel.span.end));
  }
  return {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
}

}  // namespace hpml::sim::cudart
