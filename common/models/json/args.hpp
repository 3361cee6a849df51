#pragma once
// The inputs of one model, read from a JSON object: typed, bounded, complete. The first error is kept; after it, and
// while a listing is made, reads give stand-ins and ready() is false.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "common/config/toml.hpp"

namespace hpml::models {

using Json = nlohmann::ordered_json;
inline constexpr double kTiny = 1e-30;  // the lower bound of a divisor
using config::at_least;
using config::between;
using config::Bounds;

struct Input {
  std::string name, kind;  // kind: number, integer, flag, word, numbers, integers, rows
  Bounds bounds;
  std::vector<std::string> words;
};

class Args {
 public:
  explicit Args(const Json& object);  // must outlive the Args
  static Args listing();              // collects inputs() instead of values

  double number(const char* name, Bounds bounds);
  int64_t integer(const char* name, Bounds bounds);
  bool flag(const char* name);
  // Index of the word in `words`.
  size_t word(const char* name, const std::vector<std::string>& words);
  std::vector<double> numbers(const char* name, Bounds bounds);
  std::vector<int64_t> integers(const char* name, Bounds bounds);
  std::vector<std::vector<double>> rows(const char* name, Bounds bounds);

  void require(bool condition, const char* name, const std::string& message);
  bool ready();  // every input there, none unknown
  const Diag& error() const { return *error_; }
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  Args() = default;
  const Json* find(const char* name, const char* kind, Bounds bounds);
  void fail(const std::string& message);
  bool check(const std::string& name, const Json& value, bool whole, Bounds bounds);

  const Json* object_ = nullptr;  // null: listing
  std::vector<Input> inputs_;
  std::optional<Diag> error_;
};

}  // namespace hpml::models
