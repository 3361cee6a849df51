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
      : space_(space), pages_(pages), first_(space.managed_base() - memory::kManagedBase + memory::kDeviceBase) {}

  // Where caches and TLBs see a line of global memory (line: address / 128).
  uint64_t place(uint64_t line) const { return space_.place_of(line * kLineBytes) / kLineBytes; }
  // Of a line where place() puts it: does it lie at the other end of the link?
  bool over_link(uint64_t line) const {
    const uint64_t address = line * kLineBytes;
    const uint64_t offset = address - first_;
    if (offset < memory::kRegionBytes) {
      return false;
    }
    return offset < memory::kGpuStride && offset / memory::kRegionBytes == kManagedRegion ? pages_.over_link(address)
                                                                                          : true;
  }

 private:
  static constexpr uint64_t kManagedRegion = (memory::kManagedBase - memory::kDeviceBase) / memory::kRegionBytes;
  const memory::AddressSpace& space_;
  const memory::ManagedPages& pages_;
  uint64_t first_;  // of the GPU's device region
};

}  // namespace hpml::sim::timing
