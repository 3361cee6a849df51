#pragma once
// Sweeps, configurations and records as JSON: what the log holds, what the judges give and read.
#include <nlohmann/json.hpp>

#include "sweep.hpp"

namespace lab6::sweep {

nlohmann::json json_of(const Value& value);
nlohmann::json json_of(const Config& config);
nlohmann::json json_of(const Sweep& sweep);

// Errors: nlohmann::json::exception where the JSON has another form.
Value value_of(const nlohmann::json& json);
Config config_of(const nlohmann::json& json);
EarlyTerminate early_terminate_of(const nlohmann::json& json);
Metric metric_of(const nlohmann::json& json);
Sweep sweep_of(const nlohmann::json& json);
RunRecord record_of(const nlohmann::json& json);
// A list of numbers; null is not a number.
std::vector<double> numbers_of(const nlohmann::json& json);

// The JSON in an environment variable. Ends the program with exit code 2 where there is none.
nlohmann::json json_from_environment(const char* name);

}  // namespace lab6::sweep
