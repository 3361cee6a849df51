#pragma once
// A process that holds one state of a launch and can move it forward: it steps the grid, looks for breakpoints, and
// shows what threads hold. It is forked from the program, and forks itself: its copies are the history (history.hpp).
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulator/debug/channel.hpp"
#include "simulator/debug/inspector.hpp"
#include "simulator/debug/stops.hpp"

namespace hpml::sim::debug {

class Explorer {
 public:
  // `channel`: to the program.
  Explorer(const Launch& launch, Channel channel);
  // Answers requests until the program is gone.
  void serve();

 private:
  enum class Pause : uint8_t { no, asked };
  Json handle(const Request& request);
  Json clone();

  // run.cpp
  Json resume(const Request& request);
  Json jump(const Request& request);
  Json go(const Request& request);
  bool advance(exec::Stepper::Until until);
  void step_watched();
  std::array<uint64_t, isa::kWarpSize> write_addresses(const exec::NextInst& next);
  static int writer_lane(const ir::Inst& inst, const std::array<uint64_t, isa::kWarpSize>& addresses,
                         const WatchPlace& place, int otherwise);
  std::optional<Json> decide(const Request& request);
  std::optional<Json> decide_step(const Request& request, const exec::NextInst& next);
  std::optional<Json> decide_breakpoint(const Request& request, const exec::NextInst& next);
  bool lane_leaves(const Request& request);
  // Threads that make a step: where they stood before it.
  struct Walker {
    exec::WarpRef warp;
    isa::LaneMask lanes = 0;
    size_t depth = 0;
    SourcePlace line;
    bool after_barrier = false, moved = false;
  };
  static bool is_barrier(const ir::Inst& inst);
  bool step_made(Step step, Walker& from, const exec::NextInst& next);
  std::optional<Json> step_and_watch(const exec::NextInst& next);
  // party.cpp
  std::vector<Walker> walkers(Party party);
  void take_arrived(Step step, const exec::NextInst& next, std::vector<Walker>& rest);
  void take_released(const exec::NextInst& next, std::vector<Walker>& rest);
  Json go_together(const Request& request);
  void start_step(const Request& request);
  void prepare(const Request& request);
  void apply_edits();
  void checkpoint();
  void keep_edits(const Request& request);
  Json stopped(const std::string& reason, const Thread& thread, Json more = Json::object());
  Json ended();

  // scan.cpp
  Json scan(const Request& request);
  Json scan_stops(const Request& request);
  Json scan_thread(const Request& request);
  Json scan_writes(const Request& request);
  std::set<std::pair<int, int>> argument_stores(const std::string& name) const;

  // focus
  Result<Thread> thread_of(const Focus& focus);
  Json focus_json(const Thread& thread);
  Thread next_thread();

  // views.cpp
  Json stack();
  Json variables();
  Json registers(bool all);
  Json lanes(const std::string& expression);
  Json warps();
  Json blocks();
  Json code(int64_t lines);
  Json info();
  Result<Json> evaluate_text(const Request& request);
  Result<Json> set(const Request& request);
  Result<Json> memory(const Request& request);
  Result<Json> watch_place(const std::string& expression);
  Json place_json(const exec::Activation& call);
  Json own_caller();  // where code of the user's has called what stands in a header or library; null: it is the user's
  // access.cpp
  std::optional<exec::Effects> make_access(bool only_shared, Json& place);
  Result<Json> access();
  Result<Json> shared(const std::string& expression);
  Json writer();
  Json argument_read(const ir::Inst& inst, int depth);
  void note_read(const ir::Inst& inst, Json& operands);

  const Launch& launch_;
  Channel channel_;
  std::unique_ptr<exec::Stepper> stepper_;
  Inspector inspector_;
  Stops stops_;
  std::vector<Edit> edits_;
  size_t applied_ = 0;  // of edits_
  bool paused_ = false, checkpoints_ = true, verify_ = false;
  uint64_t next_checkpoint_ = 0, interval_ = 0;
  double checkpoint_at_ = 0;  // CPU seconds
  uint64_t faults_at_ = 0;
  // Of the step in hand.
  struct : Walker {
    uint64_t block = 0;
    int lane = 0;
  } step_;
};

}  // namespace hpml::sim::debug
