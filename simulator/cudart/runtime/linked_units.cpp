#include "simulator/cudart/runtime/linked_units.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "simulator/fatbin/wrapper.hpp"

namespace hpml::sim::cudart {
namespace {

struct UnitNames {
  RegisteredFatbin* unit;
  std::set<std::string_view> declared, defined;
};

bool starts_with(std::string_view line, std::string_view word) { return line.substr(0, word.size()) == word; }

bool of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

// The last name on the first line of a function: `.func  (.param .b32 func_retval0) NAME(`.
std::string_view function_name(std::string_view line) {
  const size_t end = line.find_last_not_of("( \t\r") + 1;
  size_t begin = end;
  while (begin > 0 && of_name(line[begin - 1])) {
    --begin;
  }
  return line.substr(begin, end - begin);
}

// The first name of a variable's line: `.global .align 4 .u32 NAME[2] = {1, 2};`.
std::string_view variable_name(std::string_view line) {
  while (!line.empty()) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
      return {};
    }
    line.remove_prefix(begin);
    const bool word = line[0] != '.' && std::isdigit(static_cast<unsigned char>(line[0])) == 0;
    size_t end = 1;
    while (end < line.size() && of_name(line[end])) {
      ++end;
    }
    if (word) {
      return line.substr(0, end);
    }
    const size_t next = line.find_first_of(" \t", end);
    line.remove_prefix(next == std::string_view::npos ? line.size() : next);
  }
  return {};
}

void read_line(std::string_view line, UnitNames& names) {
  const bool declares = starts_with(line, ".extern ");
  if (!declares && !starts_with(line, ".visible ") && !starts_with(line, ".weak ")) {
    return;
  }
  const std::string_view rest = line.substr(line.find(' ') + 1);
  const bool function = starts_with(rest, ".func");
  if (function || starts_with(rest, ".global") || starts_with(rest, ".const")) {
    (declares ? names.declared : names.defined).insert(function ? function_name(rest) : variable_name(rest));
  }
}

UnitNames names_of(RegisteredFatbin* unit) {
  UnitNames names{unit, {}, {}};
  std::string_view text = unit->wrapper != nullptr ? fatbin::plain_text(unit->wrapper) : std::string_view{};
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    read_line(text.substr(0, end), names);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

bool uses(const UnitNames& user, const UnitNames& other) {
  return std::ranges::any_of(user.declared, [&](std::string_view name) { return other.defined.contains(name); });
}

}  // namespace

std::vector<RegisteredFatbin*> units_linked_with(const Registry& registry, RegisteredFatbin& unit) {
  if (unit.wrapper == nullptr || fatbin::plain_text(unit.wrapper).empty()) {
    return {&unit};
  }
  std::vector<UnitNames> all;
  for (const auto& registered : registry.fatbins()) {
    all.push_back(names_of(registered.get()));
  }
  std::set<RegisteredFatbin*> found = {&unit};
  for (size_t before = 0; before != found.size();) {
    before = found.size();
    for (const UnitNames& user : all) {
      for (const UnitNames& other : all) {
        const bool one_is_found = found.contains(user.unit) || found.contains(other.unit);
        if (user.unit != other.unit && one_is_found && uses(user, other)) {
          found.insert({user.unit, other.unit});
        }
      }
    }
  }
  std::vector<RegisteredFatbin*> units;
  for (const UnitNames& one : all) {
    if (found.contains(one.unit)) {
      units.push_back(one.unit);
    }
  }
  return units;
}

}  // namespace hpml::sim::cudart
