#include "simulator/metrics/document.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::metrics {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "gpusim/metrics/v1";

Json json(const Value& value) {
  return std::visit(
      [](const auto& number) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(number)>, std::monostate>) {
          return nullptr;
        } else {
          return number;
        }
      },
      value.number());
}

Json json(const Values& values) {
  Json table = Json::object();
  for (const Named& entry : values) {
    if (entry.value.known()) {
      table[std::string(entry.name)] = json(entry.value);
    }
  }
  return table;
}

Json json(const LineAccess& at) {
  const std::string parts = at.space == "shared" ? "wavefronts" : "sectors";
  Json entry = Json::object();
  entry["file"] = at.file;
  entry["line"] = at.line;
  entry["space"] = at.space;
  entry["op"] = at.op;
  entry["requests"] = at.requests;
  entry[parts] = at.parts;
  entry["ideal_" + parts] = at.ideal_parts;
  entry["lane_stride_bytes"] = at.lane_stride ? Json(*at.lane_stride) : Json(nullptr);
  if (at.conflict) {
    Json words = Json::array();
    for (const std::optional<uint32_t>& word : at.conflict->words) {
      words.push_back(word ? Json(*word) : Json(nullptr));
    }
    entry["bank_conflict"] = {{"bytes", at.conflict->bytes}, {"words", std::move(words)}};
  }
  return entry;
}

Json json(const Roofline& roofline) {
  return {{"flops", json(roofline.flops)},
          {"bytes", json(roofline.bytes)},
          {"arithmetic_intensity", json(roofline.arithmetic_intensity)},
          {"ceilings", json(roofline.ceilings)},
          {"achieved", json(roofline.achieved)}};
}

template <class T>
void add_known(Json& entry, const char* key, const std::optional<T>& value) {
  if (value) {
    entry[key] = *value;
  }
}

Json json(const Copy& copy) {
  Json entry = {{"kind", copy.kind}, {"bytes", copy.bytes}};
  add_known(entry, "start_us", copy.start_us);
  entry["duration_us"] = copy.duration_us;
  add_known(entry, "stream", copy.stream);
  add_known(entry, "device", copy.device);
  add_known(entry, "pinned", copy.pinned);
  return entry;
}

Json json(const ApiCall& call) {
  Json entry = {
      {"name", call.name}, {"start_us", call.start_us}, {"duration_us", call.duration_us}, {"result", call.result}};
  if (call.bytes >= 0) {
    entry["bytes"] = call.bytes;
  }
  if (!call.detail.empty()) {
    entry["detail"] = call.detail;
  }
  return entry;
}

Json json(const Leak& leak) {
  return {{"kind", leak.kind}, {"bytes", leak.bytes}, {"allocation", leak.allocation}, {"device", leak.device}};
}

Json json(const Kernel& kernel);

template <class T>
Json json(const std::vector<T>& list) {
  Json array = Json::array();
  for (const T& entry : list) {
    array.push_back(json(entry));
  }
  return array;
}

Json json(const Kernel& kernel) {
  Json entry = Json::object();
  entry["name"] = kernel.name;
  entry["demangled"] = kernel.demangled;
  if (kernel.library) {
    entry["library"] = true;
  }
  entry["grid"] = kernel.grid;
  entry["block"] = kernel.block;
  entry["shared_bytes"] = kernel.shared_bytes;
  entry["registers"] = kernel.registers;
  if (!kernel.library) {
    entry["registers_estimated"] = kernel.registers_estimated;
  }
  entry["start_us"] = kernel.start_us;
  entry["duration_us"] = kernel.duration_us;
  entry["cycles"] = kernel.cycles;
  entry["sampled"] = kernel.sampled;
  if (!kernel.library) {
    entry["sampled_fraction"] = kernel.sampled_fraction;
  }
  entry["estimated"] = kernel.estimated;
  entry["warp_instructions"] = kernel.warp_instructions;
  entry["thread_instructions"] = kernel.thread_instructions;
  entry["metrics"] = json(kernel.metrics);
  if (!kernel.library) {
    entry["lines"] = json(kernel.lines);
  }
  entry["stalls"] = json(kernel.stalls);
  entry["roofline"] = json(kernel.roofline);
  entry["stream"] = kernel.stream;
  entry["device"] = kernel.device;
  return entry;
}

Json json(const Simulator& simulator) {
  return {{"wall_s", simulator.wall_s},
          {"warp_instr_per_s", simulator.warp_instr_per_s},
          {"peak_rss_bytes", simulator.peak_rss_bytes}};
}

Json json(const Document& document) {
  Json metrics;
  metrics["schema"] = kSchema;
  metrics["gpu"] = document.gpu;
  metrics["mode"] = document.mode;
  metrics["kernels"] = json(document.kernels);
  metrics["memcpy"] = json(document.memcpy);
  metrics["memset"] = json(document.memset);
  metrics["prefetch"] = json(document.prefetch);
  metrics["unified_memory"] = json(document.unified_memory);
  metrics["api"] = json(document.api);
  metrics["api_calls"] = document.api_calls;
  metrics["api_errors"] = document.api_errors;
  metrics["faults"] = document.faults;
  metrics["leaks"] = json(document.leaks);
  if (!document.check.empty()) {
    metrics["check"] = Json::parse(document.check);
  }
  add_known(metrics, "end_us", document.end_us);
  metrics["end"] =
      document.end.signal != 0 ? Json{{"signal", document.end.signal}} : Json{{"status", document.end.status}};
  metrics["simulator"] = document.simulator ? json(*document.simulator) : Json::object();
  return metrics;
}

std::string text(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

double Value::as_double() const {
  return std::visit(
      [](const auto& number) {
        if constexpr (std::is_same_v<std::decay_t<decltype(number)>, std::monostate>) {
          return 0.0;
        } else {
          return static_cast<double>(number);
        }
      },
      number_);
}

Value value_of(const Values& values, std::string_view name) {
  const auto at = std::find_if(values.begin(), values.end(), [name](const Named& entry) { return entry.name == name; });
  return at != values.end() ? at->value : Value();
}

std::string to_text(const Document& document) { return text(json(document)); }
std::string to_text(const Kernel& kernel) { return text(json(kernel)); }
std::string to_text(const Values& values) { return text(json(values)); }

void add_leaks(const memory::AddressSpace& memory, int device, std::vector<Leak>& leaks) {
  for (const memory::Allocation* allocation : memory.live()) {
    if (allocation->label.empty() && allocation->kind != memory::Kind::registered) {
      leaks.push_back({.kind = memory::name(allocation->kind),
                       .bytes = allocation->size,
                       .allocation = allocation->serial,
                       .device = device});
    }
  }
}

}  // namespace hpml::sim::metrics
