#include "simulator/metrics/document.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simulator/memory/address_space.hpp"
#include "simulator/metrics/json_writer.hpp"

namespace hpml::sim::metrics {
namespace {

constexpr const char* kSchema = "gpusim/metrics/v1";

void write(JsonWriter& out, const Values& values) {
  out.object([&] {
    for (const Named& entry : values) {
      if (!entry.value.known()) {
        continue;
      }
      out.key(entry.name);
      std::visit(
          [&](const auto& number) {
            if constexpr (std::is_same_v<std::decay_t<decltype(number)>, std::monostate>) {
              out.value(nullptr);
            } else {
              out.value(number);
            }
          },
          entry.value.number());
    }
  });
}

template <class T>
void write_or_null(JsonWriter& out, const std::optional<T>& value) {
  if (value) {
    out.value(*value);
  } else {
    out.value(nullptr);
  }
}

void write(JsonWriter& out, const BankConflict& conflict) {
  out.object([&] {
    out.member("bytes", conflict.bytes);
    out.key("words");
    out.array([&] {
      for (const std::optional<uint32_t>& word : conflict.words) {
        out.element();
        write_or_null(out, word);
      }
    });
  });
}

void write(JsonWriter& out, const LineAccess& at) {
  const std::string parts = at.space == "shared" ? "wavefronts" : "sectors";
  out.object([&] {
    out.member("file", at.file);
    out.member("line", at.line);
    out.member("space", at.space);
    out.member("op", at.op);
    out.member("requests", at.requests);
    out.member(parts, at.parts);
    out.member("ideal_" + parts, at.ideal_parts);
    out.key("lane_stride_bytes");
    write_or_null(out, at.lane_stride);
    if (at.conflict) {
      out.key("bank_conflict");
      write(out, *at.conflict);
    }
  });
}

void write(JsonWriter& out, const Roofline& roofline) {
  const std::pair<const char*, const Values*> tables[] = {{"flops", &roofline.flops},
                                                          {"bytes", &roofline.bytes},
                                                          {"arithmetic_intensity", &roofline.arithmetic_intensity},
                                                          {"ceilings", &roofline.ceilings},
                                                          {"achieved", &roofline.achieved}};
  out.object([&] {
    for (const auto& [name, values] : tables) {
      out.key(name);
      write(out, *values);
    }
  });
}

void write(JsonWriter& out, const Copy& copy) {
  out.object([&] {
    out.member("kind", copy.kind);
    out.member("bytes", copy.bytes);
    out.known_member("start_us", copy.start_us);
    out.member("duration_us", copy.duration_us);
    out.known_member("stream", copy.stream);
    out.known_member("device", copy.device);
    out.known_member("pinned", copy.pinned);
  });
}

void write(JsonWriter& out, const ApiCall& call) {
  out.object([&] {
    out.member("name", call.name);
    out.member("start_us", call.start_us);
    out.member("duration_us", call.duration_us);
    out.member("result", call.result);
    if (call.bytes >= 0) {
      out.member("bytes", call.bytes);
    }
    if (!call.detail.empty()) {
      out.member("detail", call.detail);
    }
  });
}

void write(JsonWriter& out, const Leak& leak) {
  out.object([&] {
    out.member("kind", leak.kind);
    out.member("bytes", leak.bytes);
    out.member("allocation", leak.allocation);
    out.member("device", leak.device);
  });
}

void write(JsonWriter& out, const std::string& text) { out.value(text); }

void write(JsonWriter& out, const Kernel& kernel);

template <class T>
void write_list(JsonWriter& out, const char* name, const std::vector<T>& list) {
  out.key(name);
  out.array([&] {
    for (const T& entry : list) {
      out.element();
      write(out, entry);
    }
  });
}

void write(JsonWriter& out, const Kernel& kernel) {
  out.object([&] {
    out.member("name", kernel.name);
    out.member("demangled", kernel.demangled);
    if (kernel.library) {
      out.member("library", true);
    }
    out.member("grid", kernel.grid);
    out.member("block", kernel.block);
    out.member("shared_bytes", kernel.shared_bytes);
    out.member("registers", kernel.registers);
    if (!kernel.library) {
      out.member("registers_estimated", kernel.registers_estimated);
    }
    out.member("start_us", kernel.start_us);
    out.member("duration_us", kernel.duration_us);
    out.member("cycles", kernel.cycles);
    out.member("sampled", kernel.sampled);
    if (!kernel.library) {
      out.member("sampled_fraction", kernel.sampled_fraction);
    }
    out.member("estimated", kernel.estimated);
    out.member("warp_instructions", kernel.warp_instructions);
    out.member("thread_instructions", kernel.thread_instructions);
    out.key("metrics");
    write(out, kernel.metrics);
    if (!kernel.library) {
      write_list(out, "lines", kernel.lines);
    }
    out.key("stalls");
    write(out, kernel.stalls);
    out.key("roofline");
    write(out, kernel.roofline);
    out.member("stream", kernel.stream);
    out.member("device", kernel.device);
  });
}

void write(JsonWriter& out, const End& end) {
  out.object([&] { end.signal != 0 ? out.member("signal", end.signal) : out.member("status", end.status); });
}

void write(JsonWriter& out, const std::optional<Simulator>& simulator) {
  out.object([&] {
    if (simulator) {
      out.member("wall_s", simulator->wall_s);
      out.member("warp_instr_per_s", simulator->warp_instr_per_s);
      out.member("peak_rss_bytes", simulator->peak_rss_bytes);
    }
  });
}

std::string json_again(const std::string& text) {
  using Json = nlohmann::ordered_json;
  return Json::parse(text).dump(1, ' ', false, Json::error_handler_t::replace);
}

void write(JsonWriter& out, const Document& document) {
  out.object([&] {
    out.member("schema", kSchema);
    out.member("gpu", document.gpu);
    out.member("mode", document.mode);
    write_list(out, "kernels", document.kernels);
    write_list(out, "memcpy", document.memcpy);
    write_list(out, "memset", document.memset);
    write_list(out, "prefetch", document.prefetch);
    out.key("unified_memory");
    write(out, document.unified_memory);
    write_list(out, "api", document.api);
    out.member("api_calls", document.api_calls);
    out.member("api_errors", document.api_errors);
    write_list(out, "faults", document.faults);
    write_list(out, "leaks", document.leaks);
    if (!document.check.empty()) {
      out.key("check");
      out.raw(json_again(document.check));
    }
    out.known_member("end_us", document.end_us);
    out.key("end");
    write(out, document.end);
    out.key("simulator");
    write(out, document.simulator);
  });
}

template <class T>
std::string text_of(const T& what) {
  JsonWriter out;
  write(out, what);
  return out.take() + "\n";
}

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

std::string to_text(const Document& document) { return text_of(document); }
std::string to_text(const Kernel& kernel) { return text_of(kernel); }
std::string to_text(const Values& values) { return text_of(values); }

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
