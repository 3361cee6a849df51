#pragma once
// Measurements as JSON, schema hpml/bench/v1: raw samples are always kept, summaries are beside them.
#include <nlohmann/json_fwd.hpp>

#include "common/bench/paired.hpp"
#include "common/bench/series.hpp"

namespace hpml::bench {

inline constexpr const char* kSchema = "hpml/bench/v1";

// unit: what work_units counts, "byte" or "flop".
nlohmann::json to_json(const Measured& measured, const std::string& unit);
nlohmann::json to_json(const Paired& paired);

}  // namespace hpml::bench
