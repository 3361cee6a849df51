// S1: reads a sweep file. Every key is either understood or refused with its line.
// HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "harness/yaml_entries.hpp"
#include "sweep.hpp"

namespace lab6::sweep {

namespace {

using Node = YAML::Node;

[[noreturn]] void fail(int line, const std::string& what) { throw SweepError(line, what); }

// A scalar that is a number from its first to its last character is a number, in every locale; quoted ones are text.
Value scalar(const Node& node) {
  if (!node.IsScalar() && !node.IsNull()) {
    fail(line_of(node), "expected one value, found a list or a map");
  }
  const std::string text = node.IsNull() ? "null" : node.Scalar();
  if (node.Tag() == "!") {  // quoted
    return text;
  }
  if (node.IsNull() || text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    return std::monostate{};
  }
  if (text == "true" || text == "True" || text == "TRUE") {
    return true;
  }
  if (text == "false" || text == "False" || text == "FALSE") {
    return false;
  }
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  int64_t integer = 0;
  if (const auto read = std::from_chars(begin, end, integer); read.ec == std::errc() && read.ptr == end) {
    return integer;
  }
  double real = 0;
  const bool digits = text.find_first_of("0123456789") != std::string::npos;  // not "inf", "nan"
  if (const auto read = std::from_chars(begin, end, real); digits && read.ec == std::errc() && read.ptr == end) {
    return real;
  }
  return text;
}

bool is_number(const Value& value) {
  return std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value);
}

double as_double(const Value& value) {
  const auto* integer = std::get_if<int64_t>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

Value number(const Entry& entry) {
  const Value value = scalar(entry.value);
  if (!is_number(value)) {
    fail(entry.line, "'" + entry.key + "' must be a number");
  }
  return value;
}

int64_t positive_integer(const Entry& entry) {
  const Value value = scalar(entry.value);
  const auto* integer = std::get_if<int64_t>(&value);
  if (integer == nullptr || *integer <= 0) {
    fail(entry.line, "'" + entry.key + "' must be an integer above 0");
  }
  return *integer;
}

std::string text_of(const Entry& entry) {
  if (!entry.value.IsScalar()) {
    fail(entry.line, "'" + entry.key + "' must be a text");
  }
  return entry.value.Scalar();
}

const Entry* find(const std::vector<Entry>& all, const std::string& key) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == all.end() ? nullptr : &*found;
}

void allow(const std::vector<Entry>& all, const std::set<std::string>& keys, const std::string& where) {
  for (const Entry& entry : all) {
    if (!keys.contains(entry.key)) {
      fail(entry.line, where + ": unsupported key '" + entry.key + "'");
    }
  }
}

// ---- parameters

std::set<std::string> keys_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::constant: return {"value"};
    case Distribution::categorical: return {"values"};
    case Distribution::categorical_w_probabilities: return {"values", "probabilities"};
    case Distribution::int_uniform:
    case Distribution::uniform:
    case Distribution::log_uniform:
    case Distribution::log_uniform_values:
    case Distribution::inv_log_uniform:
    case Distribution::inv_log_uniform_values: return {"min", "max"};
    case Distribution::q_uniform:
    case Distribution::q_log_uniform:
    case Distribution::q_log_uniform_values: return {"min", "max", "q"};
    case Distribution::normal:
    case Distribution::log_normal: return {"mu", "sigma"};
    case Distribution::q_normal:
    case Distribution::q_log_normal: return {"mu", "sigma", "q"};
    case Distribution::beta: return {"a", "b"};
    case Distribution::q_beta: return {"a", "b", "q"};
  }
  return {};
}

Distribution named_distribution(const Entry& entry) {
  const std::string name = text_of(entry);
  for (size_t i = 0; i < std::size(kDistributionNames); ++i) {
    if (name == kDistributionNames[i]) {
      return static_cast<Distribution>(i);
    }
  }
  fail(entry.line, "unknown distribution '" + name + "'");
}

