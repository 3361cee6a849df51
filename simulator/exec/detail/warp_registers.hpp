#pragma once
// The state of a warp that all its parts share, the registers of the lanes in hand, and how an instruction fails.
// A warp is layers, each a class that builds on those before it and offers the next ones its protected members:
//   WarpRegisters < WarpMemory < WarpDeviceRuntime < WarpControl < WarpCollectives < WarpImpl (grid_impl.hpp)
#include <optional>
#include <string>
#include <vector>

#include "simulator/exec/detail/lanes.hpp"
#include "simulator/exec/detail/spin_watch.hpp"
#include "simulator/exec/detail/tally.hpp"
#include "simulator/exec/detail/warp_state.hpp"
#include "simulator/exec/grid.hpp"

namespace hpml::sim::exec {

class GridImpl;
class BlockImpl;

class WarpRegisters {
 protected:
  uint32_t value_u32(isa::Slot slot, int lane) const;
  uint64_t value(isa::Slot slot, int lane, int bytes) const;
  LaneMask predicate(isa::Slot slot) const;
  void set_value(isa::Slot slot, int lane, int bytes, uint64_t value);
  void set_all(isa::Slot slot, LaneMask lanes, int bytes, uint64_t value);
  void set_predicate(isa::Slot slot, LaneMask lanes, LaneMask value);

  void fail(TrapKind kind, const std::string& what, int lane, std::optional<uint64_t> address = {});
  std::string describe_fault(TrapKind kind, const std::string& what, int lane, std::optional<uint64_t> address) const;
  bool trapped() const;

  GridImpl* grid_ = nullptr;
  BlockImpl* block_ = nullptr;
  Tally* tally_ = nullptr;  // the block's
  int index_ = 0;
  LaneMask live_ = 0;
  uint64_t cycles_ = 0;  // by GridImpl::latency()
  int current_ = -1;     // group that runs next; -1: none can
  std::vector<Group> groups_;
  SpinWatch spin_;
  const std::byte* consts_ = nullptr;
};

}  // namespace hpml::sim::exec
