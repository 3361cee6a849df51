#include "simulator/ptx/detail/scopes.hpp"

#include <charconv>
#include <limits>

namespace hpml::sim::ptx {

void Scopes::declare(std::string_view name, bool is_register, int range) {
  if (scopes_.empty() || name.starts_with('%')) {
    return;
  }
  if (range >= 0) {
    scopes_.back().ranges[name] = static_cast<uint32_t>(range);
  } else {
    scopes_.back().names[name] = is_register;
  }
}

bool Scopes::is_register(std::string_view name) const {
  if (name.starts_with('%')) {
    return true;
  }
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string_view prefix = name.substr(0, digits);
  uint32_t number = std::numeric_limits<uint32_t>::max();
  const char* end = name.data() + name.size();
  const bool numbered = digits > 0 && std::from_chars(name.data() + digits, end, number).ec == std::errc{};
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->names.find(name); found != scope->names.end()) {
      return found->second;
    }
    const auto range = numbered ? scope->ranges.find(prefix) : scope->ranges.end();
    if (range != scope->ranges.end() && number < range->second) {
      return true;
    }
  }
  return false;
}

}  // namespace hpml::sim::ptx
