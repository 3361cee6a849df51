#pragma once
// Communicators live in the router: a rank names one by number and a peer by its rank there.
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "common/relay/wire.hpp"

namespace hpml::relay {

struct Member {
  std::uint32_t rank;        // in the world
  std::int32_t parent_rank;  // in the communicator
  std::int32_t colour;
  std::int32_t key;
  double arrived_s;
};

struct Communicator {
  std::vector<std::uint32_t> members;           // world ranks, by rank in the communicator
  std::map<std::uint32_t, std::int32_t> ranks;  // and back
  std::vector<Member> in_barrier;
  std::vector<Member> in_split;
};

class Communicators {
 public:
  explicit Communicators(std::uint32_t ranks);
  std::size_t count() const { return all_.size(); }
  // Null: there is none of this number, or the rank is no member.
  Communicator* find(std::uint32_t number, std::uint32_t rank);
  const Communicator& at(std::uint32_t number) const { return all_[number]; }
  // Adds one communicator per colour, members in the order of their keys. Returns the number of each member's, -1:
  // none.
  std::map<std::uint32_t, std::int32_t> split(const std::vector<Member>& members);

 private:
  void add(std::vector<std::uint32_t> members);
  std::deque<Communicator> all_;  // so that they stay where they are
};

}  // namespace hpml::relay