Distribution omitted_distribution(const std::vector<Entry>& all, const std::string& name, int line) {
  if (find(all, "value") != nullptr) {
    return Distribution::constant;
  }
  if (find(all, "values") != nullptr) {
    const bool weighted = find(all, "probabilities") != nullptr;
    return weighted ? Distribution::categorical_w_probabilities : Distribution::categorical;
  }
  const Entry *min = find(all, "min"), *max = find(all, "max");
  if (min == nullptr || max == nullptr) {
    fail(line, "parameter '" + name + "' needs value, values, min and max, or a distribution");
  }
  const bool integers = std::holds_alternative<int64_t>(number(*min)) && std::holds_alternative<int64_t>(number(*max));
  return integers ? Distribution::int_uniform : Distribution::uniform;
}

std::vector<Node> list(const Entry& entry) {
  if (!entry.value.IsSequence() || entry.value.size() == 0) {
    fail(entry.line, "'" + entry.key + "' must be a list with at least one element");
  }
  return {entry.value.begin(), entry.value.end()};
}

void read_probabilities(const Entry& entry, Parameter& into) {
  double sum = 0;
  for (const Node& node : list(entry)) {
    const Value value = scalar(node);
    if (!is_number(value) || !(as_double(value) >= 0) || std::isinf(as_double(value))) {
      fail(line_of(node), "a probability must be a number, 0 or above");
    }
    into.probabilities.push_back(as_double(value));
    sum += into.probabilities.back();
  }
  if (into.probabilities.size() != into.values.size()) {
    fail(entry.line, "parameter '" + into.name + "' has " + std::to_string(into.values.size()) + " values and " +
                         std::to_string(into.probabilities.size()) + " probabilities");
  }
  if (!(sum > 0)) {
    fail(entry.line, "the probabilities of '" + into.name + "' add up to 0");
  }
  for (double& probability : into.probabilities) {
    probability /= sum;
  }
}

void read_limits(const Entry& min, const Entry& max, Parameter& into) {
  into.min = number(min);
  into.max = number(max);
  const Distribution kind = into.distribution;
  if (kind == Distribution::int_uniform &&
      !(std::holds_alternative<int64_t>(into.min) && std::holds_alternative<int64_t>(into.max))) {
    fail(min.line, "int_uniform of '" + into.name + "' needs integer limits");
  }
  const bool positive = kind == Distribution::log_uniform_values || kind == Distribution::q_log_uniform_values ||
                        kind == Distribution::inv_log_uniform_values;
  if (positive && !(as_double(into.min) > 0)) {
    fail(min.line, "'min' of '" + into.name + "' must be above 0: its logarithm is taken");
  }
  const bool equal_is_fine = kind == Distribution::int_uniform;
  if (equal_is_fine ? as_double(into.min) > as_double(into.max) : !(as_double(into.min) < as_double(into.max))) {
    fail(max.line, "'max' of '" + into.name + "' must be above 'min'");
  }
}

double above_zero(const Entry& entry) {
  const double value = as_double(number(entry));
  if (!(value > 0)) {
    fail(entry.line, "'" + entry.key + "' must be above 0");
  }
  return value;
}

void read_shape(const std::vector<Entry>& all, Parameter& into) {
  if (const Entry* entry = find(all, "q")) {
    above_zero(*entry);
    into.q = number(*entry);
  }
  if (const Entry* entry = find(all, "mu")) {
    into.mu = as_double(number(*entry));
  }
  if (const Entry* entry = find(all, "sigma")) {
    into.sigma = above_zero(*entry);
  }
  if (const Entry* entry = find(all, "a")) {
    into.a = above_zero(*entry);
  }
  if (const Entry* entry = find(all, "b")) {
    into.b = above_zero(*entry);
  }
}

