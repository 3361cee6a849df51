#pragma once
// initcheck: reads of global and shared memory that nothing has written since it was allocated. Byte by byte.
//
// Memory that the host writes without our knowledge (managed, pinned, registered) and the program's variables, which
// have an initial value, count as written.
#include <map>
#include <optional>
#include <vector>

#include "simulator/memory/address_space.hpp"
#include "simulator/sanitize/bit_shadow.hpp"
#include "simulator/sanitize/findings.hpp"
#include "simulator/sanitize/launch_view.hpp"

namespace hpml::sim::sanitize {

class Initcheck {
 public:
  Initcheck(const memory::AddressSpace& memory, LaunchView& launch, Findings& findings)
      : memory_(memory), launch_(launch), findings_(findings) {}
  void block_started(const exec::ObservedBlock& block);
  void access(const exec::ObservedAccess& access);
  void written(int block, isa::Space space, uint64_t address, uint64_t bytes);
  // The host copies from device memory.
  void host_reads(const std::string& api, uint64_t address, uint64_t bytes);

 private:
  struct Tracked {
    uint32_t serial = 0;  // of the allocation
    uint64_t end = 0;
    BitShadow shadow;
  };
  // The shadow of the allocation at `address` and where that begins; null: not tracked.
  BitShadow* shadow_at(uint64_t address, uint64_t& base);
  void check_global(const exec::ObservedAccess& access);
  void check_shared(const exec::ObservedAccess& access);
  void report(const exec::ObservedAccess& access, int lane, Kind kind);

  const memory::AddressSpace& memory_;
  LaunchView& launch_;
  Findings& findings_;
  std::map<uint64_t, Tracked> tracked_;           // by base
  std::vector<std::optional<BitShadow>> shared_;  // by block handle
  // The allocation of the last access.
  BitShadow* last_ = nullptr;
  uint64_t begin_ = 1, end_ = 0, generation_ = 0;
};

}  // namespace hpml::sim::sanitize
