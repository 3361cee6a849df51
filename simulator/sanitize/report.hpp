#pragma once
// Findings as text for people and as JSON (schema gpusim/check/v1, described in README.md). Pure functions.
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "simulator/sanitize/findings.hpp"

namespace hpml::sim::sanitize {

// Several lines, the first without indentation, no newline at the end.
std::string to_text(const Finding& finding);
// Has a finding a place that only PTX names?
bool lacks_source_line(const Finding& finding);

nlohmann::ordered_json to_json(const Finding& finding);
// All devices of a process: {"schema", "tools", "errors", "warnings", "suppressed", "findings"}.
nlohmann::ordered_json to_json(Tools tools, std::span<const Findings* const> devices);
// "3 errors, 1 warning"
std::string summary(std::span<const Findings* const> devices);

}  // namespace hpml::sim::sanitize
