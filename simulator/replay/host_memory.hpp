#pragma once
// Memory that the host and the devices share without a call (managed, pinned, registered): what of it the program has
// changed since a device last saw it, found by comparing digests of its leaves.
#include <functional>
#include <map>
#include <vector>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::replay {

class HostMemory {
 public:
  using Found = std::function<void(uint64_t address, const std::byte* data, uint64_t bytes)>;

  void added(const memory::Allocation& allocation);
  void removed(uint64_t base) { blocks_.erase(base); }
  // Tells what the program has changed in [address, address + bytes), leaf by leaf in the order of addresses.
  void changed(uint64_t address, uint64_t bytes, const Found& found);
  void changed(const Found& found) { changed(0, UINT64_MAX, found); }
  // A device, or a copy, may have written there: that is no change by the program.
  void forget(uint64_t address, uint64_t bytes);
  void forget() { forget(0, UINT64_MAX); }

 private:
  struct Block {
    const std::byte* view = nullptr;
    uint64_t bytes = 0;
    bool sparse = false;            // reads as zero where nothing is; reading must not make it be there
    std::vector<uint64_t> digests;  // per leaf; 0: nothing there yet
  };
  template <class Do>
  void each_leaf(uint64_t address, uint64_t bytes, const Do& act);
  std::map<uint64_t, Block> blocks_;
};

}  // namespace hpml::sim::replay
