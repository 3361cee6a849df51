#pragma once
// JSON objects of a protocol, described once: describe(io, value) names the fields of a structure, and a Reader or a
// Writer as `io` takes them from an object or puts them into one.
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {

using Json = nlohmann::json;

// Words of an enumeration in the protocol: an array of pairs of value and word.
template <class Words, class Value>
const char* word_of(const Words& words, Value value) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.first == value; });
  return found != words.end() ? found->second : "?";
}

// Takes what the object has; remembers the first field that is wrong. A field that describe() does not name is an
// error, too: a misspelt one would silently do nothing.
class Reader {
 public:
  template <class T>
  static Result<T> read(const Json& json, const std::string& what) {
    T out{};
    std::string why;
    read_object(json, what, out, why);
    if (!why.empty()) {
      return wrong(why);
    }
    return out;
  }

  template <class T>
  void field(const char* key, T& out) {
    if (const Json* found = find(key)) {
      value(key, *found, out);
    }
  }
  template <class Words, class Value>
  void word(const char* key, const Words& words, Value& out) {
    std::string text;
    field(key, text);
    const auto found = std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.second == text; });
    if (found != words.end()) {
      out = found->first;
    } else if (json_.contains(key)) {
      fail(fmt::format("'{}' is no {}", text, key));
    }
  }
  // What describe() finds wrong with values together.
  void expect(bool right, const char* otherwise) {
    if (!right) {
      fail(otherwise);
    }
  }

 private:
  explicit Reader(const Json& json) : json_(json) {}

  template <class T>
  static void read_object(const Json& json, const std::string& what, T& out, std::string& why) {
    if (!json.is_object()) {
      why = why.empty() ? fmt::format("{} is no object", what) : why;
      return;
    }
    Reader reader(json);
    describe(reader, out);
    for (const auto& [key, unused] : json.items()) {
      if (std::find(reader.known_.begin(), reader.known_.end(), key) == reader.known_.end()) {
        reader.fail(fmt::format("unknown field '{}'", key));
      }
    }
    why = why.empty() ? reader.why_ : why;
  }

  const Json* find(const char* key) {
    known_.emplace_back(key);
    const auto found = json_.find(key);
    return found != json_.end() ? &*found : nullptr;
  }
  void fail(const std::string& why) { why_ = why_.empty() ? why : why_; }

  void value(const char* key, const Json& json, std::string& out) {
    plain(key, json.is_string(), json, "a string", out);
  }
  void value(const char* key, const Json& json, bool& out) {
    plain(key, json.is_boolean(), json, "true or false", out);
  }
  template <class T>
  void plain(const char* key, bool fits, const Json& json, const char* what, T& out) {
    if (fits) {
      out = json.get<T>();
    } else {
      fail(fmt::format("'{}' is not {}", key, what));
    }
  }
  template <std::integral Number>
  void value(const char* key, const Json& json, Number& out) {
    using Limits = std::numeric_limits<Number>;
    if (json.is_number_unsigned() && json.get<uint64_t>() <= uint64_t{Limits::max()}) {
      out = static_cast<Number>(json.get<uint64_t>());
    } else if (std::is_signed_v<Number> && json.is_number_integer() && !json.is_number_unsigned() &&
               json.get<int64_t>() >= int64_t{Limits::min()}) {
      out = static_cast<Number>(json.get<int64_t>());
    } else {
      fail(fmt::format("'{}' is no number in its range", key));
    }
  }
  template <class T>
  void value(const char* key, const Json& json, std::optional<T>& out) {
    value(key, json, out.emplace());
  }
  template <class T>
  void value(const char* key, const Json& json, std::vector<T>& out) {
    if (!json.is_array()) {
      return fail(fmt::format("'{}' is no array", key));
    }
    for (const Json& one : json) {
      value(key, one, out.emplace_back());
    }
  }
  template <class T>
  requires std::is_class_v<T>
  void value(const char* key, const Json& json, T& out) {
    std::string why;
    read_object(json, fmt::format("'{}'", key), out, why);
    if (!why.empty()) {
      fail(why);
    }
  }

  const Json& json_;
  std::vector<std::string> known_;
  std::string why_;
};

// Leaves out what is empty, and structures like a new one: a Reader leaves those as they are.
class Writer {
 public:
  template <class T>
  static Json write(const T& value) {
    Writer writer;
    describe(writer, value);
    return std::move(writer.out_);
  }

  template <class T>
  void field(const char* key, const T& value) {
    const Json json = written(value);
    if (json != written(T{}) || std::is_arithmetic_v<T>) {
      out_[key] = json;
    }
  }
  template <class Words, class Value>
  void word(const char* key, const Words& words, Value value) {
    out_[key] = word_of(words, value);
  }
  void expect(bool, const char*) {}

 private:
  template <class T>
  requires std::is_arithmetic_v<T> || std::same_as<T, std::string>
  static Json written(const T& value) { return value; }
  template <class T>
  static Json written(const std::optional<T>& value) {
    return value ? written(*value) : Json();
  }
  template <class T>
  static Json written(const std::vector<T>& values) {
    Json out = Json::array();
    for (const T& value : values) {
      out.push_back(written(value));
    }
    return out;
  }
  template <class T>
  requires std::is_class_v<T> &&(!std::same_as<T, std::string>)static Json written(const T& value) {
    return write(value);
  }

  Json out_ = Json::object();
};

}  // namespace hpml::sim::debug
