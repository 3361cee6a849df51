#pragma once
// Typed TOML: a struct is filled by one function that names each key once, e.g.
//
//     void describe(config::Table& t, Clocks& c) { t.get("core_mhz", c.core_mhz, at_least(1.0)); }
//     Result<void> r = config::read_toml_file(path, [&](config::Table& t) { describe(t, clocks); });
//
// An unknown key, a missing key, a wrong type and a value outside its bounds are errors that name the key and its
// line. There are no optional keys and no defaults: a value that nobody wrote is a value that nobody chose.
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/base/diag.hpp"
#include "common/base/result.hpp"

namespace hpml::config {

struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};
constexpr Bounds at_least(double min) { return Bounds{min, std::numeric_limits<double>::infinity()}; }
constexpr Bounds between(double min, double max) { return Bounds{min, max}; }

// One TOML table while it is being read. The first error of a file is kept; after it, reads do nothing.
class Table {
 public:
  struct Impl;  // hides toml++
  explicit Table(std::unique_ptr<Impl> impl);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Integers default to "not negative": pass bounds to allow otherwise.
  template <class Int>
  requires std::is_integral_v<Int> &&
      (!std::is_same_v<Int, bool>)void get(std::string_view key, Int& out, Bounds bounds = at_least(0)) {
    int64_t value = 0;
    const double type_max = static_cast<double>(std::numeric_limits<Int>::max());
    const Bounds narrowed{bounds.min, bounds.max < type_max ? bounds.max : type_max};
    if (read_integer(key, value, narrowed)) {
      out = static_cast<Int>(value);
    }
  }
  void get(std::string_view key, double& out, Bounds bounds = at_least(0));  // an integer literal is accepted
  void get(std::string_view key, bool& out);
  void get(std::string_view key, std::string& out);
  void get(std::string_view key, std::vector<uint32_t>& out);
  // A string that must be one of `words`; out = its index.
  void get_choice(std::string_view key, size_t& out, const std::vector<std::string>& words);
  // The sub-table `key`, described by `describe`.
  void table(std::string_view key, const std::function<void(Table&)>& describe);

  // Reports a condition between values that the types cannot express, at the line of `key`.
  void require(bool condition, std::string_view key, std::string_view message);

 private:
  bool read_integer(std::string_view key, int64_t& out, Bounds bounds);
  std::unique_ptr<Impl> impl_;
};

// Reads `text` (named `name` in diagnostics) or the file at `path`; the root table is given to `describe`.
Result<void> read_toml(std::string_view text, const std::string& name, const std::function<void(Table&)>& describe);
Result<void> read_toml_file(const std::string& path, const std::function<void(Table&)>& describe);

}  // namespace hpml::config
