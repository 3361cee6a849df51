#pragma once
// Which checks are on.
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/result.hpp"

namespace hpml::sim::sanitize {

enum class Tool : uint8_t { memcheck, initcheck, racecheck, synccheck, phases };
// The last one finds nothing and counts (counters.tsv): it is no part of "all".
inline constexpr Tool kTools[] = {Tool::memcheck, Tool::initcheck, Tool::racecheck, Tool::synccheck, Tool::phases};

std::string_view name(Tool tool);

struct Tools {
  uint8_t bits = 0;
  bool any() const { return bits != 0; }
  bool has(Tool tool) const { return (bits >> static_cast<unsigned>(tool) & 1) != 0; }
  void add(Tool tool) { bits |= static_cast<uint8_t>(1u << static_cast<unsigned>(tool)); }
};

// "memcheck,racecheck", or "all" checks. Error: a name that is no tool.
Result<Tools> parse_tools(std::string_view list);

}  // namespace hpml::sim::sanitize
