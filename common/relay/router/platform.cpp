#include "common/relay/router/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace hpml::relay {
namespace {

bool possible(const Way& way) {
  return std::isfinite(way.latency_s) && way.latency_s > 0 && std::isfinite(way.bytes_per_s) && way.bytes_per_s > 0;
}

}  // namespace

Result<Platform> Platform::make(std::uint32_t ranks, Way hosts, std::optional<Groups> groups,
                                std::vector<std::uint32_t> placement) {
  if (!possible(hosts) || (groups && !possible(groups->way))) {
    return error_in("platform", "a latency and a bandwidth must be above zero");
  }
  if (groups && groups->hosts == 0) {
    return error_in("platform", "a group has at least one host");
  }
  if (placement.empty()) {
    placement.resize(ranks);
    std::iota(placement.begin(), placement.end(), 0);
  }
  const std::set<std::uint32_t> different(placement.begin(), placement.end());
  if (placement.size() != ranks || different.size() != ranks || *different.rbegin() >= ranks) {
    return error_in("platform", fmt::format("the placement must name each of the hosts 0 to {} once", ranks - 1));
  }
  Platform result;
  result.hosts_ = hosts;
  result.groups_ = groups;
  result.placement_ = std::move(placement);
  result.host_count_ = ranks;
  return result;
}

// Links 2h and 2h + 1 go up from and down to host h; those of the groups follow.
Route Platform::route(std::uint32_t from, std::uint32_t to) const {
  if (from == to) {
    return {};
  }
  const std::uint32_t source = placement_[from];
  const std::uint32_t target = placement_[to];
  Route result{{2 * source, 2 * target + 1}, 2, hosts_.latency_s};
  if (groups_ && source / groups_->hosts != target / groups_->hosts) {
    const std::uint32_t first = 2 * host_count_;
    result.links[2] = first + 2 * (source / groups_->hosts);
    result.links[3] = first + 2 * (target / groups_->hosts) + 1;
    result.count = 4;
    result.latency_s += groups_->way.latency_s;
  }
  return result;
}

std::uint32_t Platform::links() const {
  return 2 * host_count_ + (groups_ ? 2 * (host_count_ / groups_->hosts + 1) : 0);
}

double Platform::bytes_per_s(std::uint32_t link) const {
  return link < 2 * host_count_ ? hosts_.bytes_per_s : groups_->way.bytes_per_s;
}

}  // namespace hpml::relay
