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

  enum class Step : uint8_t { launch, copy };  // a copy of what kernels have made: it must not be saved elsewhere

  // The replayer calls these around every step, with all allocations. After the last launch of the warm-up, each byte
  // that its steps have changed becomes 0xFF, which makes floats NaN. The caches of the timing model are not touched,
  // so counters and times are those of the same pass without the change.
  void before(Step step, const std::vector<const memory::Allocation*>& live);
  void after(Step step, const std::vector<const memory::Allocation*>& live);

 private:
  using Key = std::pair<uint64_t, uint32_t>;  // base and serial of an allocation
  // Launches of the warm-up, and copies between them.
  bool is_watched(Step step) const {
    return launches_ >= passes_.warm_up + (step == Step::copy ? 1 : 0) && launches_ < passes_.timed;
  }
  void keep(const std::vector<const memory::Allocation*>& live);
  void compare(const std::vector<const memory::Allocation*>& live);
  void take_away(const std::vector<const memory::Allocation*>& live) const;

  Passes passes_;
  size_t launches_ = 0;
  std::map<Key, std::string> before_;
  std::map<Key, std::vector<bool>> changed_;  // by byte
};

}  // namespace hpml::sim::replay
