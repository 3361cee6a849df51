// Moving forward: to breakpoints and changes of what is watched, over lines, instructions and barriers.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "simulator/debug/digest.hpp"
#include "simulator/debug/explorer.hpp"

namespace hpml::sim::debug {
namespace {

constexpr uint64_t kFarthestCopy = 400'000, kNearestCopy = 1'000;  // warp instructions before a place gone back to
constexpr uint64_t kPoll = 1'000'000;  // warp instructions between looks at whether the user wants us to pause

}  // namespace

bool Explorer::is_barrier(const ir::Inst& inst) {
  return inst.control == isa::Control::bar_sync || inst.control == isa::Control::bar_red ||
         inst.control == isa::Control::cluster_wait;
}

void Explorer::prepare(const Request& request) {
  keep_edits(request);
  apply_edits();
  stops_.set(locate(launch_, request.breakpoints));
  stepper_->set_stops(stops_.places());
  stops_.look(inspector_);
  paused_ = false;
}

Json Explorer::stopped(const std::string& reason, const Thread& thread, Json more) {
  more["reason"] = reason;
  more["position"] = stepper_->position();
  more["focus"] = focus_json(thread);
  if (inspector_.call() != nullptr) {
    more["place"] = place_json(*inspector_.call());
    more["called_at"] = own_caller();
    if (more["called_at"].is_null()) {
      more["not_kept"] = inspector_.not_kept();
    }
  }
  return more;
}

Json Explorer::ended() {
  Json more = {{"warp_instructions", stepper_->position()}};
  if (const auto trap = stepper_->trap()) {
    Thread failed = next_thread();
    failed.lane = stepper_->trap_lane() >= 0 ? stepper_->trap_lane() : failed.lane;
    return stopped("fault", failed, {{"text", *trap}});
  }
  if (verify_) {
    more["digest"] = digest(*launch_.memory, stepper_->counters());
  }
  more["reason"] = "end";
  more["position"] = stepper_->position();
  return more;
}

// Runs in pieces: up to checkpoints, edits, and looks at whether to pause. False: the user wants a pause.
bool Explorer::advance(exec::Stepper::Until until) {
  const uint64_t goal = until.position;
  while (true) {
    const uint64_t here = stepper_->position();
    until.position = std::min({goal, here + kPoll, std::max(next_checkpoint_, here + 1)});
    if (applied_ < edits_.size()) {
      until.position = std::min(until.position, std::max(edits_[applied_].position, here));
    }
    const auto stop = stepper_->run(until);
    if (checkpoints_ && stepper_->position() >= next_checkpoint_) {
      checkpoint();
    }
    apply_edits();
    if (stop != exec::Stepper::Stop::position || stepper_->position() >= goal) {
      return true;
    }
    if (channel_.readable(0)) {
      const auto line = channel_.poll();
      paused_ = true;
      if (!channel_.open()) {
        _exit(0);
      }
      return false;
    }
    until.check_first = true;
  }
}

// Executes an instruction.
void Explorer::step_watched() {
  exec::Effects effects;
  stepper_->step(effects);
  apply_edits();
  if (checkpoints_ && stepper_->position() >= next_checkpoint_) {
    checkpoint();
  }
}

// Executes the instruction. Where it has stopped if that has changed what is watched.
std::optional<Json> Explorer::step_and_watch(const exec::NextInst& next) {
  if (!stops_.watching() || !writes_memory(*next.function, next.inst())) {
    step_watched();
    return std::nullopt;
  }
  Thread writer{next.warp, std::countr_zero(next.active != 0 ? next.active : next.lanes), 0};
  const auto addresses = write_addresses(next);
  const ir::Inst& inst = next.inst();
  const Json from = place_json(exec::Activation{next.place, next.function, nullptr, 0});
  step_watched();
  const auto change = stops_.changed(inspector_);
  if (!change) {
    return std::nullopt;
  }
  writer.lane = writer_lane(inst, addresses, *change->breakpoint->asked.watch, writer.lane);
  return stopped("watchpoint", stepper_->live_lanes(writer.warp) != 0 ? writer : next_thread(),
                 {{"breakpoint", change->breakpoint->asked.id},
                  {"written_at", from},
                  {"before", change->before},
                  {"after", change->after}});
}

// Of a store or an atomic operation that executes next: where each lane writes; of others nothing.
std::array<uint64_t, isa::kWarpSize> Explorer::write_addresses(const exec::NextInst& next) {
  std::array<uint64_t, isa::kWarpSize> out{};
  const ir::Inst& inst = next.inst();
  for (isa::LaneMask rest = inst.addr != isa::kNoSlot ? next.active : 0; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    inspector_.look_at({next.warp, lane, 0});
    if (inspector_.call() != nullptr) {
      uint64_t base = 0;
      std::memcpy(&base, inspector_.call()->registers + inst.addr + static_cast<size_t>(lane) * inst.addr_bytes,
                  inst.addr_bytes);
      out[static_cast<size_t>(lane)] = base + static_cast<uint64_t>(inst.offset);
    }
  }
  return out;
}

// The lane that wrote the place, as far as addresses tell; else the one given.
int Explorer::writer_lane(const ir::Inst& inst, const std::array<uint64_t, isa::kWarpSize>& addresses,
                          const WatchPlace& place, int otherwise) {
  const uint64_t bytes = uint64_t{inst.elem_bytes} * inst.mods.vec;
  const bool global = place.space == "global";
  for (size_t lane = 0; lane < addresses.size(); ++lane) {
    const uint64_t at = global ? addresses[lane] : addresses[lane] & isa::kSharedOffsetMask;
    const bool right_lane = place.space != "local" || static_cast<int>(lane) == place.lane;
    if (addresses[lane] != 0 && right_lane && at < place.address + place.bytes && place.address < at + bytes) {
      return static_cast<int>(lane);
    }
  }
  return otherwise;
}

void Explorer::start_step(const Request& request) {
  const Thread thread = inspector_.thread();
  step_ = {};
  step_.warp = thread.warp;
  step_.lane = thread.lane;
  const auto block = inspector_.own_block();
  step_.block = block ? block->id : 0;
  if (const auto& standing = inspector_.standing()) {
    const bool innermost = request.step != Step::out;
    const auto frame = innermost ? 0 : static_cast<size_t>(thread.frame);
    step_.depth = standing->group.calls.size() - frame;
    step_.line = inspector_.map().source(standing->group.calls.front().place);
  }
}

std::optional<Json> Explorer::decide_breakpoint(const Request& request, const exec::NextInst& next) {
  const bool stepping = request.step != Step::go_on && request.step != Step::none;
  if (stepping && next.warp != step_.warp) {
    return std::nullopt;  // others may pass while one thread is stepped
  }
  const auto hit = stops_.hit(next, inspector_);
  if (!hit) {
    return std::nullopt;
  }
  Json more = {{"breakpoint", hit->breakpoint->asked.id}};
  if (!hit->error.empty()) {
    more["text"] = fmt::format("its condition cannot be evaluated: {}", hit->error);
  }
  const bool ours = stepping && (next.lanes >> step_.lane & 1) != 0;
  return stopped("breakpoint", {next.warp, ours ? step_.lane : hit->lane, 0}, std::move(more));
}

// Whether a step has led from there to this instruction, which executes next.
bool Explorer::step_made(Step step, Walker& from, const exec::NextInst& next) {
  const auto depth = static_cast<size_t>(next.depth) + 1;
  const SourcePlace line = inspector_.map().source(next.place);
  const bool new_line = next.inst().src_line > 0 && (line.line != from.line.line || line.file != from.line.file);
  switch (step) {
    case Step::none:
    case Step::go_on: break;
    case Step::instruction: return true;
    case Step::out: return depth < from.depth;
    case Step::over: return depth < from.depth || (depth == from.depth && new_line);
    case Step::line: {
      const auto starts = inspector_.map().at_function(next.function->name);
      const bool entered = depth > from.depth && !starts.empty() && starts.front().pc == next.place.pc;
      return depth < from.depth || (depth == from.depth && new_line) || entered;
    }
    case Step::barrier: return std::exchange(from.after_barrier, is_barrier(next.inst()));
  }
  return false;
}

std::optional<Json> Explorer::decide_step(const Request& request, const exec::NextInst& next) {
  return step_made(request.step, step_, next) ? std::optional(stopped("step", {next.warp, step_.lane, 0}))
                                              : std::nullopt;
}

std::optional<Json> Explorer::decide(const Request& request) {
  const auto next = stepper_->next();
  if (!next) {
    return ended();
  }
  const bool ours = next->warp == step_.warp && (next->lanes >> step_.lane & 1) != 0;
  if (ours) {
    if (auto out = decide_step(request, *next)) {
      return out;
    }
  }
  return decide_breakpoint(request, *next);
}

// Executes the instruction by which the stepped lane leaves the kernel, if the next one is that.
bool Explorer::lane_leaves(const Request& request) {
  const auto next = stepper_->next();
  const bool stepping = request.step != Step::go_on && request.step != Step::none;
  if (!stepping || !next || next->warp != step_.warp || (next->active >> step_.lane & 1) == 0 ||
      next->inst().control != isa::Control::exit) {
    return false;
  }
  exec::Effects effects;
  stepper_->step(effects);
  apply_edits();
  return true;
}

Json Explorer::go(const Request& request) {
  start_step(request);
  const bool stepping = request.step != Step::go_on && request.step != Step::none;
  if (stepping && !inspector_.standing()) {
    return stopped("exited", next_thread(),
                   {{"text", "the thread has finished; the focus is on the next one that runs"}});
  }
  if (request.step == Step::out && step_.depth <= 1) {
    return stopped("error", inspector_.thread(),
                   {{"text", "the call is the kernel itself, which nothing on the GPU has called"}});
  }
  if (stepping && request.party != Party::thread) {
    return go_together(request);
  }
  if (request.step == Step::barrier) {
    const auto next = stepper_->next();
    step_.after_barrier = next && next->warp == step_.warp && is_barrier(next->inst());
  }
  bool fresh = !request.here_too;
  while (true) {
    if (!fresh) {
      if (auto out = decide(request)) {
        return *out;
      }
    }
    const auto next = stepper_->next();
    if (!next) {
      return ended();
    }
    fresh = false;
    if (lane_leaves(request)) {
      return stepper_->next() ? stopped("exited", next_thread(), {{"text", "the thread has finished"}}) : ended();
    }
    if (stops_.watching() && writes_memory(*next->function, next->inst())) {
      if (auto change = step_and_watch(*next)) {
        return *change;
      }
      continue;
    }
    exec::Stepper::Until until;
    if (stepping) {
      until.each = step_.warp;
    }
    if (!advance(until)) {
      return stopped("pause", next_thread());
    }
  }
}

Json Explorer::resume(const Request& request) {
  verify_ = request.verify;
  prepare(request);
  Json out;
  Thread thread = inspector_.thread();
  for (int64_t i = 0; i < std::max<int64_t>(request.count, 1); ++i) {
    inspector_.look_at(thread);
    out = go(request);
    if (out["reason"] != "step") {
      break;
    }
    thread = inspector_.thread();
  }
  return out;
}

// To a position, without stops on the way. The focus stays where it can.
Json Explorer::jump(const Request& request) {
  verify_ = request.verify;
  keep_edits(request);
  apply_edits();
  paused_ = false;
  stepper_->set_stops({});
  const uint64_t start = stepper_->position();
  if (start < request.position) {
    // Users go back by small steps: copies near the place make the next of these quick.
    for (uint64_t behind = kFarthestCopy; behind >= kNearestCopy && !paused_; behind /= 8) {
      if (request.position - start > 2 * behind) {
        paused_ = !advance({.position = request.position - behind});
        checkpoint();
      }
    }
    if (!paused_) {
      advance({.position = request.position});
    }
  }
  if (!stepper_->next()) {
    return ended();
  }
  const auto asked = thread_of(request.focus);
  return stopped(paused_ ? "pause" : "position", asked.ok() ? *asked : next_thread());
}

}  // namespace hpml::sim::debug
