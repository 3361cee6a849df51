#include "common/config/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace hpml::config {

namespace {

struct Context {
  std::string name;
  std::string_view text;
  std::optional<Diag> error;

  void fail(int line, int column, std::string message) {
    if (!error) {
      error = error_at(name, SourcePos{line, column}, std::move(message), std::string(line_of(text, line)));
    }
  }
};

}  // namespace

struct Table::Impl {
  Context& context;
  const toml::table& table;
  std::string path;                // dotted, "" for the root
  std::vector<std::string> asked;  // keys the description names, in order
  std::string missing;             // first key that was asked for and is not there

  std::string full(std::string_view key) const {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }

  void fail_at(const toml::source_region& where, std::string message) {
    context.fail(static_cast<int>(where.begin.line), static_cast<int>(where.begin.column), std::move(message));
  }

  // The node of a required key, or nullptr. Absence is reported by close(), so that a misspelt key is told as such.
  const toml::node* find(std::string_view key) {
    asked.emplace_back(key);
    const toml::node* node = table.get(key);
    if (node == nullptr && missing.empty()) {
      missing = std::string(key);
    }
    return context.error ? nullptr : node;
  }

  void wrong_type(std::string_view key, const toml::node& node, std::string_view wanted) {
    std::ostringstream found;
    found << node.type();
    fail_at(node.source(), fmt::format("'{}' must be {}, not {}", full(key), wanted, found.str()));
  }

  bool in_bounds(std::string_view key, const toml::node& node, double value, Bounds bounds) {
    if (value >= bounds.min && value <= bounds.max) {
      return true;
    }
    fail_at(node.source(),
            fmt::format("'{}' is {}, must be between {} and {}", full(key), value, bounds.min, bounds.max));
    return false;
  }

  // After the description has run: every key of the file must have been asked for, and every asked key be there.
  void close() {
    for (const auto& [key, node] : table) {
      const std::string_view name = key.str();
      if (std::find(asked.begin(), asked.end(), name) == asked.end()) {
        fail_at(key.source(), fmt::format("unknown key '{}'{}", full(name), did_you_mean(name, asked)));
      }
    }
    if (!missing.empty()) {
      fail_at(table.source(),
              fmt::format("missing key '{}'{}", full(missing), path.empty() ? "" : fmt::format(" in [{}]", path)));
    }
  }
};

Table::Table(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Table::~Table() = default;

bool Table::read_integer(std::string_view key, int64_t& out, Bounds bounds) {
  const toml::node* node = impl_->find(key);
  if (node == nullptr) {
    return false;
  }
  if (!node->is_integer()) {
    impl_->wrong_type(key, *node, "an integer");
    return false;
  }
  out = node->as_integer()->get();
  return impl_->in_bounds(key, *node, static_cast<double>(out), bounds);
}

void Table::get(std::string_view key, double& out, Bounds bounds) {
  const toml::node* node = impl_->find(key);
  if (node == nullptr) {
    return;
  }
  const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value) {
    impl_->wrong_type(key, *node, "a number");
  } else if (impl_->in_bounds(key, *node, *value, bounds)) {
    out = *value;
  }
}

void Table::get(std::string_view key, bool& out) {
  const toml::node* node = impl_->find(key);
  if (node == nullptr) {
    return;
  }
  if (!node->is_boolean()) {
    impl_->wrong_type(key, *node, "true or false");
    return;
  }
  out = node->as_boolean()->get();
}

void Table::get(std::string_view key, std::string& out) {
  const toml::node* node = impl_->find(key);
  if (node == nullptr) {
    return;
  }
  if (!node->is_string()) {
    impl_->wrong_type(key, *node, "a string");
    return;
  }
  out = node->as_string()->get();
}

void Table::get(std::string_view key, std::vector<uint32_t>& out) {
  const toml::node* node = impl_->find(key);
  if (node == nullptr) {
    return;
  }
  if (!node->is_array() || !node->as_array()->is_homogeneous<int64_t>()) {
    impl_->wrong_type(key, *node, "a non-empty array of integers");
    return;
  }
  out.clear();
  for (const toml::node& element : *node->as_array()) {
    const int64_t value = element.as_integer()->get();
    if (!impl_->in_bounds(key, element, static_cast<double>(value), between(0, 4294967295.0))) {
      return;
    }
    out.push_back(static_cast<uint32_t>(value));
  }
}

void Table::get_choice(std::string_view key, size_t& out, const std::vector<std::string>& words) {
  std::string word;
  get(key, word);
  const toml::node* node = impl_->table.get(key);
  if (node == nullptr || impl_->context.error) {
    return;
  }
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    impl_->fail_at(node->source(),
                   fmt::format("'{}' is '{}', must be one of: {}", impl_->full(key), word, fmt::join(words, ", ")));
    return;
  }
  out = static_cast<size_t>(found - words.begin());
}

void Table::table(std::string_view key, const std::function<void(Table&)>& describe) {
  const toml::node* node = impl_->find(key);
  if (node == nullptr) {
    return;
  }
  if (!node->is_table()) {
    impl_->wrong_type(key, *node, "a table");
    return;
  }
  auto inner = std::make_unique<Impl>(Impl{impl_->context, *node->as_table(), impl_->full(key), {}, {}});
  Impl& state = *inner;
  Table sub(std::move(inner));
  describe(sub);
  state.close();
}

void Table::require(bool condition, std::string_view key, std::string_view message) {
  if (condition || impl_->context.error) {
    return;
  }
  const toml::node* node = impl_->table.get(key);
  impl_->fail_at(node != nullptr ? node->source() : impl_->table.source(),
                 fmt::format("'{}' {}", impl_->full(key), message));
}

namespace {

// toml++ is built with exceptions by the distributions; they end here.
Result<toml::table> parse(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const int line = static_cast<int>(error.source().begin.line);
    return error_at(name, SourcePos{line, static_cast<int>(error.source().begin.column)},
                    std::string(error.description()), std::string(line_of(text, line)));
  }
}

}  // namespace

Result<void> read_toml(std::string_view text, const std::string& name, const std::function<void(Table&)>& describe) {
  HPML_TRY(const toml::table root, parse(text, name));
  Context context{name, text, std::nullopt};
  auto impl = std::make_unique<Table::Impl>(Table::Impl{context, root, "", {}, {}});
  Table::Impl& state = *impl;
  Table table(std::move(impl));
  describe(table);
  state.close();
  if (context.error) {
    return *context.error;
  }
  return Ok{};
}

Result<void> read_toml_file(const std::string& path, const std::function<void(Table&)>& describe) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return error_in(path, "cannot be read: no such file, or no permission");
  }
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  return read_toml(text, path, describe);
}

}  // namespace hpml::config
