#include "common/models/json/args.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hpml::models {

Args::Args(const Json& object) : object_(&object) {
  if (!object.is_object()) {
    fail("the inputs must be a JSON object, such as {\"processors\": 4}");
  }
}

Args Args::listing() {
  Args args;
  args.error_ = error_in("<listing>", "no values");
  return args;
}

void Args::fail(const std::string& message) {
  if (!error_) {
    error_ = error_in("<inputs>", message);
  }
}

const Json* Args::find(const char* name, const char* kind, Bounds bounds) {
  inputs_.push_back(Input{name, kind, bounds, {}});
  if (error_) {
    return nullptr;
  }
  const auto found = object_->find(name);
  if (found == object_->end()) {
    std::vector<std::string> given;
    for (const auto& [key, value] : object_->items()) {
      given.push_back(key);
    }
    const std::vector<std::string> near = near_names(name, given);
    fail(fmt::format("missing input '{}' ({}){}", name, kind,
                     near.empty() ? "" : fmt::format("; there is '{}'", near.front())));
    return nullptr;
  }
  return &*found;
}

bool Args::check(const std::string& name, const Json& value, bool whole, Bounds bounds) {
  // 3e8 is as good an integer as 300000000.
  const bool fits = value.is_number() && (!whole || std::trunc(value.get<double>()) == value.get<double>());
  if (!fits) {
    fail(fmt::format("'{}' must be {}, not {}", name, whole ? "an integer" : "a number", value.dump()));
  } else if (const auto x = value.get<double>(); !(x >= bounds.min && x <= bounds.max)) {
    fail(fmt::format("'{}' is {}, must be between {} and {}", name, value.dump(), bounds.min, bounds.max));
  } else {
    return true;
  }
  return false;
}

double Args::number(const char* name, Bounds bounds) {
  const Json* value = find(name, "number", bounds);
  return value != nullptr && check(name, *value, false, bounds) ? value->get<double>() : 1;
}

int64_t Args::integer(const char* name, Bounds bounds) {
  // Doubles hold every whole number up to here; nothing we model is larger.
  bounds.max = std::min(bounds.max, 9e15);
  const Json* value = find(name, "integer", bounds);
  return value != nullptr && check(name, *value, true, bounds) ? static_cast<int64_t>(value->get<double>()) : 1;
}

bool Args::flag(const char* name) {
  const Json* value = find(name, "flag", Bounds{});
  if (value != nullptr && !value->is_boolean()) {
    fail(fmt::format("'{}' must be true or false, not {}", name, value->dump()));
  }
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

size_t Args::word(const char* name, const std::vector<std::string>& words) {
  const Json* value = find(name, "word", Bounds{});
  inputs_.back().words = words;
  if (value == nullptr) {
    return 0;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    if (*value == words[i]) {
      return i;
    }
  }
  fail(fmt::format("'{}' is {}, must be one of {}", name, value->dump(), fmt::join(words, ", ")));
  return 0;
}

std::vector<double> Args::numbers(const char* name, Bounds bounds) {
  const Json* value = find(name, "numbers", bounds);
  std::vector<double> result;
  if (value == nullptr) {
    return result;
  }
  if (!value->is_array() || value->empty()) {
    fail(fmt::format("'{}' must be an array of numbers, not empty", name));
    return result;
  }
  for (size_t i = 0; i < value->size() && check(fmt::format("{}[{}]", name, i), (*value)[i], false, bounds); ++i) {
    result.push_back((*value)[i].get<double>());
  }
  return result;
}

std::vector<int64_t> Args::integers(const char* name, Bounds bounds) {
  std::vector<int64_t> result;
  for (const double value : numbers(name, bounds)) {
    require(std::trunc(value) == value, name, "must hold integers only");
    result.push_back(static_cast<int64_t>(value));
  }
  inputs_.back().kind = "integers";
  return result;
}

std::vector<std::vector<double>> Args::rows(const char* name, Bounds bounds) {
  const Json* value = find(name, "rows", bounds);
  std::vector<std::vector<double>> result;
  if (value == nullptr) {
    return result;
  }
  if (!value->is_array() || value->empty()) {
    fail(fmt::format("'{}' must be an array of arrays of numbers, not empty", name));
    return result;
  }
  for (const Json& row : *value) {
    require(row.is_array() && !row.empty(), name, "must be an array of arrays of numbers, none empty");
    result.emplace_back();
    for (size_t i = 0; !error_ && i < row.size(); ++i) {
      if (check(fmt::format("{}[][{}]", name, i), row[i], false, bounds)) {
        result.back().push_back(row[i].get<double>());
      }
    }
  }
  return result;
}

void Args::require(bool condition, const char* name, const std::string& message) {
  if (!condition) {
    fail(fmt::format("'{}' {}", name, message));
  }
}

bool Args::ready() {
  if (error_) {
    return false;
  }
  std::vector<std::string> names;
  for (const Input& input : inputs_) {
    names.push_back(input.name);
  }
  for (const auto& [key, value] : object_->items()) {
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      fail(fmt::format("unknown input '{}'{}; inputs: {}", key, did_you_mean(key, names), fmt::join(names, ", ")));
      return false;
    }
  }
  return true;
}

}  // namespace hpml::models
