#include "simulator/debug/explorer.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace hpml::sim::debug {
namespace {

constexpr uint64_t kFirstInterval = 500'000;  // warp instructions to the first checkpoint
constexpr uint64_t kLeastInterval = 20'000;
constexpr double kCheckpointSeconds = 0.03;  // of CPU time between checkpoints: what a step back may cost

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

uint64_t page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_minflt);
}

}  // namespace

Explorer::Explorer(const Launch& launch, Channel channel)
    : launch_(launch),
      channel_(std::move(channel)),
      stepper_(exec::Stepper::create(*launch.make_grid(), *launch.code)),
      inspector_(launch, *stepper_),
      stops_(launch),
      next_checkpoint_(kFirstInterval),
      interval_(kFirstInterval),
      checkpoint_at_(cpu_seconds()),
      faults_at_(page_faults()) {}

void Explorer::serve() {
  while (auto line = channel_.receive()) {
    auto request = parse_request(*line);
    channel_.send(request.ok() ? handle(*request) : refusal(0, request.error().message));
  }
}

Json Explorer::handle(const Request& request) {
  if (request.op == Op::clone) {
    return answer(request.id, clone());
  }
  auto thread = thread_of(request.focus);
  if (!thread.ok()) {
    if (request.op != Op::jump && request.op != Op::scan && request.op != Op::resume && request.op != Op::info) {
      return refusal(request.id, thread.error().message);
    }
    thread = next_thread();  // of these, another state is what is asked for
  }
  if (thread->warp.block >= 0) {
    inspector_.look_at(*thread);
  }
  const auto give = [&](Result<Json> result) {
    return result.ok() ? answer(request.id, std::move(*result)) : refusal(request.id, result.error().message);
  };
  switch (request.op) {
    case Op::resume: return answer(request.id, resume(request));
    case Op::jump: return answer(request.id, jump(request));
    case Op::scan: return answer(request.id, scan(request));
    case Op::focus: return answer(request.id, {{"focus", focus_json(*thread)}, {"stack", stack()}});
    case Op::evaluate: return give(evaluate_text(request));
    case Op::lanes: return answer(request.id, lanes(request.text));
    case Op::variables: return answer(request.id, variables());
    case Op::registers: return answer(request.id, registers(request.text == "all"));
    case Op::stack: return answer(request.id, stack());
    case Op::warps: return answer(request.id, warps());
    case Op::blocks: return answer(request.id, blocks());
    case Op::shared: return give(shared(request.text));
    case Op::access: return give(access());
    case Op::who: return answer(request.id, writer());
    case Op::set: return give(set(request));
    case Op::memory: return give(memory(request));
    case Op::code: return answer(request.id, code(request.count));
    case Op::info: return answer(request.id, info());
    case Op::watch_place: return give(watch_place(request.text));
    case Op::lines: return answer(request.id, inspector_.map().lines(request.text));
    case Op::breakpoints:
    case Op::stalls:
    case Op::pause:
    case Op::clone: break;
  }
  return refusal(request.id, "an explorer does not do that");
}

// --- copies --------------------------------------------------------------------------------------------------------

// The copy serves on a channel of its own, whose other end goes to the program with the next line.
Json Explorer::clone() {
  const auto [ours, theirs] = socket_pair();
  const pid_t pid = ours >= 0 ? fork() : -1;
  if (pid == 0) {
    ::close(theirs);
    channel_ = Channel(ours);
    checkpoints_ = true;
    checkpoint_at_ = cpu_seconds();
    faults_at_ = page_faults();
    next_checkpoint_ = stepper_->position() + interval_;
    serve();
    _exit(0);
  }
  ::close(ours);
  if (pid > 0) {
    channel_.send({{"event", "copy"}}, theirs);
  }
  ::close(theirs);
  return {{"made", pid > 0}};
}

// A copy that stays here, for the way back; it is told to the program as an event.
void Explorer::checkpoint() {
  if (stepper_->position() >= next_checkpoint_) {
    const double took = cpu_seconds() - checkpoint_at_;
    const double factor = took > 0 ? std::clamp(kCheckpointSeconds / took, 0.25, 2.0) : 2;
    interval_ = std::max(kLeastInterval, static_cast<uint64_t>(static_cast<double>(interval_) * factor));
  }
  next_checkpoint_ = stepper_->position() + interval_;
  const auto [ours, theirs] = socket_pair();
  const uint64_t faults = page_faults();
  const auto bytes = (faults - faults_at_) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const pid_t pid = ours >= 0 ? fork() : -1;
  if (pid == 0) {
    ::close(theirs);
    channel_ = Channel(ours);
    serve();
    _exit(0);
  }
  ::close(ours);
  if (pid > 0) {
    channel_.send({{"event", "checkpoint"}, {"position", stepper_->position()}, {"bytes", bytes}, {"edits", applied_}},
                  theirs);
  }
  ::close(theirs);
  checkpoint_at_ = cpu_seconds();
  faults_at_ = page_faults();
}

// --- edits ---------------------------------------------------------------------------------------------------------

void Explorer::keep_edits(const Request& request) {
  if (request.edits.size() >= applied_) {
    edits_ = request.edits;
  }
}

void Explorer::apply_edits() {
  for (; applied_ < edits_.size() && edits_[applied_].position <= stepper_->position(); ++applied_) {
    apply(edits_[applied_], inspector_);
  }
}

// --- focus ---------------------------------------------------------------------------------------------------------

Thread Explorer::next_thread() {
  if (const auto next = stepper_->next()) {
    return {next->warp, std::countr_zero(next->active != 0 ? next->active : next->lanes), 0};
  }
  const exec::WarpRef last = stepper_->last();
  const auto groups = last.block >= 0 ? stepper_->groups(last) : std::vector<exec::LaneGroup>{};
  return {last, groups.empty() ? 0 : std::countr_zero(groups.front().lanes), 0};
}

Result<Thread> Explorer::thread_of(const Focus& focus) {
  Thread out = next_thread();
  if (focus.block) {
    const auto block = inspector_.block(*focus.block);
    if (!block) {
      return error_in("focus", fmt::format("block {} is not running at this point: of {} blocks, {} are; see `blocks`",
                                           *focus.block, launch_.grid.count(), stepper_->blocks().size()));
    }
    if (out.warp.block != block->handle) {
      out = {{block->handle, 0}, 0, 0};
    }
    if (focus.warp.value_or(0) >= block->warps) {
      return error_in("focus", fmt::format("block {} has {} warps", *focus.block, block->warps));
    }
  }
  if (focus.warp && (focus.block || out.warp.block >= 0)) {
    out.warp.warp = *focus.warp;
    out.lane = 0;
  }
  if (out.warp.block < 0) {
    return error_in("focus", "no block is running");
  }
  out.lane = focus.lane.value_or(out.lane);
  if (out.lane < 0 || out.lane >= isa::kWarpSize) {
    return error_in("focus", "a warp has lanes 0 to 31");
  }
  out.frame = focus.frame;
  return out;
}

Json Explorer::focus_json(const Thread& thread) {
  Json out = {{"warp", thread.warp.warp}, {"lane", thread.lane}, {"frame", thread.frame}};
  inspector_.look_at(thread);
  if (const auto block = inspector_.own_block()) {
    out["block"] = block->id;
    out["blockIdx"] = block->ctaid;
    out["threadIdx"] = inspector_.thread_index(thread.lane);
  }
  return out;
}

}  // namespace hpml::sim::debug
