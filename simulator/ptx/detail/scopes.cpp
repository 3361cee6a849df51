#include "simulator/ptx/detail/scopes.hpp"

#include <charconv>

namespace hpml::sim::ptx {
namespace {

// r13 is in r<20> and in r1<5>: every split of the trailing digits counts, up to the digits a range can have.
bool in_range(const std::unordered_map<std::string_view, uint32_t>& ranges, std::string_view name) {
  constexpr size_t kMaxDigits = 10;
  for (size_t digits = 1; digits <= kMaxDigits && digits < name.size(); ++digits) {
    const size_t split = name.size() - digits;
    if (name[split] < '0' || name[split] > '9') {
      return false;
    }
    uint64_t number = 0;
    std::from_chars(name.data() + split, name.data() + name.size(), number);
    const auto range = ranges.find(name.substr(0, split));
    if (range != ranges.end() && number < range->second) {
      return true;
    }
  }
  return false;
}

}  // namespace

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
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->names.find(name); found != scope->names.end()) {
      return found->second;
    }
    if (!scope->ranges.empty() && in_range(scope->ranges, name)) {
      return true;
    }
  }
  return false;
}

}  // namespace hpml::sim::ptx
