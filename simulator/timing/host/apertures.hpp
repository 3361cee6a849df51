#pragma once
// Which memory an address leads to ("aperture" in Nsight Compute): the GPU's own, or that of the host or of another
// GPU, which kernels reach over the link.
#include <cstdint>

#include "simulator/memory/address_space.hpp"
#include "simulator/memory/managed.hpp"

namespace hpml::sim::timing {

inline constexpr uint64_t kLineBytes = 128;

class Apertures {
 public:
  // Both must outlive it. pages: those of the managed region of `space`.
  Apertures(const memory::AddressSpace& space, const memory::ManagedPages& pages)
      : space_(space),
        pages_(pages),
        managed_(space.managed_base()),
        device_(managed_ - memory::kManagedBase + memory::kDeviceBase) {}

  // Where caches and TLBs see a line of global memory (line: address / 128).
  uint64_t place(uint64_t line) const { return space_.place_of(line * kLineBytes) / kLineBytes; }
  // Of a line where place() puts it: does it lie at the other end of the link?
  bool over_link(uint64_t line) const {
    const uint64_t address = line * kLineBytes;
    if (address - device_ < memory::kRegionBytes) {
      return false;
    }
    return address - managed_ >= memory::kRegionBytes || pages_.over_link(address);
  }

 private:
  const memory::AddressSpace& space_;
  const memory::ManagedPages& pages_;
  uint64_t managed_, device_;  // where the GPU's regions begin
};

}  // namespace hpml::sim::timing
