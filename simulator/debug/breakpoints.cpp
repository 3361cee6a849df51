// Where the breakpoints of the front are, and what is wrong with those that are nowhere.
#include <fmt/format.h>

#include "simulator/debug/debugger.hpp"
#include "simulator/debug/stops.hpp"

namespace hpml::sim::debug {

void Debugger::loaded(const ir::Program& program) {
  index_.add(program);
  changed_ = true;
}

void Debugger::unloaded(const ir::Program& program) {
  index_.remove(program);
  changed_ = true;
}

void Debugger::set_breakpoints(const Request& request) {
  breakpoints_ = request.breakpoints;
  stop_at_launch_ = request.stop_at_launch;
  stop_at_end_ = request.stop_at_end;
  verify_ = request.verify;
  changed_ = true;
}

// In the kernel of a launch, else in all that has been loaded.
Json Debugger::status_of(const Located& located, const CodeMap& map) const {
  const Breakpoint& asked = located.asked;
  Json out = {{"id", asked.id},
              {"places", located.places.size()},
              {"error", located.error},
              {"launched", launched_.contains(asked.id)}};
  if (!located.places.empty()) {
    const SourcePlace source = map.source(located.places.front());
    out["file"] = source.file;
    out["line"] = source.line;
    out["function"] = map.function_name(located.places.front().function);
  } else if (!asked.watch && !asked.ptx_line) {
    out.update(index_.status(asked));
  }
  return out;
}

Json Debugger::statuses(const Launch& launch) {
  Json out = Json::array();
  const CodeMap map(launch);
  for (const Located& located : locate(launch, breakpoints_)) {
    if (!located.places.empty() && launched_.insert(located.asked.id).second) {
      changed_ = true;
    }
    out.push_back(status_of(located, map));
  }
  return out;
}

void Debugger::answer_breakpoints(const Request& request, const Launch& launch) {
  set_breakpoints(request);
  const Json list = statuses(launch);
  changed_ = false;
  front_.send(answer(request.id, {{"breakpoints", list}}));
}

// Before a launch: sends the status of all breakpoints to the front if it may have changed: which have code, which have
// none.
void Debugger::tell_breakpoints(const Launch& launch) {
  const Json list = statuses(launch);
  if (changed_) {
    front_.send({{"event", "breakpoints"}, {"breakpoints", list}});
  }
  changed_ = false;
}

}  // namespace hpml::sim::debug
