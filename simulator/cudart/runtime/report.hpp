#pragma once
// Files written when the program ends: metrics.json (schema gpusim/metrics/v1) and the Chrome trace.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/base/result.hpp"
#include "simulator/cudart/runtime/runtime.hpp"
#include "simulator/metrics/document.hpp"

namespace hpml::sim::cudart {

metrics::Document metrics_of(Runtime& runtime, const metrics::End& end, double wall_seconds);
// Events for chrome://tracing and Perfetto: host calls, and one row per stream.
nlohmann::ordered_json trace_json(Runtime& runtime);
std::string summary_line(Runtime& runtime, const metrics::End& end);

// Writes through a temporary file beside it, so that a reader never sees half a file.
Result<void> write_file(const std::string& path, const std::string& text);

}  // namespace hpml::sim::cudart