Parameter read_parameter(const std::string& name, int line, const std::vector<Entry>& all) {
  Parameter result;
  result.name = name;
  result.line = line;
  const Entry* named = find(all, "distribution");
  result.distribution = named != nullptr ? named_distribution(*named) : omitted_distribution(all, name, line);
  std::set<std::string> keys = keys_of(result.distribution);
  for (const char* needed : {"value", "values", "probabilities", "min", "max"}) {
    if (keys.contains(needed) && find(all, needed) == nullptr) {
      fail(line, "parameter '" + name + "' needs '" + needed + "'");
    }
  }
  keys.insert("distribution");
  allow(all, keys, "parameter '" + name + "'");
  if (const Entry* entry = find(all, "value")) {
    result.values = {scalar(entry->value)};
  }
  if (const Entry* entry = find(all, "values")) {
    for (const Node& node : list(*entry)) {
      result.values.push_back(scalar(node));
    }
  }
  if (const Entry* entry = find(all, "probabilities")) {
    read_probabilities(*entry, result);
  }
  if (find(all, "min") != nullptr && find(all, "max") != nullptr) {
    read_limits(*find(all, "min"), *find(all, "max"), result);
  }
  read_shape(all, result);
  return result;
}

bool is_name(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), inner);
}

constexpr int kDeepest = 32;  // of nested parameters: an anchor may stand inside itself

void read_parameters(const Entry& group, const std::string& prefix, int depth, std::vector<Parameter>& into) {
  const std::vector<Entry> all = entries(group, "'" + group.key + "'");
  if (all.empty() || depth > kDeepest) {
    fail(group.line, all.empty() ? "'parameters' is empty" : "parameters are nested too deeply");
  }
  for (const Entry& entry : all) {
    if (!is_name(entry.key)) {
      fail(entry.line, "'" + entry.key + "' is no name of a parameter: a letter or _, then letters, digits, _ . -");
    }
    const std::string name = prefix + entry.key;
    const std::vector<Entry> form = entries(entry, "parameter '" + name + "'");
    if (const Entry* nested = find(form, "parameters")) {
      allow(form, {"parameters"}, "parameter '" + name + "'");
      read_parameters(*nested, name + ".", depth + 1, into);
    } else {
      into.push_back(read_parameter(name, entry.line, form));
    }
  }
}

// ---- the rest of the file

Metric read_metric(const Entry& entry) {
  const std::vector<Entry> all = entries(entry, "'metric'");
  allow(all, {"name", "goal", "target"}, "'metric'");
  const Entry* name = find(all, "name");
  if (name == nullptr || text_of(*name).empty()) {
    fail(entry.line, "'metric' needs a name");
  }
  Metric result{text_of(*name), Goal::minimize, std::nullopt};
  if (const Entry* goal = find(all, "goal")) {
    const std::string word = text_of(*goal);
    if (word != "minimize" && word != "maximize") {
      fail(goal->line, "'goal' is '" + word + "', expected minimize or maximize");
    }
    result.goal = word == "maximize" ? Goal::maximize : Goal::minimize;
  }
  if (const Entry* target = find(all, "target")) {
    result.target = as_double(number(*target));
  }
  return result;
}

