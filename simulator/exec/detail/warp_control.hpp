#pragma once
// Which lanes go where: branches and where lanes meet again, calls and frames, exits, and lanes that wait in loops.
#include <memory>
#include <optional>
#include <vector>

#include "simulator/exec/detail/warp_device_runtime.hpp"

namespace hpml::sim::exec {

class WarpControl : public WarpDeviceRuntime {
 protected:
  virtual ~WarpControl() = default;

  // control.cpp
  void take_branch(const ir::Inst& inst, LaneMask active);
  void indirect_branch(const ir::Inst& inst, LaneMask active);
  bool arrive_if_joined();
  void exit_lanes(LaneMask lanes);
  void let_stalled_go_on();
  void choose_group();
  void give_way();
  // spin.cpp
  void look_at_loop(Pc branch);
  void nap();
  void wait_for_others();
  // calls.cpp
  void call(const ir::Inst& inst, LaneMask active);
  void return_lanes(LaneMask lanes);
  void refresh_clocks(Frame& frame);
  // stack.cpp
  void grow_stack(const ir::Inst& inst, LaneMask active);

  // All of `lanes` at the first instruction of the kernel.
  void start_lanes(LaneMask lanes);

  std::vector<Split> splits_;
  bool idle_ = false;  // the last run() ended because all wait in loops

 private:
  // Called when lanes have exited: a warp-wide instruction that waits for them runs without them, and the cluster's
  // barrier counts them as arrived.
  virtual bool run_complete(LaneMask absent) = 0;
  virtual void leave_cluster(LaneMask lanes) = 0;

  // control.cpp
  bool branch_past(const ir::Inst& inst, LaneMask taken);
  int split_for(const Group& g, Pc reconverge);
  static void park_lanes(Split& split, LaneMask lanes, const Patience& patience);
  void diverge(int group, Pc reconverge, LaneMask leaving, Pc leaving_pc);
  bool park(int group);
  void complete(int split);
  int new_split(Pc reconverge, const Frame* frame, LaneMask lanes, int parent);
  bool stalled() const { return current_ < 0 && live_ != 0 && !trapped(); }
  bool return_parked();
  void remove_group(int group);
  // spin.cpp
  bool someone_parked() const;
  void release_parked();
  bool asks_others(const ir::Function& function, Pc first, Pc last, int depth = 0) const;
  // calls.cpp
  void enter(const ir::CallSite& site, int callee, LaneMask active);
  void indirect_call(const ir::Inst& inst, const ir::CallSite& site, LaneMask active);
  void call_libm(const ir::CallSite& site, LaneMask active);
  void copy_pieces(const std::vector<ir::CallSite::Piece>& pieces, uint32_t caller_base, uint32_t callee_base,
                   LaneMask lanes, bool into_callee);
  Frame* new_frame(int function_index);
  std::optional<uint64_t> uniform_special(const ir::SpecialUse& use, const Frame& frame) const;
  void fill_specials(Frame& frame);
  // stack.cpp
  uint32_t stack_top(const Frame& frame, LaneMask lanes) const;

  std::vector<std::unique_ptr<Frame>> frames_;  // in use
  std::vector<std::unique_ptr<Frame>> free_frames_;
};

}  // namespace hpml::sim::exec
