#include "simulator/timing/core/policy.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace hpml::sim::timing {

namespace {
constexpr std::array<std::pair<std::string_view, PickWarp>, 3> kPolicies{
    {{"gto", greedy_then_oldest}, {"gty", greedy_then_youngest}, {"lrr", loose_round_robin}}};
}

Result<PickWarp> find_policy(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [key, pick] : kPolicies) {
    if (key == name) {
      return pick;
    }
    names.emplace_back(key);
  }
  return error_in("core.scheduler", fmt::format("unknown issue policy '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace hpml::sim::timing
