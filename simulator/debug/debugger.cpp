#include "simulator/debug/debugger.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "common/base/demangle.hpp"
#include "simulator/debug/digest.hpp"
#include "simulator/debug/stops.hpp"
#include "simulator/debug/wrong.hpp"

namespace hpml::sim::debug {
namespace {

constexpr int kMostLaunches = 1000;  // whose starts are kept: each costs a process that is forked

// The calls at which instructions were inlined, by their lines.
void note_inlined(const ptx::Block& block, std::map<int, int>& out) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* inst = std::get_if<ptx::Instruction>(&statement); inst != nullptr && inst->loc.inlined_at >= 0) {
      out[inst->pos.line] = inst->loc.inlined_at;
    } else if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
      note_inlined(**inner, out);
    }
  }
}

}  // namespace

Focus parse_focus(const Json& json) {
  Focus out;
  if (json.contains("block")) {
    out.block = json["block"].get<uint64_t>();
  }
  out.warp = json.value("warp", 0);
  out.lane = json.value("lane", 0);
  out.frame = json.value("frame", 0);
  return out;
}

// A launch that the user looks at.
struct Debugger::Session {
  const Launch& launch;
  std::unique_ptr<History> history;
  Focus focus;
  bool executed = false;  // the program has done so: it can be looked at, not changed
  bool done = false;      // the launch is to be executed
  bool at_fault = false;  // stands where it ends with one
  bool at_end = false;    // stands behind its last instruction
};

Debugger::Debugger(int fd, History::Limits limits, ReadSymbols read_symbols)
    : front_(fd), owner_(getpid()), limits_(limits), read_symbols_(std::move(read_symbols)) {
  front_.send({{"event", "hello"}, {"protocol", kProtocol}, {"pid", getpid()}});
}

Debugger::~Debugger() = default;

void Debugger::find_symbols(Launch& launch) {
  launch.index = &index_;
  for (const ir::FunctionNames& function : launch.names->functions) {
    if (launch.symbols.contains(function.part)) {
      continue;
    }
    const ptx::Module& part = launch.program->part(function.part);
    auto& [size, known] = symbols_[&part];
    if (known == nullptr || size != part.text.size()) {
      auto read = read_symbols_(part);
      if (!read.ok()) {
        front_.send({{"event", "message"}, {"text", read.error().to_string()}});
      }
      known = std::make_shared<PartSymbols>(read.ok() ? std::move(*read) : debug_info::Symbols{});
      size = part.text.size();
      for (const ptx::Function& f : part.functions) {
        if (f.body != nullptr) {
          note_inlined(*f.body, known->inlined_at);
        }
      }
    }
    launch.symbols[function.part] = known;
  }
}

// What the front has sent while the program was not looking.
void Debugger::take_requests() {
  while (const auto line = front_.poll()) {
    const auto request = parse_request(*line);
    if (!request.ok()) {
      front_.send(refusal(0, request.error().message));
    } else if (request->op == Op::breakpoints) {
      set_breakpoints(*request);  // an event tells where they are
      front_.send(answer(request->id, Json::object()));
    } else if (request->op == Op::pause) {
      pause_ = true;
      front_.send(answer(request->id, Json::object()));
    } else {
      front_.send(refusal(request->id, "no kernel is running"));
    }
  }
}

bool Debugger::stops_in(const Launch& launch) {
  if (stop_at_launch_ || pause_ || stops_at_end_of(launch)) {
    return true;
  }
  for (const Located& located : locate(launch, breakpoints_)) {
    if (!located.places.empty() || (located.asked.watch && located.asked.watch->space == "global")) {
      return true;
    }
  }
  return false;
}

bool Debugger::stops_at_end_of(const Launch& launch) const { return stop_at_end_ < 0 || stop_at_end_ == launch.number; }

Request Debugger::with_state(const Session& session, Request request) const {
  request.breakpoints = breakpoints_;
  request.verify = verify_;
  const Focus asked = request.focus;
  if (!asked.block && !asked.warp && !asked.lane) {
    const int frame = request.op == Op::focus ? asked.frame : session.focus.frame;
    request.focus = session.focus;
    request.focus.frame = asked.frame != 0 ? asked.frame : frame;
  } else {
    request.focus.block = asked.block ? asked.block : session.focus.block;
    request.focus.warp = asked.warp || asked.block ? asked.warp : session.focus.warp;
    // A lane of another warp means nothing for this one.
    request.focus.lane = asked.lane || asked.warp || asked.block ? asked.lane : session.focus.lane;
  }
  return request;
}

