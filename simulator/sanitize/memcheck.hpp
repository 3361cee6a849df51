#pragma once
// memcheck: accesses outside live allocations, shared or local memory, misaligned accesses, use after free.
#include "simulator/memory/address_space.hpp"
#include "simulator/sanitize/findings.hpp"
#include "simulator/sanitize/launch_view.hpp"

namespace hpml::sim::sanitize {

// Where `address` lies in relation to the allocation that contains it, contained it, or is nearest; none when nothing
// was ever allocated.
std::optional<AllocationPlace> place_of(const memory::AddressSpace& memory, uint64_t address, uint64_t bytes);

class Memcheck {
 public:
  Memcheck(const memory::AddressSpace& memory, LaunchView& launch, Findings& findings)
      : memory_(memory), launch_(launch), findings_(findings) {}
  // The lanes whose access is legal; the others have been reported.
  isa::LaneMask access(const exec::ObservedAccess& access);

 private:
  bool in_one_allocation(const exec::ObservedAccess& access);
  bool valid(const exec::ObservedAccess& access, uint64_t address) const;
  void report(const exec::ObservedAccess& access, int lane, bool misaligned);
  void describe_outside(const exec::ObservedAccess& access, Finding& finding) const;

  const memory::AddressSpace& memory_;
  LaunchView& launch_;
  Findings& findings_;
  uint64_t begin_ = 1, end_ = 0, generation_ = 0;  // the allocation of the last access
};

}  // namespace hpml::sim::sanitize
