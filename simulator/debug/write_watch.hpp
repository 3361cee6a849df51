#pragma once
// Tells whether an instruction writes any of some bytes, whatever it writes there.
#include <functional>

#include "simulator/debug/protocol.hpp"
#include "simulator/exec/observer.hpp"

namespace hpml::sim::debug {

class WriteWatch final : public exec::Observer {
 public:
  WriteWatch(WatchPlace place, std::function<uint64_t(int handle)> block_id)
      : place_(std::move(place)), block_id_(std::move(block_id)) {}

  void reset() { lane_ = -1; }
  int lane() const { return lane_; }  // the last that wrote them; -1: none has

  bool lenient() const override { return true; }
  void block_started(const exec::ObservedBlock& /*block*/) override {}
  isa::LaneMask access(const exec::ObservedAccess& access) override;
  void written(int block, isa::Space space, uint64_t address, uint64_t bytes) override;
  void barrier_arrived(const exec::ObservedGroup& /*group*/, uint32_t /*threads*/, bool /*counted*/,
                       bool /*waits*/) override {}
  void barrier_opens(int /*block*/, int /*barrier*/, std::span<const exec::ObservedGroup> /*waited*/,
                     bool /*counted*/) override {}
  void warp_synced(std::span<const exec::ObservedGroup> /*groups*/, isa::LaneMask /*together*/,
                   const std::array<isa::LaneMask, 32>& /*masks*/) override {}
  void deadlocked(std::span<const exec::ObservedGroup> /*waiting*/) override {}

 private:
  bool overlaps(uint64_t address, uint64_t bytes) const {
    return address < place_.address + place_.bytes && place_.address < address + bytes;
  }
  WatchPlace place_;
  std::function<uint64_t(int)> block_id_;
  int lane_ = -1;
};

}  // namespace hpml::sim::debug