void Debugger::explore(Launch& launch) {
  edits_.clear();
  digest_.reset();
  fault_seen_ = false;
  if (!front_.open() || getpid() != owner_) {
    return;
  }
  find_symbols(launch);
  take_requests();
  tell_breakpoints(launch);
  auto history = std::make_unique<History>(launch, limits_, front_);
  if (stops_in(launch)) {
    history = look_into(launch, std::move(history), false);
  }
  if (front_.open() && launch.number <= kMostLaunches && history->retire().ok()) {
    timeline_.add(launch.number, std::move(history));
  } else {
    timeline_.add(launch.number, nullptr);
  }
}

// The user explores the launch, until it is to be executed.
std::unique_ptr<History> Debugger::look_into(const Launch& launch, std::unique_ptr<History> history, bool executed) {
  const exec::Extent& g = launch.grid;
  const exec::Extent& b = launch.block;
  front_.send({{"event", "launch"},
               {"number", launch.number},
               {"kernel", demangle(launch.kernel)},
               {"grid", {g.x, g.y, g.z}},
               {"block", {b.x, b.y, b.z}},
               {"limit", limits_.bytes}});
  Session session{.launch = launch, .history = std::move(history), .focus = {}, .executed = executed};
  Request first;
  first.op = stop_at_launch_ || pause_ ? Op::jump : Op::resume;
  first.step = Step::go_on;
  first.here_too = true;
  first.breakpoints = breakpoints_;
  first.verify = verify_;
  const std::string why = pause_ ? "pause" : "launch";
  pause_ = false;
  auto stop = session.history->ask(std::move(first));
  if (stop.ok() && (*stop).value("reason", "") == "position") {
    (*stop)["reason"] = why;
  }
  report(session, stop);
  while (!session.done) {
    const auto line = front_.receive();
    if (!line) {
      break;  // the front is gone: the program goes on without it
    }
    const auto request = parse_request(*line);
    if (!request.ok()) {
      front_.send(refusal(0, request.error().message));
    } else {
      handle(session, *request);
    }
  }
  edits_ = session.history->edits();
  return std::move(session.history);
}

// Tells the front where the launch stands. False: at its end.
bool Debugger::report(Session& session, const Result<Json>& stop) {
  if (const auto request = session.history->breakpoints_for_later()) {
    answer_breakpoints(*request, session.launch);
  }
  if (!stop.ok()) {
    front_.send({{"event", "stopped"},
                 {"reason", "error"},
                 {"position", session.history->position()},
                 {"text", stop.error().message}});
    return true;
  }
  Json event = *stop;
  if (event["reason"] == "end") {
    if (event.contains("digest")) {
      digest_ = event["digest"].get<uint64_t>();
    }
    if (stops_at_end_of(session.launch) && !session.at_end) {
      session.at_end = true;
      front_.send({{"event", "stopped"},
                   {"reason", "end"},
                   {"position", event["position"]},
                   {"launch", session.launch.number},
                   {"text", "the end of the launch: all its instructions have been executed"}});
      return true;
    }
    session.done = true;
    front_.send(
        {{"event", "launch_ends"}, {"number", session.launch.number}, {"warp_instructions", event["position"]}});
    return false;
  }
  if (event.contains("focus")) {
    session.focus = parse_focus(event["focus"]);
  }
  session.at_fault = event["reason"] == "fault";
  fault_seen_ |= session.at_fault;
  session.at_end = false;
  event["event"] = "stopped";
  event["launch"] = session.launch.number;
  event["copies"] = session.history->copies();
  event["history_bytes"] = session.history->bytes();
  event["to_nearest"] = session.history->to_nearest();
  front_.send(event);
  return true;
}

bool Debugger::handle(Session& session, const Request& request) {
  const auto give = [&](const Result<Json>& result) {
    front_.send(result.ok() ? answer(request.id, *result) : refusal(request.id, result.error().message));
    return result.ok();
  };
  switch (request.op) {
    case Op::breakpoints: answer_breakpoints(request, session.launch); return true;
    case Op::pause: front_.send(answer(request.id, Json::object())); return true;
    case Op::resume:
    case Op::jump: return resume(session, request);
    case Op::focus: {
      const auto result = session.history->ask(with_state(session, request));
      if (result.ok()) {
        session.focus = parse_focus((*result)["focus"]);
      }
      return give(result);
    }
    case Op::set: {
      if (session.executed) {
        return give(wrong(
            "the program has executed this launch already: `run` again with a breakpoint in it to change something"));
      }
      const auto result = session.history->ask(with_state(session, request));
      if (result.ok()) {
        session.history->edited(*parse_edit((*result)["edit"]));
      }
      return give(result);
    }
    case Op::access:
    case Op::shared: return give(session.history->ask_at(session.history->position(), with_state(session, request)));
    case Op::who: return give(who(*session.history, session.launch.number, request, with_state(session, request)));
    case Op::stalls: return give(stalls(*session.history, session.launch, with_state(session, request)));
    case Op::evaluate:
    case Op::lanes:
    case Op::variables:
    case Op::registers:
    case Op::stack:
    case Op::warps:
    case Op::blocks:
    case Op::memory:
    case Op::code:
    case Op::lines:
    case Op::info:
    case Op::watch_place: return give(session.history->ask(with_state(session, request)));
    case Op::clone:
    case Op::scan: break;
  }
  return give(wrong("a front cannot ask for that"));
}

