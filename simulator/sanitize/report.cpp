#include "simulator/sanitize/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hpml::sim::sanitize {
namespace {

using Json = nlohmann::ordered_json;

std::string triple(const std::array<uint32_t, 3>& v) { return fmt::format("({},{},{})", v[0], v[1], v[2]); }

std::string place_text(const SourcePlace& place) {
  const std::string ptx = fmt::format("{}:{}", place.ptx_file, place.ptx_line);
  return place.line > 0 ? fmt::format("{}:{} ({})", place.file, place.line, ptx) : ptx;
}

std::string allocation_text(const AllocationPlace& a) {
  std::string what = a.base == 0 ? fmt::format("the {} bytes of {} memory", a.size, a.kind)
                                 : fmt::format("the {} allocation of {} bytes at {:#x}", a.kind, a.size, a.base);
  what += a.label.empty() ? "" : fmt::format(" ({})", a.label);
  what += a.origin.empty() ? "" : fmt::format(" ({})", a.origin);
  switch (a.relation) {
    case AllocationPlace::Relation::inside: return fmt::format("{} bytes into {}", a.distance, what);
    case AllocationPlace::Relation::before: return fmt::format("{} bytes before {}", a.distance, what);
    case AllocationPlace::Relation::behind: return fmt::format("{} bytes behind the end of {}", a.distance, what);
    case AllocationPlace::Relation::crosses_end: return fmt::format("it crosses the end of {}", what);
    case AllocationPlace::Relation::freed: return fmt::format("{} bytes into {}, which was freed", a.distance, what);
  }
  return what;
}

const char* relation_name(AllocationPlace::Relation relation) {
  switch (relation) {
    case AllocationPlace::Relation::inside: return "inside";
    case AllocationPlace::Relation::before: return "before";
    case AllocationPlace::Relation::behind: return "behind";
    case AllocationPlace::Relation::crosses_end: return "crosses_end";
    case AllocationPlace::Relation::freed: return "freed";
  }
  return "?";
}

const char* severity_name(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

Json thread_json(const ThreadPlace& at) {
  Json out = {{"block", at.block}, {"thread", at.thread}, {"function", at.source.function}};
  if (at.source.line > 0) {
    out["file"] = at.source.file;
    out["line"] = at.source.line;
  }
  out["ptx_file"] = at.source.ptx_file;
  out["ptx_line"] = at.source.ptx_line;
  if (!at.does.empty()) {
    out["does"] = at.does;
  }
  return out;
}

Json allocation_json(const AllocationPlace& a) {
  Json out = {{"kind", a.kind},
              {"base", a.base},
              {"size", a.size},
              {"relation", relation_name(a.relation)},
              {"distance", a.distance}};
  if (a.serial != 0) {
    out["serial"] = a.serial;
  }
  if (!a.label.empty()) {
    out["label"] = a.label;
  }
  if (!a.origin.empty()) {
    out["origin"] = a.origin;
  }
  return out;
}

}  // namespace

bool lacks_source_line(const Finding& finding) {
  return !finding.threads.empty() && finding.threads[0].source.line == 0;
}

std::string to_text(const Finding& finding) {
  std::string out = fmt::format("{}: {}{}", name(tool_of(finding.kind)),
                                finding.severity == Severity::warning ? "warning: " : "", finding.message);
  for (const ThreadPlace& at : finding.threads) {
    out += fmt::format("\n    {}{}thread {} of block {} at {}", at.does.empty() ? "" : at.does,
                       at.does.empty() ? "" : ": ", triple(at.thread), triple(at.block), place_text(at.source));
  }
  if (!finding.kernel.empty()) {
    out += fmt::format("\n    in kernel {}", finding.kernel);
  }
  if (finding.address && finding.space == "global") {
    out += fmt::format("\n    address {:#x}", *finding.address);
    out += finding.allocation ? ": " + allocation_text(*finding.allocation) : "";
  } else if (finding.allocation) {
    out += finding.address
               ? fmt::format("\n    offset {:#x}: {}", *finding.address, allocation_text(*finding.allocation))
               : fmt::format("\n    {}", allocation_text(*finding.allocation));
  }
  out += finding.hint.empty() ? "" : "\n    " + finding.hint;
  if (finding.count > 1) {
    out += fmt::format("\n    the same at this place {} more times so far", finding.count - 1);
  }
  return out;
}

Json to_json(const Finding& finding) {
  Json out = {{"tool", name(tool_of(finding.kind))},
              {"kind", name(finding.kind)},
              {"severity", severity_name(finding.severity)},
              {"message", finding.message}};
  if (!finding.kernel.empty()) {
    out["kernel"] = finding.kernel;
  }
  if (!finding.threads.empty()) {
    out["threads"] = Json::array();
    for (const ThreadPlace& at : finding.threads) {
      out["threads"].push_back(thread_json(at));
    }
  }
  if (!finding.space.empty()) {
    out["space"] = finding.space;
  }
  if (finding.address) {
    out["address"] = *finding.address;
    out["size"] = finding.size;
  }
  if (finding.allocation) {
    out["allocation"] = allocation_json(*finding.allocation);
  }
  if (!finding.api.empty()) {
    out["api"] = finding.api;
  }
  if (!finding.hint.empty()) {
    out["hint"] = finding.hint;
  }
  out["count"] = finding.count;
  return out;
}

namespace {

struct Totals {
  uint64_t errors = 0, warnings = 0, suppressed = 0;
};

Totals totals(std::span<const Findings* const> devices) {
  Totals sum;
  for (const Findings* findings : devices) {
    sum.errors += findings->count(Severity::error);
    sum.warnings += findings->count(Severity::warning);
    sum.suppressed += findings->suppressed();
  }
  return sum;
}

std::string counted(uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace

Json to_json(Tools tools, std::span<const Findings* const> devices) {
  const Totals sum = totals(devices);
  Json out = {{"schema", "gpusim/check/v1"}};
  out["tools"] = Json::array();
  for (const Tool tool : kTools) {
    if (tools.has(tool)) {
      out["tools"].push_back(name(tool));
    }
  }
  out["errors"] = sum.errors;
  out["warnings"] = sum.warnings;
  out["suppressed"] = sum.suppressed;
  out["findings"] = Json::array();
  for (size_t device = 0; device < devices.size(); ++device) {
    for (const auto& finding : devices[device]->all()) {
      out["findings"].push_back(to_json(*finding));
      out["findings"].back()["device"] = device;
    }
  }
  return out;
}

std::string summary(std::span<const Findings* const> devices) {
  const Totals sum = totals(devices);
  std::string out = counted(sum.errors, "error") + ", " + counted(sum.warnings, "warning");
  if (sum.suppressed > 0) {
    out += fmt::format(", {} more places not shown", sum.suppressed);
  }
  return out;
}

}  // namespace hpml::sim::sanitize
