#pragma once
// What the launches of a warm-up leave in memory is taken away before the pass that is timed: that pass has to make its
// results itself. Sizes, tables and inputs that the host has put there stay.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simulator/memory/address_space.hpp"
#include "simulator/replay/calls.hpp"

namespace hpml::sim::replay {

class WarmUp {
 public:
  explicit WarmUp(const Passes& passes) : passes_(passes) {}

  // Around every launch, with all memory that there is. After the last launch of the warm-up each byte that became
  // different in it is 0xFF: NaN as a float. The caches of the model do not hear of it, so the figures are those of the
  // same pass without it.
  void before_launch(const std::vector<const memory::Allocation*>& live);
  void after_launch(const std::vector<const memory::Allocation*>& live);
  // Around every copy of what kernels have made: it must not be saved elsewhere.
  void before_copy(const std::vector<const memory::Allocation*>& live);
  void after_copy(const std::vector<const memory::Allocation*>& live);

 private:
  using Key = std::pair<uint64_t, uint32_t>;  // base and serial of an allocation
  bool is_watched() const { return launches_ >= passes_.warm_up && launches_ < passes_.timed; }
  bool is_between() const { return is_watched() && launches_ > passes_.warm_up; }
  void keep(const std::vector<const memory::Allocation*>& live);
  void compare(const std::vector<const memory::Allocation*>& live);
  void take_away(const std::vector<const memory::Allocation*>& live) const;

  Passes passes_;
  size_t launches_ = 0;
  std::map<Key, std::string> before_;
  std::map<Key, std::vector<bool>> changed_;  // by byte
};

}  // namespace hpml::sim::replay