bool Debugger::resume(Session& session, const Request& request) {
  front_.send(answer(request.id, {{"running", true}}));
  if (request.op == Op::jump) {
    return report(session, session.history->go_to(request.position, with_state(session, request)));
  }
  if ((session.at_fault || session.at_end) && !request.reverse) {  // the program is to see it
    return report(session, Json{{"reason", "end"}, {"position", session.history->position()}});
  }
  if (request.reverse) {
    return report(session, run_back(session, with_state(session, request)));
  }
  return report(session, session.history->ask(with_state(session, request)));
}

// --- backwards -----------------------------------------------------------------------------------------------------

Result<Json> Debugger::run_back(Session& session, const Request& request) {
  if (request.party != Party::thread) {
    return wrong("going back, the thread in focus is followed: leave out `warp` and `block`");
  }
  Request search = request;
  search.reverse = false;
  Request ask = request;
  ask.op = Op::stack;
  HPML_TRY(const Json stack, session.history->ask(ask));
  const int depth = static_cast<int>(stack.size()) - 1;
  search.scan.depth = -1;
  switch (request.step) {
    case Step::none:
    case Step::go_on: search.scan.what = "stops"; break;
    case Step::line: search.scan.what = "lines"; break;
    case Step::over:
      search.scan.what = "lines";
      search.scan.depth = std::max(depth, 0);
      break;
    case Step::instruction: search.scan.what = "instructions"; break;
    case Step::barrier: search.scan.what = "barriers"; break;
    case Step::out:
      if (depth <= 0) {
        return wrong("the thread is in the kernel itself, which nothing on the GPU has called");
      }
      search.scan.what = "instructions";
      search.scan.depth = depth - 1;
      break;
  }
  uint64_t position = session.history->position();
  Json last;
  for (int64_t i = 0; i < std::max<int64_t>(request.count, 1); ++i) {
    HPML_TRY(const std::optional<Json> found, session.history->find_last(position, search));
    if (!found) {
      HPML_TRY(Json start, session.history->go_to(0, request));
      start["reason"] = "start";
      start["text"] = "the beginning of the launch";
      return start;
    }
    last = *found;
    position = last["position"].get<uint64_t>();
  }
  Request there = request;
  if (last.contains("focus")) {
    there.focus = parse_focus(last["focus"]);
  }
  HPML_TRY(Json stop, session.history->go_to(position, there));
  stop["reason"] = last.value("reason", "step");
  for (const char* key : {"breakpoint", "before", "after"}) {
    if (last.contains(key)) {
      stop[key] = last[key];
    }
  }
  return stop;
}

// --- executing -----------------------------------------------------------------------------------------------------

void Debugger::execute(const Launch& launch, exec::Grid& grid) {
  run(launch, grid);
  if (digest_) {
    const bool same = digest(*launch.memory, grid.counters()) == *digest_;
    front_.send({{"event", "verified"}, {"number", launch.number}, {"same", same}});
  }
  if (grid.trap() && !fault_seen_ && front_.open() && getpid() == owner_) {
    look_at_fault(launch);
  }
}

// A launch without a breakpoint has ended with a fault: the user looks at it before the program receives the error.
void Debugger::look_at_fault(const Launch& launch) {
  Timeline::Launch last = timeline_.take_last();
  if (last.history != nullptr && last.number == launch.number) {  // starts of very many launches are not kept
    last.history = look_into(launch, std::move(last.history), true);
    last.history->keep_start();
  }
  timeline_.give_back(std::move(last));
}

void Debugger::run(const Launch& launch, exec::Grid& grid) {
  if (edits_.empty()) {
    grid.run_rest();
    return;
  }
  const auto stepper = exec::Stepper::create(grid, *launch.code);
  Inspector inspector(launch, *stepper);
  for (const Edit& edit : edits_) {
    if (stepper->position() < edit.position) {
      stepper->run({.position = edit.position});
    }
    stepper->next();
    apply(edit, inspector);
  }
  while (stepper->run({}) != exec::Stepper::Stop::end) {
  }
}

}  // namespace hpml::sim::debug