EarlyTerminate read_early_terminate(const Entry& entry) {
  const std::vector<Entry> all = entries(entry, "'early_terminate'");
  allow(all, {"type", "min_iter", "max_iter", "s", "eta", "strict"}, "'early_terminate'");
  const Entry* type = find(all, "type");
  if (type == nullptr || text_of(*type) != "hyperband") {
    fail(type != nullptr ? type->line : entry.line, "'early_terminate' needs type: hyperband");
  }
  EarlyTerminate result;
  const Entry *min = find(all, "min_iter"), *max = find(all, "max_iter"), *s = find(all, "s");
  const bool first_form = min != nullptr && max == nullptr && s == nullptr;
  if (!first_form && !(min == nullptr && max != nullptr && s != nullptr)) {
    fail(entry.line, "'early_terminate' needs min_iter alone, or max_iter and s");
  }
  if (first_form) {
    result.min_iter = positive_integer(*min);
  } else {
    result.max_iter = positive_integer(*max);
    result.s = positive_integer(*s);
  }
  if (const Entry* eta = find(all, "eta")) {
    result.eta = as_double(number(*eta));
    if (!(result.eta > 1)) {
      fail(eta->line, "'eta' must be above 1");
    }
  }
  if (const Entry* strict = find(all, "strict")) {
    const Value value = scalar(strict->value);
    if (!std::holds_alternative<bool>(value)) {
      fail(strict->line, "'strict' must be true or false");
    }
    result.strict = std::get<bool>(value);
  }
  return result;
}

void check_command(const Entry& entry) {
  for (const Node& word : list(entry)) {
    if (!word.IsScalar()) {
      fail(line_of(word), "'command' must be a list of words");
    }
  }
}

void check_whole(const Sweep& sweep, const std::vector<Entry>& all) {
  const int method = find(all, "method")->line;
  if (!sweep.metric && (sweep.method == "bayes" || sweep.early_terminate)) {
    fail(sweep.method == "bayes" ? method : find(all, "early_terminate")->line,
         "'metric' is missing: bayes and hyperband need one");
  }
  if (sweep.method != "grid" && !sweep.run_cap) {
    fail(method, "'run_cap' is missing: a " + sweep.method + " sweep would never end");
  }
  for (size_t i = 1; i < sweep.parameters.size(); ++i) {
    if (sweep.parameters[i].name == sweep.parameters[i - 1].name) {
      fail(sweep.parameters[i].line, "parameter '" + sweep.parameters[i].name + "' occurs twice");
    }
  }
  constexpr std::array kGrid = {Distribution::constant, Distribution::categorical, Distribution::int_uniform,
                                Distribution::q_uniform};
  for (const Parameter& parameter : sweep.parameters) {
    if (sweep.method == "grid" && std::find(kGrid.begin(), kGrid.end(), parameter.distribution) == kGrid.end()) {
      fail(parameter.line, "parameter '" + parameter.name + "': a grid cannot enumerate " +
                               kDistributionNames[static_cast<size_t>(parameter.distribution)]);
    }
  }
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const std::vector<Entry> all = entries(load_yaml(text), "a sweep file");
  allow(all,
        {"method", "metric", "parameters", "early_terminate", "run_cap", "name", "description", "program", "command",
         "project", "entity"},
        "sweep file");
  const Entry *method = find(all, "method"), *parameters = find(all, "parameters");
  if (method == nullptr || parameters == nullptr) {
    fail(1, std::string("'") + (method == nullptr ? "method" : "parameters") + "' is missing");
  }
  Sweep sweep;
  sweep.method = text_of(*method);
  if (sweep.method != "grid" && sweep.method != "random" && sweep.method != "bayes") {
    fail(method->line, "'method' is '" + sweep.method + "', expected grid, random or bayes");
  }
  for (const Entry& entry : all) {
    if (entry.key == "metric") {
      sweep.metric = read_metric(entry);
    } else if (entry.key == "early_terminate") {
      sweep.early_terminate = read_early_terminate(entry);
    } else if (entry.key == "run_cap") {
      sweep.run_cap = positive_integer(entry);
    } else if (entry.key == "command") {
      check_command(entry);
    } else if (entry.key == "parameters") {
      read_parameters(entry, "", 0, sweep.parameters);
    } else if (entry.key != "method") {
      sweep.texts[entry.key] = text_of(entry);
    }
  }
  std::stable_sort(sweep.parameters.begin(), sweep.parameters.end(),
                   [](const Parameter& x, const Parameter& y) { return x.name < y.name; });
  check_whole(sweep, all);
  return sweep;
}

}  // namespace lab6::sweep
