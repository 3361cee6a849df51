#include "harness/sweep_json.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace lab6::sweep {

using nlohmann::json;

json json_of(const Value& value) {
  return std::visit(
      [](const auto& own) {
        if constexpr (std::is_same_v<std::decay_t<decltype(own)>, std::monostate>) {
          return json();
        } else {
          return json(own);
        }
      },
      value);
}

json json_of(const Config& config) {
  json result = json::object();
  for (const auto& [name, value] : config) {
    result[name] = json_of(value);
  }
  return result;
}

namespace {

json parameter_json(const Parameter& p) {
  json result = {{"name", p.name},
                 {"line", p.line},
                 {"distribution", kDistributionNames[static_cast<size_t>(p.distribution)]},
                 {"probabilities", p.probabilities},
                 {"min", json_of(p.min)},
                 {"max", json_of(p.max)},
                 {"q", json_of(p.q)},
                 {"mu", p.mu},
                 {"sigma", p.sigma},
                 {"a", p.a},
                 {"b", p.b},
                 {"values", json::array()}};
  for (const Value& value : p.values) {
    result["values"].push_back(json_of(value));
  }
  return result;
}

template <class T>
json optional_json(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

std::optional<int64_t> optional_integer(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<int64_t>());
}

Distribution distribution_of(const std::string& name) {
  for (size_t i = 0; i < std::size(kDistributionNames); ++i) {
    if (name == kDistributionNames[i]) {
      return static_cast<Distribution>(i);
    }
  }
  throw std::runtime_error("unknown distribution " + name);
}

Parameter parameter_of(const json& from) {
  Parameter p;
  p.name = from.at("name");
  p.line = from.value("line", 0);
  p.distribution = distribution_of(from.at("distribution"));
  for (const json& value : from.value("values", json::array())) {
    p.values.push_back(value_of(value));
  }
  p.probabilities = from.value("probabilities", std::vector<double>());
  p.min = value_of(from.value("min", json()));
  p.max = value_of(from.value("max", json()));
  p.q = value_of(from.value("q", json(1)));
  p.mu = from.value("mu", 0.0);
  p.sigma = from.value("sigma", 1.0);
  p.a = from.value("a", 1.0);
  p.b = from.value("b", 1.0);
  return p;
}

json real_json(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

}  // namespace

json json_of(const Sweep& sweep) {
  json result = {{"method", sweep.method},     {"run_cap", optional_json(sweep.run_cap)},
                 {"texts", sweep.texts},       {"metric", nullptr},
                 {"early_terminate", nullptr}, {"parameters", json::array()}};
  if (sweep.metric) {
    result["metric"] = {{"name", sweep.metric->name},
                        {"goal", sweep.metric->goal == Goal::maximize ? "maximize" : "minimize"},
                        {"target", optional_json(sweep.metric->target)}};
  }
  if (const auto& rule = sweep.early_terminate) {
    result["early_terminate"] = {{"min_iter", optional_json(rule->min_iter)},
                                 {"max_iter", optional_json(rule->max_iter)},
                                 {"s", optional_json(rule->s)},
                                 {"eta", rule->eta},
                                 {"strict", rule->strict}};
  }
  for (const Parameter& parameter : sweep.parameters) {
    result["parameters"].push_back(parameter_json(parameter));
  }
  return result;
}

Value value_of(const json& from) {
  if (from.is_boolean()) {
    return from.get<bool>();
  }
  if (from.is_number_integer()) {
    return from.get<int64_t>();
  }
  if (from.is_number()) {
    return from.get<double>();
  }
  if (from.is_null()) {
    return std::monostate{};
  }
  return from.get<std::string>();
}

Config config_of(const json& from) {
  Config config;
  for (const auto& [name, value] : from.items()) {
    config[name] = value_of(value);
  }
  return config;
}

EarlyTerminate early_terminate_of(const json& from) {
  EarlyTerminate rule;
  rule.min_iter = optional_integer(from.value("min_iter", json()));
  rule.max_iter = optional_integer(from.value("max_iter", json()));
  rule.s = optional_integer(from.value("s", json()));
  rule.eta = from.value("eta", 3.0);
  rule.strict = from.value("strict", true);
  return rule;
}

Metric metric_of(const json& from) {
  Metric metric{from.at("name"), Goal::minimize, std::nullopt};
  metric.goal = from.value("goal", "minimize") == "maximize" ? Goal::maximize : Goal::minimize;
  if (from.contains("target") && !from["target"].is_null()) {
    metric.target = from["target"].get<double>();
  }
  return metric;
}

Sweep sweep_of(const json& from) {
  Sweep sweep;
  sweep.method = from.at("method");
  sweep.run_cap = optional_integer(from.value("run_cap", json()));
  if (from.contains("metric") && !from["metric"].is_null()) {
    sweep.metric = metric_of(from["metric"]);
  }
  if (from.contains("early_terminate") && !from["early_terminate"].is_null()) {
    sweep.early_terminate = early_terminate_of(from["early_terminate"]);
  }
  for (const json& parameter : from.at("parameters")) {
    sweep.parameters.push_back(parameter_of(parameter));
  }
  return sweep;
}

std::vector<double> numbers_of(const json& from) {
  std::vector<double> result;
  for (const json& value : from) {
    result.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  }
  return result;
}

RunRecord record_of(const json& from) {
  RunRecord record;
  record.index = from.at("run");
  record.state = from.at("state");
  record.config = config_of(from.at("config"));
  record.history = numbers_of(from.at("history"));
  const json metrics = from.value("metrics", json::object());
  for (const auto& [name, value] : metrics.items()) {
    record.metrics[name] = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  }
  record.seconds = from.value("seconds", 0.0);
  return record;
}

std::string line_of(const RunRecord& record) {
  json history = json::array(), metrics = json::object();
  for (const double value : record.history) {
    history.push_back(real_json(value));
  }
  for (const auto& [name, value] : record.metrics) {
    metrics[name] = real_json(value);
  }
  return json{{"run", record.index}, {"state", record.state}, {"config", json_of(record.config)},
              {"history", history},  {"metrics", metrics},    {"seconds", record.seconds}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

RunRecord record_of(const std::string& line) {
  try {
    return record_of(json::parse(line));
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("no record of a run: ") + error.what());
  }
}

json json_from_environment(const char* name) {
  const char* text = std::getenv(name);
  json parsed = text == nullptr ? json() : json::parse(text, nullptr, false);
  if (parsed.is_null() || parsed.is_discarded()) {
    std::fprintf(stderr, "%s must hold JSON; the grader sets it\n", name);
    std::exit(2);
  }
  return parsed;
}

}  // namespace lab6::sweep
