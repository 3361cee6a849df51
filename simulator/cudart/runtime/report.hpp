#pragma once
// Files written when the program ends: metrics.json (schema gpusim/metrics/v1) and the Chrome trace.
#include <nlohmann/json.hpp>
#include <string>

#include "common/base/result.hpp"
#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

struct ProgramEnd {
  int status = 0;  // of exit()
  int signal = 0;  // when a signal ended it, else 0
};

// Everything but the "simulator" block is the same on every run and machine.
nlohmann::ordered_json metrics_json(Runtime& runtime, const ProgramEnd& end, double wall_seconds);
// Events for chrome://tracing and Perfetto: host calls, and one row per stream.
nlohmann::ordered_json trace_json(Runtime& runtime);
std::string summary_line(Runtime& runtime, const ProgramEnd& end);

// Writes through a temporary file beside it, so that a reader never sees half a file.
Result<void> write_file(const std::string& path, const std::string& text);

}  // namespace hpml::sim::cudart
