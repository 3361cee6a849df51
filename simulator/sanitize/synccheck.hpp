#pragma once
// synccheck: barriers that not all threads reach, thread counts that are no whole warps, warp-wide instructions whose
// mask does not name the caller, or names a lane that never comes.
//
// Threads that have exited are not missing (CUDA C++ Programming Guide, "Synchronization Functions"): a thread that
// returns early is no error. One that went around the barrier and did the work behind it is; that it has done so is
// seen from its last memory access: every way from the barrier leads there, and none leads back.
#include <array>
#include <map>
#include <set>
#include <vector>

#include "simulator/sanitize/findings.hpp"
#include "simulator/sanitize/launch_view.hpp"

namespace hpml::sim::sanitize {

class Synccheck {
 public:
  Synccheck(LaunchView& launch, Findings& findings) : launch_(launch), findings_(findings) {}
  void begin_launch();
  void block_started(const exec::ObservedBlock& block);
  void access(const exec::ObservedAccess& access);
  void barrier_arrived(const exec::ObservedGroup& group, uint32_t threads, bool counted);
  void barrier_opens(int block, std::span<const exec::ObservedGroup> waited, bool counted);
  void warp_synced(std::span<const exec::ObservedGroup> groups, isa::LaneMask together,
                   const std::array<isa::LaneMask, 32>& masks);
  void deadlocked(std::span<const exec::ObservedGroup> waiting);

 private:
  struct Block {
    std::vector<const ir::Inst*> last_access;  // by thread
    std::vector<const ir::Function*> function;
  };
  bool went_around(const ir::Function& function, const ir::Inst& barrier, const Block& block, uint32_t thread);
  void report(Kind kind, const exec::ObservedGroup& group, uint32_t thread, std::string message, std::string hint);
  void report_missing(const exec::ObservedGroup& group, const std::array<isa::LaneMask, 32>& arrived);
  void check_masks(const exec::ObservedGroup& group, isa::LaneMask lanes, const std::array<isa::LaneMask, 32>& masks);

  LaunchView& launch_;
  Findings& findings_;
  std::vector<Block> blocks_;                                           // by handle
  std::map<std::pair<const ir::Inst*, const ir::Inst*>, bool> behind_;  // barrier, instruction
};

}  // namespace hpml::sim::sanitize
