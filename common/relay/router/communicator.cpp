#include "common/relay/router/communicator.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace hpml::relay {

Communicators::Communicators(std::uint32_t ranks) {
  std::vector<std::uint32_t> world(ranks);
  std::iota(world.begin(), world.end(), 0);
  add(std::move(world));
}

void Communicators::add(std::vector<std::uint32_t> members) {
  Communicator communicator{std::move(members), {}, {}, {}};
  for (std::size_t rank = 0; rank < communicator.members.size(); ++rank) {
    communicator.ranks[communicator.members[rank]] = static_cast<std::int32_t>(rank);
  }
  all_.push_back(std::move(communicator));
}

Communicator* Communicators::find(std::uint32_t number, std::uint32_t rank) {
  return number < all_.size() && all_[number].ranks.contains(rank) ? &all_[number] : nullptr;
}

std::map<std::uint32_t, std::int32_t> Communicators::split(const std::vector<Member>& members) {
  std::vector<Member> sorted = members;
  std::sort(sorted.begin(), sorted.end(), [](const Member& a, const Member& b) {
    return std::tie(a.colour, a.key, a.parent_rank) < std::tie(b.colour, b.key, b.parent_rank);
  });
  std::map<std::uint32_t, std::int32_t> numbers;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    std::vector<std::uint32_t> same;
    for (; last < sorted.size() && sorted[last].colour == sorted[first].colour; ++last) {
      same.push_back(sorted[last].rank);
    }
    const bool wanted = sorted[first].colour >= 0;
    for (const std::uint32_t rank : same) {
      numbers[rank] = wanted ? static_cast<std::int32_t>(all_.size()) : -1;
    }
    if (wanted) {
      add(std::move(same));
    }
    first = last;
  }
  return numbers;
}

}  // namespace hpml::relay
