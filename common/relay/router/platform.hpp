#pragma once
// The simulated network: one host per rank, each with one link up and one link down. Without groups all hosts meet in
// one switch. With groups, the hosts of each share a link up and a link down to the top switch (a tree of two levels).
// A message takes the links on its way; its latency is the sum of theirs.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::relay {

// A way through a switch: one link to it and one from it, each with half of the latency.
struct Way {
  double latency_s = 0;
  double bytes_per_s = 0;
};

struct Groups {
  std::uint32_t hosts = 0;  // consecutive hosts in each
  Way way;                  // through the top switch, besides the way through the hosts' own
};

struct Route {
  std::array<std::uint32_t, 4> links{};
  std::uint32_t count = 0;  // 0: from a rank to itself
  double latency_s = 0;
  std::span<const std::uint32_t> used() const { return {links.data(), count}; }
};

class Platform {
 public:
  // placement: the host of each rank; empty: rank r on host r.
  static Result<Platform> make(std::uint32_t ranks, Way hosts, std::optional<Groups> groups,
                               std::vector<std::uint32_t> placement);

  Route route(std::uint32_t from, std::uint32_t to) const;  // between ranks
  std::uint32_t links() const;
  double bytes_per_s(std::uint32_t link) const;
  double least_latency_s() const { return hosts_.latency_s; }  // between different ranks

  const Way& hosts() const { return hosts_; }
  const std::optional<Groups>& groups() const { return groups_; }
  const std::vector<std::uint32_t>& placement() const { return placement_; }

 private:
  Way hosts_;
  std::optional<Groups> groups_;
  std::vector<std::uint32_t> placement_;
  std::uint32_t host_count_ = 0;
};

}  // namespace hpml::relay
